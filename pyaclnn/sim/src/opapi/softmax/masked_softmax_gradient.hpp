// The gradient of a softmax of the last dimension, of what was scaled and masked on the way.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// The mask broadcasts over the first two of four dimensions.
void check_mask_of_rows(const Check& check, const TensorArgument& mask, const Dims& shape);

}  // namespace pyaclnn::sim
