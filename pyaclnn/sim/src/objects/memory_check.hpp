// Judges an address a kernel is about to use.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/memory.hpp"

namespace pyaclnn::sim {

/// Bytes [first, first + bytes) relative to an address a caller gave.
struct Stretch {
  void* base = nullptr;
  std::int64_t first = 0;
  std::int64_t bytes = 0;
  std::int64_t alignment = 1;  // of `base`; a power of 2

  const void* begin() const {
    return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(base) +
                                         static_cast<std::uintptr_t>(first));
  }
  Allocation allocation() const {
    return base == nullptr ? Allocation{} : find_allocation(begin());
  }

  /// What is wrong with using the stretch on a device; empty when nothing is. `allocation` is the
  /// answer of allocation().
  std::string problem(const Allocation& allocation, int device) const;

  /// The kernels' address of `base`; only for a stretch without a problem.
  std::byte* kernel_base() const;
};

struct Workspace {
  Stretch stretch;
  Allocation allocation;
};

}  // namespace pyaclnn::sim
