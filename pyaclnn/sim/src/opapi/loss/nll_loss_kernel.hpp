// Gradient of the negative log likelihood: one element of each row of classes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

struct NllLossGrad {
  const TensorArgument& grad;  // the shape of target, or one element
  const TensorArgument& target;
  const TensorArgument& weight;
  const TensorArgument& total_weight;
  const TensorArgument& out;
  std::int64_t reduction;
  std::int64_t ignore_index;
  aclDataType result;  // of CANN's kernel, before the cast to the type of out
};

/// Plans out = 0 but for out[n, target[n, ...], ...] = -weight[target] grad, divided by
/// total_weight for the mean. A target that is ignore_index, or no class at all, leaves its row 0.
/// The classes are the dimension `axis` of out.
void launch_nll_loss_grad(Plan& plan, const NllLossGrad& arguments, std::size_t axis);

}  // namespace pyaclnn::sim
