// Zeroing an output before a kernel writes some of its elements.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Plans out = 0, whatever its element type.
void launch_zero(Plan& plan, const TensorArgument& out);

}  // namespace pyaclnn::sim
