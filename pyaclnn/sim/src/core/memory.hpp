// Device and pinned host memory.
//
// The addresses handed out are a reservation that the process may not touch; the memory itself,
// where kernels and copies work, is mapped elsewhere. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/export.hpp"

namespace pyaclnn::sim {

/// One live allocation, as a lookup gives it.
struct Allocation {
  int device = -1;       // -1: pinned host memory
  std::uint64_t id = 0;  // never reused: tells a block from a later one at the same address
  std::uintptr_t base = 0;
  std::size_t size = 0;       // bytes the caller asked for
  std::size_t real_size = 0;  // bytes CANN would have set aside (rounded, padded)
  explicit operator bool() const { return id != 0; }
};

enum class PointerKind { kDevice, kPinnedHost, kPageableHost };

/// Which memory an address belongs to (inside a device's reservation counts as device, freed or
/// not).
SIM_API PointerKind classify_pointer(const void* pointer);

/// The live allocation that contains an address, or an empty record.
SIM_API Allocation find_allocation(const void* pointer);

/// True while the allocation `id` that contained `pointer` has not been freed.
SIM_API bool allocation_is_live(const void* pointer, std::uint64_t id);

/// Maps the memory of every device, once; Failure(507033) when the process has no room for it.
SIM_API void map_devices();

/// A new block of device memory, from 512 bytes up aligned to 512; Failure(207001) when none is
/// free. `real_size` is what the caller may touch: the size with CANN's rounding and padding.
SIM_API void* allocate_device(int device, std::size_t size, std::size_t real_size);

/// Gives a block back; Failure(107000) when `pointer` is not the start of a live one.
SIM_API void free_device(void* pointer);

SIM_API void* allocate_host(std::size_t size);
SIM_API void free_host(void* pointer);

struct MemoryFigures {
  std::size_t free = 0;
  std::size_t total = 0;
};
SIM_API MemoryFigures memory_figures(int device);

/// Live blocks and the bytes asked for in them.
struct MemoryCensus {
  std::uint64_t device_blocks = 0, device_bytes = 0, host_blocks = 0, host_bytes = 0;
};
SIM_API MemoryCensus memory_census();

/// Device whose reservation contains an address, or -1.
SIM_API int device_of(const void* pointer);

/// The address at which kernels may touch device memory. `pointer` must be a device address.
SIM_API void* kernel_address(const void* pointer);

}  // namespace pyaclnn::sim
