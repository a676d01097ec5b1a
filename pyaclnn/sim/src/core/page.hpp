// The unit in which memory is mapped.
// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <cstddef>

namespace pyaclnn::sim {

/// The least that any kernel has.
constexpr std::size_t kSmallestPage = 4096;

/// Bytes of a page here: kernels for AArch64 have 4, 16 or 64 KiB.
inline std::size_t page_size() {
  static const auto size = std::size_t(sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace pyaclnn::sim
