// SPDX-License-Identifier: MIT
#include "core/status.hpp"

#include <cstdarg>
#include <cstdio>

namespace pyaclnn::sim {

Failure::~Failure() = default;

void fail(int code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char text[1024];
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  throw Failure(code, text);
}

}  // namespace pyaclnn::sim
