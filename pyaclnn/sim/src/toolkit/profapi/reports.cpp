// What programs report to a profiler. No profiler is ever attached here, and without one CANN takes
// the reports and drops them.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/export.hpp"

namespace {
constexpr int32_t kSuccess = 0;
constexpr int32_t kFailed = -1;

int32_t take(const void* report) { return report == nullptr ? kFailed : kSuccess; }
}  // namespace

extern "C" {

/// A profiler that starts later would call `handle`; none does.
SIM_API int32_t MsprofRegisterCallback(uint32_t, int32_t (*handle)(uint32_t, void*, uint32_t)) {
  return handle == nullptr ? kFailed : kSuccess;
}

SIM_API int32_t MsprofReportApi(uint32_t, const void* api) { return take(api); }
SIM_API int32_t MsprofReportCompactInfo(uint32_t, const void* data, uint32_t) { return take(data); }
SIM_API int32_t MsprofReportAdditionalInfo(uint32_t, const void* data, uint32_t) {
  return take(data);
}

/// Numbers for texts are the profiler's to give.
SIM_API uint64_t MsprofGetHashId(const char* text, size_t length) {
  return text == nullptr || length == 0 ? std::numeric_limits<uint64_t>::max() : 0;
}

SIM_API uint64_t MsprofSysCycleTime() {
  return uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
}

}  // extern "C"
