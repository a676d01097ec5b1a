// What programs write to CANN's log. It goes to stdout where ASCEND_SLOG_PRINT_TO_STDOUT is 1, and
// nowhere else.
// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "acl/acl_base.h"

namespace {

constexpr int kLevels = 4;

bool is_printed() {
  const char* wish = std::getenv("ASCEND_SLOG_PRINT_TO_STDOUT");
  return wish != nullptr && std::strcmp(wish, "1") == 0;
}

/// Errors alone unless ASCEND_GLOBAL_LOG_LEVEL says more; 4 is silence.
int lowest_level() {
  const char* wish = std::getenv("ASCEND_GLOBAL_LOG_LEVEL");
  return wish != nullptr && wish[0] >= '0' && wish[0] <= '4' && wish[1] == '\0' ? wish[0] - '0'
                                                                                : ACL_ERROR;
}

}  // namespace

void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line,
               const char* fmt, ...) {
  static const bool printed = is_printed();
  static const int lowest = lowest_level();
  int level = int(logLevel);
  if (!printed || level < lowest || level >= kLevels || func == nullptr || file == nullptr ||
      fmt == nullptr)
    return;
  static constexpr const char* kNames[kLevels] = {"DEBUG", "INFO", "WARNING", "ERROR"};
  char text[1024];
  va_list arguments;
  va_start(arguments, fmt);
  std::vsnprintf(text, sizeof text, fmt, arguments);
  va_end(arguments);
  std::printf("[%s] APP(%d):[%s:%u]%s: %s\n", kNames[level], int(getpid()), file, line, func, text);
}
