// Virtual memory: addresses reserved without memory, memory without addresses, and mapping one to
// the other.
//
// Memory is a file in memory, so that mapping it again, elsewhere or in another process, shows the
// same bytes. It counts against its device as a block of that size does.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/export.hpp"

namespace pyaclnn::sim {

class SharedPages;

/// Addresses and sizes are multiples of it; the huge pages of the driver.
constexpr std::size_t kGranularity = std::size_t(2) << 20;

/// Reserves addresses; Failure(207001) where there are not so many.
SIM_API void* reserve_addresses(std::size_t size);
/// Gives them back; Failure(107000) where memory is still mapped.
SIM_API void release_addresses(void* start);

/// Handle of new memory of a device; Failure(207001) where there is not so much.
SIM_API void* allocate_physical(int device, std::size_t size);
/// Ends a handle. Memory that is mapped stays until it is unmapped.
SIM_API void free_physical(const void* handle);

/// Maps the memory behind a handle, which is all of it.
SIM_API void map_physical(void* address, std::size_t size, const void* handle);
/// Unmaps what was mapped at `address`.
SIM_API void unmap_physical(void* address);

/// A number by which other processes of this machine find the memory. Without `open_to_all` only
/// those that allow_process() names.
SIM_API std::uint64_t export_physical(const void* handle, bool open_to_all);
SIM_API void allow_process(std::uint64_t shared, std::int32_t process);
/// Handle of memory that another process exported.
SIM_API void* import_physical(std::uint64_t shared, int device);

/// Maps pages of another process one after the other, and gives the address of the block of `size`
/// bytes that begins `skip` bytes into them. Failure(207001) where there are no addresses.
SIM_API void* map_imported(int device, std::vector<std::shared_ptr<SharedPages>> pages,
                           std::size_t skip, std::size_t size);
SIM_API void unmap_imported(void* address);

/// Gives memory of the host an address at which kernels of a device reach it; the same one where it
/// has one already. Failure(207001) where there are no addresses.
SIM_API void* map_host(int device, void* host, std::size_t size);
/// Takes it back; false where the memory has none.
SIM_API bool unmap_host(void* host);
/// The address for one within memory of map_host(); null for any other.
SIM_API void* mapped_host(const void* host);

}  // namespace pyaclnn::sim
