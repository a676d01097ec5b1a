// The bounds-checked copies that samples use on the host, complete in this header: CANN has them in
// a library of its own. Each returns EOK, or another number where it refuses, and then clears the
// destination as far as that is known to be there.
#ifndef PYACLNN_SECUREC_H_
#define PYACLNN_SECUREC_H_

#include <errno.h>
#include <stddef.h>
#include <string.h>

#ifndef EOK
#define EOK 0
#endif

typedef int errno_t;

static inline errno_t memset_s(void* dest, size_t destMax, int c, size_t count) {
  if (dest == NULL) return EINVAL;
  if (count > destMax) {
    memset(dest, c, destMax);
    return ERANGE;
  }
  memset(dest, c, count);
  return EOK;
}

static inline errno_t memmove_s(void* dest, size_t destMax, const void* src, size_t count) {
  if (dest == NULL) return EINVAL;
  if (src == NULL || count > destMax) {
    memset(dest, 0, destMax);
    return src == NULL ? EINVAL : ERANGE;
  }
  memmove(dest, src, count);
  return EOK;
}

// Ranges that overlap are refused.
static inline errno_t memcpy_s(void* dest, size_t destMax, const void* src, size_t count) {
  const char* to = (const char*)dest;
  const char* from = (const char*)src;
  if (to != NULL && from != NULL && count <= destMax && to != from && to < from + count &&
      from < to + count) {
    memset(dest, 0, destMax);
    return EINVAL;
  }
  return memmove_s(dest, destMax, src, count);
}

// Copies at most count characters of src, and ends the string.
static inline errno_t strncpy_s(char* dest, size_t destMax, const char* src, size_t count) {
  size_t length = 0;
  if (dest == NULL || destMax == 0) return EINVAL;
  if (src == NULL) {
    dest[0] = '\0';
    return EINVAL;
  }
  while (length < count && src[length] != '\0') ++length;
  if (length >= destMax) {
    dest[0] = '\0';
    return ERANGE;
  }
  memmove(dest, src, length);
  dest[length] = '\0';
  return EOK;
}

static inline errno_t strcpy_s(char* dest, size_t destMax, const char* src) {
  return strncpy_s(dest, destMax, src, (size_t)-1);
}

static inline errno_t strcat_s(char* dest, size_t destMax, const char* src) {
  size_t length = 0;
  errno_t status;
  if (dest == NULL || destMax == 0) return EINVAL;
  while (length < destMax && dest[length] != '\0') ++length;
  status = length == destMax ? EINVAL : strcpy_s(dest + length, destMax - length, src);
  if (status != EOK) dest[0] = '\0';
  return status;
}

#endif  // PYACLNN_SECUREC_H_
