// Gradient of the negative log likelihood: one element of each row of classes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "opapi/common/check.hpp"
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

/// float16 is computed and returned as float32, except on the 950.
aclDataType nll_loss_result(aclDataType dtype);

/// Refuses shapes that do not fit: self [N, C] or [C], target [N] or [].
void check_nll_loss_gradient(const Check& check, const NllLossGrad& arguments,
                             const TensorArgument& self);

/// The same of images: self [N, C, H, W], target [N, H, W].
void check_nll_loss2d_gradient(const Check& check, const NllLossGrad& arguments,
                               const TensorArgument& self);

/// Plans out[n, c, ...] = c == target[n, ...] ? -weight[c] grad[n, ...] : 0, divided by
/// total_weight for the mean; a reduced loss has one gradient for all n. A target of ignore_index
/// gives a row of zeros, and so does here one that is no class, which CANN does not define. The
/// classes are the dimension `axis` of out.
void nll_loss_gradient(Plan& plan, const NllLossGrad& arguments, const TensorArgument& self,
                       std::size_t axis);

}  // namespace pyaclnn::sim
