// Which devices of the machine programs see.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/export.hpp"

namespace pyaclnn::sim {

/// Number in the machine of each device that programs see: as ASCEND_RT_VISIBLE_DEVICES says now,
/// and what it said at keep_visible_devices() from then on.
SIM_API std::vector<int> visible_devices();

/// How many these are; programs number them from 0.
SIM_API int device_count();

/// Called by aclInit, and before a device is brought up.
SIM_API void keep_visible_devices();

}  // namespace pyaclnn::sim
