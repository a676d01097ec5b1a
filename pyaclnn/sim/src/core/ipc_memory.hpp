// Blocks of device memory that other processes map, by a key that is text.
//
// A block becomes shared when it is exported: its pages move to files in memory, under the
// addresses it has. Importing maps the same files at addresses of the importer's own. Files in
// memory have no names, so that nothing is left behind, however a process ends.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/export.hpp"

namespace pyaclnn::sim {

/// What a key takes, with the zero at its end.
constexpr std::size_t kIpcKeySize = 65;

/// Writes a key for the first `size` bytes of a block. Failure(107000) for anything but the start
/// of a block of aclrtMalloc. Waits for the tasks that run, as they may write to the block.
SIM_API void export_memory(void* pointer, std::size_t size, char* key, bool open_to_all);

/// Names the processes that may import. Failure(107000) for a key of another process, and
/// Failure(207006) where all may.
SIM_API void allow_importers(const char* key, const std::int32_t* processes, std::size_t count);

/// The address, in this process, of what a key stands for; the same each time.
SIM_API void* import_memory(const char* key, int device);

/// Ends what import_memory() began, or the key in the process that exported it.
SIM_API void close_memory(const char* key);

/// Ends all keys of a block that is about to be freed.
SIM_API void end_exports(const void* pointer) noexcept;

}  // namespace pyaclnn::sim
