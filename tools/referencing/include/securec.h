// The functions of libc_sec that CANN's sources call beside those of headers/securec.h.

#ifndef PYACLNN_REFERENCING_SECUREC_H_
#define PYACLNN_REFERENCING_SECUREC_H_

#include_next <securec.h>

#include <stdarg.h>
#include <stdio.h>

// The largest size that a copy may have.
#define SECUREC_MEM_MAX_LEN 0x7fffffffUL

// Writes at most count characters and an end; -1 where there were more.
static inline int vsnprintf_s(char* dest, size_t destMax, size_t count, const char* format,
                              va_list arguments) {
  const size_t room = count < destMax ? count + 1 : destMax;
  int length;
  if (dest == NULL || destMax == 0) return -1;
  length = vsnprintf(dest, room, format, arguments);
  return length >= 0 && (size_t)length < room ? length : -1;
}

static inline int snprintf_s(char* dest, size_t destMax, size_t count, const char* format, ...) {
  int length;
  va_list arguments;
  va_start(arguments, format);
  length = vsnprintf_s(dest, destMax, count, format, arguments);
  va_end(arguments);
  return length;
}

#define sprintf_s(dest, destMax, ...) snprintf_s(dest, destMax, (destMax) - 1, __VA_ARGS__)

#endif  // PYACLNN_REFERENCING_SECUREC_H_
