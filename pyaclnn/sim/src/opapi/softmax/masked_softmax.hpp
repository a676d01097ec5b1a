// Softmax of the last dimension, of what is scaled and masked or added to on the way.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// aclnnScaledMaskedSoftmax.
void check_scaled_masked(const Check& check, const Plan& plan, const TensorArgument& x,
                         const TensorArgument& mask, const TensorArgument& y);
}  // namespace pyaclnn::sim
