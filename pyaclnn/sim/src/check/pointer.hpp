// Whether an address may be used for what a call wants to do with it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "core/export.hpp"
#include "core/memory.hpp"

namespace pyaclnn::sim {

/// The live device block that holds [pointer, pointer + bytes); Failure(code), whose text calls the
/// argument `name`, for host memory, freed or never allocated memory, and a range that overruns.
SIM_API Allocation require_device_range(const void* pointer, std::size_t bytes, const char* name,
                                        int code);

/// The same for memory of either side: empty for pageable host memory, of which nothing is known.
SIM_API Allocation require_range(const void* pointer, std::size_t bytes, const char* name,
                                 int code);

}  // namespace pyaclnn::sim
