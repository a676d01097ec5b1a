// Softmax and its logarithm along one axis.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// out = softmax(in) along `axis`, or its logarithm: computed in float32 (double for double) and
/// rounded to `gives`, then cast to the output's type.
void softmax(Plan& plan, const TensorArgument& in, const TensorArgument& out, std::size_t axis,
             aclDataType gives, bool logarithm);

}  // namespace pyaclnn::sim
