// Device and pinned host memory.
//
// The addresses handed out are a reservation that the process may not touch; the memory itself,
// where kernels and copies work, is mapped elsewhere.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/export.hpp"

namespace pyaclnn::sim {

/// One live allocation, as a lookup gives it.
struct Allocation {
  int device = -1;       // -1: pinned host memory
  std::uint64_t id = 0;  // never reused: tells a block from a later one at the same address
  std::uintptr_t base = 0;
  std::size_t size = 0;       // bytes the caller asked for
  std::size_t real_size = 0;  // bytes CANN would have set aside (rounded, padded)
  bool registered = false;    // host memory that the program brought
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

/// Makes padding live that a program uses, which it may: only kernels are kept from it.
SIM_API void use_padding(const Allocation& block, const void* pointer, std::size_t size) noexcept;

/// Gives a block back; Failure(107000) when `pointer` is not the start of a live one.
SIM_API void free_device(void* pointer, const char* function);

SIM_API void* allocate_host(std::size_t size);
SIM_API void free_host(void* pointer, const char* function);

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

/// Addresses that have memory only where it is mapped, and belong to the device that it is of; see
/// core/virtual_memory.hpp, which keeps them.
struct VirtualArea {
  std::uintptr_t user = 0;
  std::uintptr_t kernel = 0;
  std::size_t size = 0;
  int (*device_of)(std::uintptr_t address) = nullptr;
  /// The memory of the host that an address stands for; null for memory of a device.
  void* (*host_behind)(std::uintptr_t address) = nullptr;
};

/// Makes the area known, once. It stays.
SIM_API void publish_virtual_area(const VirtualArea* area);

/// Sets a stretch of the memory of a device aside; it has no address. Failure(207001).
SIM_API std::size_t take_device_memory(int device, std::size_t size);
SIM_API void give_device_memory_back(int device, std::size_t offset, std::size_t size);

/// Makes `blocks` the live blocks of a device between two addresses of the virtual area.
SIM_API void replace_virtual_blocks(int device, std::uintptr_t begin, std::uintptr_t end,
                                    const std::vector<Allocation>& blocks);

/// A number for Allocation::id.
SIM_API std::uint64_t next_allocation_id();

/// Page-locked memory of the program's own; Failure(107000) where a part of it is known already.
SIM_API void register_host(void* pointer, std::size_t size);
/// Failure(code) unless register_host() was called with it.
SIM_API void unregister_host(void* pointer, int code);

/// Whether an address is of the virtual area: mapped or imported, not of aclrtMalloc.
SIM_API bool is_virtual_address(const void* pointer);

/// Puts new pages of this process alone, zero, where kernels find device memory; false without
/// room.
SIM_API bool map_private_pages(void* kernel_address, std::size_t size) noexcept;

/// Whether an address of the virtual area stands for memory of the host: for kernels, not copies.
SIM_API bool is_mapped_host(const void* pointer);

/// The address at which kernels may touch device memory. `pointer` must be a device address.
SIM_API void* kernel_address(const void* pointer);

}  // namespace pyaclnn::sim
