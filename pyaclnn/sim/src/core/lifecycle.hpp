// aclInit and aclFinalize.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/export.hpp"

namespace pyaclnn::sim {

/// Counts an initialisation; Failure(100002) when it is not the first, which counts all the same.
SIM_API void initialize(const char* config_path);

/// Ends the library, however often it was initialised; Failure(100037) when it is not.
SIM_API void finalize();

/// Takes one initialisation back and ends the library with the last; gives how many remain.
SIM_API std::uint64_t release_reference();

}  // namespace pyaclnn::sim
