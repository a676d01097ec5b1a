// The library's life in this process: fork and exit.
// SPDX-License-Identifier: MIT
#pragma once

#include "core/export.hpp"

namespace pyaclnn::sim {

/// True in a child of fork(): threads and device connections stayed with the parent.
SIM_API bool is_forked_child() noexcept;

}  // namespace pyaclnn::sim
