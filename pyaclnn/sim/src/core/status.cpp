// SPDX-License-Identifier: MIT
#include "core/status.hpp"

#include <cstdarg>
#include <cstdio>

#include "core/config.hpp"

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

void require_cann_9_0(const char* function) {
  if (config().cann == CannVersion::k8_1)
    fail(kRtNotSupported, "%s came with CANN 9.0; this is CANN 8.1 (PYACLNN_SIM_CANN)", function);
}

}  // namespace pyaclnn::sim
