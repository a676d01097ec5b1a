// Softmax of the last dimension, of what is scaled and masked or added to on the way.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// aclnnScaledMaskedSoftmax.
void check_scaled_masked(const Check& check, const Plan& plan, const TensorArgument& x,
                         const TensorArgument& mask, const TensorArgument& y);
/// -10000 where the mask is true, elsewhere x times a number.
void scaled_masked_softmax(Plan& plan, const TensorArgument& x, const TensorArgument& mask,
                           double scale, const TensorArgument& y);

/// aclnnMaskedSoftmaxWithRelPosBias: x times a number, plus a mask of each window, which need not
/// be given, plus a bias of each head. Everything that does not fit is 561002.
void softmax_with_bias(Plan& plan, const TensorArgument& x, const TensorArgument& mask,
                       const TensorArgument& bias, double scale, const TensorArgument& out);

}  // namespace pyaclnn::sim
