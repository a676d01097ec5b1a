// The driver's own interface.
// SPDX-License-Identifier: MIT
#include "core/refuse.hpp"

// DRV_ERROR_NOT_SUPPORT.
#define HAL_REFUSES(function) SIM_REFUSE(0xFFFE, function)

HAL_REFUSES(halGetAPIVersion)
HAL_REFUSES(halGetDeviceInfo)
