// SPDX-License-Identifier: MIT
#include "core/refuse.hpp"

#include "core/status.hpp"

namespace pyaclnn::sim {

int refuse(const char* function, int code, const char* advice) noexcept {
  return entry(function, [&]() -> int {
    fail(code, "%s is not simulated%s%s", function, advice == nullptr ? "" : "; ",
         advice == nullptr ? "" : advice);
  });
}

}  // namespace pyaclnn::sim
