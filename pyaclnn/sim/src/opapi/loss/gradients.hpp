// Gradients of losses, without the checks that the table has. Those of the losses of classes are in
// nll_loss_kernel.cpp and ctc_loss_kernel.cpp.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// The gradient of a loss between two tensors by one of them.
struct LossGradient {
  const TensorArgument& grad;
  const TensorArgument& self;
  const TensorArgument& target;
  const TensorArgument& out;
  aclDataType type;  // computed in
  float scale;       // what every element is multiplied by: 1 / elements for the mean
};

/// out = 2 (self - target) grad. The caller stages operands and result, as for those up to
/// soft_margin_loss_gradient().
void mse_loss_gradient(Plan& plan, const LossGradient& call);

/// out = sign(self - target) grad. Where one of two equal values is NaN, so is no sign: the result
/// is 0.
void l1_loss_gradient(Plan& plan, const LossGradient& call);

/// out = -target / (1 + exp(target self)) grad.
void soft_margin_loss_gradient(Plan& plan, const LossGradient& call);

/// out = grad * (|d| < beta ? d / beta : sign(d)) with d = self - target. With beta 0 this is the
/// gradient of the L1 loss.
void smooth_l1_loss_gradient(Plan& plan, const LossGradient& call, float beta);

/// 1 / elements for mean, 1 / first extent for batchmean; any other number counts as none.
float kl_div_scale(std::int64_t reduction, const Dims& shape);

/// out = -target grad, with exp(target) for `in_logarithms`; summed over the dimensions of `shape`,
/// what everything broadcasts to, that out lacks.
void kl_div_gradient(Plan& plan, const LossGradient& call, const Dims& shape, bool in_logarithms);

/// out = (ln target + 1 - self) grad, for `in_logarithms` exp(target) (target + 1 - self) grad;
/// summed as above.
void kl_div_target_gradient(Plan& plan, const LossGradient& call, const Dims& shape,
                            bool in_logarithms);

/// Refuses those of the tensors, as far as they are given, that do not broadcast to the shape of
/// self. CANN does not look where self is empty.
void check_fit_self(const Check& check, const TensorArgument& self,
                    std::initializer_list<const TensorArgument*> tensors);

/// What the given ones of these are computed in; they are floating, so there is such a type.
aclDataType common_of_given(std::initializer_list<const TensorArgument*> tensors);

/// out = weight (self - target) / max(self (1 - self), 1e-12) grad. Weights may be left out.
void binary_cross_entropy_gradient(Plan& plan, const LossGradient& call,
                                   const TensorArgument& weight);

/// out = weight ((1 - target) s - pos_weight target (1 - s)) grad with s = sigmoid(self).
void binary_cross_entropy_with_logits_gradient(Plan& plan, const LossGradient& call,
                                               const TensorArgument& weight,
                                               const TensorArgument& pos_weight);

/// out = weight (pos_weight softplus(-self) - softplus(self)) grad, which without a pos_weight is
/// -weight self grad.
void binary_cross_entropy_with_logits_target_gradient(Plan& plan, const LossGradient& call,
                                                      const TensorArgument& weight,
                                                      const TensorArgument& pos_weight);

/// Fails 561003 on a chip without bfloat16.
void check_cross_entropy_kernel(const Plan& plan);

}  // namespace pyaclnn::sim
