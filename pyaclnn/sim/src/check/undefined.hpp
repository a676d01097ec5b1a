// Calls whose result CANN leaves undefined. PYACLNN_SIM_CHECK=undefined or undefined:error.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "check/access.hpp"
#include "core/export.hpp"

namespace pyaclnn::sim::undefined {

enum class Mode : int {
  kAsConfigured = -1,  // the configuration was not looked at yet
  kOff,
  kWarn,   // it is told on stderr, once for each text
  kError,  // the task fails with 507015
};

namespace detail {
SIM_API extern std::atomic<int> mode;
SIM_API bool is_configured();
}  // namespace detail

inline bool enabled() {
  const int mode = detail::mode.load(std::memory_order_relaxed);
  return __builtin_expect(mode != int(Mode::kOff), 0) &&
         (mode != int(Mode::kAsConfigured) || detail::is_configured());
}

/// What the configuration says; called as that is read.
void configure(Mode mode);

/// Tells of a call, or Failure(507015).
SIM_API void tell(const std::string& text);

/// The same of an operator that writes values that differ to one index.
SIM_API void tell_of_repeat(const char* api, std::int64_t index);

/// Fills a new block with what no program writes.
SIM_API void mark_unwritten(void* memory, std::size_t bytes);

/// Whether a block's mark is all that there is in elements of `element` bytes, of which `lowest` is
/// the first in memory; strides are in elements, none for what is contiguous. Of less than four
/// bytes, which may be alike by chance, the answer is no.
SIM_API bool is_unwritten(const std::byte* lowest, const std::vector<std::int64_t>& shape,
                          const std::vector<std::int64_t>& strides, std::size_t element);

/// How an operator's output lies across another operand; empty where all lie apart, or in the same
/// place, as those of a call that works in place.
SIM_API std::string overlap_of(const AccessList& accesses);

}  // namespace pyaclnn::sim::undefined
