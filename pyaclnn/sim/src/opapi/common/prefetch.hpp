// Memory asked for before it is needed, where the processor does not see what comes next.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace pyaclnn::sim {

/// Asks for memory that is read soon; also written, with `kWritten`.
template <bool kWritten = false>
inline void prefetch(const void* from, std::int64_t bytes) {
  constexpr std::int64_t kLine = 64;
  const auto* place = static_cast<const std::byte*>(from);
  for (std::int64_t i = 0; i < bytes; i += kLine) __builtin_prefetch(place + i, kWritten);
}

}  // namespace pyaclnn::sim
