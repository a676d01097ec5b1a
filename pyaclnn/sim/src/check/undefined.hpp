// Calls whose result CANN leaves undefined. PYACLNN_SIM_CHECK=undefined or undefined:error.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "check/access.hpp"
#include "core/config.hpp"
#include "core/export.hpp"

namespace pyaclnn::sim::undefined {

inline bool enabled() { return __builtin_expect(config().undefined != UndefinedCheck::kOff, 0); }

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

/// Whether one of two accesses writes what the other reads or writes, but for an input in exactly
/// the output's place, which is how a call works in place.
SIM_API bool lie_across(const Access& a, const Access& b);

/// How an operator's output lies across another operand; empty where all lie apart, or in the same
/// place, as those of a call that works in place.
SIM_API std::string overlap_of(const AccessList& accesses);

}  // namespace pyaclnn::sim::undefined
