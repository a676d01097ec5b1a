// Memory asked for before it is needed, where the processor does not see what comes next.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "opapi/common/cpu.hpp"

namespace pyaclnn::sim {

/// Asks for memory that is read soon; also written, with `kWritten`. In line, for GCC leaves out
/// calls of functions that do nothing else.
template <bool kWritten = false>
SIM_ALWAYS_INLINE void prefetch(const void* from, std::int64_t bytes) {
  constexpr std::int64_t kLine = 64;
  const auto* place = static_cast<const std::byte*>(from);
  for (std::int64_t i = 0; i < bytes; i += kLine) __builtin_prefetch(place + i, kWritten);
}

}  // namespace pyaclnn::sim
