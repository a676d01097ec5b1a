// Gradients of activations that are more than a formula.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// grad_input = result < 0 ? grad * (result + 1.758...) : grad * 1.050...
void selu_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& result,
                   const TensorArgument& grad_input);

/// What the gradient of softplus is computed in.
aclDataType softplus_type(const Check& check, const TensorArgument& grad,
                          const TensorArgument& self);

/// |threshold| <= FLT_EPSILON, where CANN runs its ReLU gradient instead.
bool is_relu_threshold(const ScalarIn& threshold);
/// With whole = (a, b) along the axis and s = sigmoid(b): out = (grad s, grad a s (1 - s)).
void glu_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& whole,
                  std::size_t axis, const TensorArgument& out);

/// Refuses, where the work is divided, what is not half of x, or not as large.
void check_swi_glu_gradient(const Plan& plan, const TensorArgument& grad, const TensorArgument& x,
                            std::size_t axis, const TensorArgument& out);
/// With x = (a, b) and s = sigmoid(a): out = (grad b (s + a s (1 - s)), grad a s).
void swi_glu_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& x,
                      std::size_t axis, const TensorArgument& out);

/// With self = (b, a), or (a, b) where the left half is activated, and gelu = gelu(a): the gradient
/// by a is grad b gelu'(a), that by b is grad gelu.
void geglu_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& self,
                    const TensorArgument& gelu, std::size_t axis, bool tanh, bool left,
                    const TensorArgument& out);

/// Refuses a weight that is neither one number nor one for each channel, and a gradient unlike it.
void check_prelu_weight(const Check& check, const TensorArgument& self,
                        const TensorArgument& weight, const TensorArgument& grad_weight);
/// out = dy / (x (1 - x)) where eps <= x <= 1 - eps.
void logit_gradient(Plan& plan, const TensorArgument& x, const TensorArgument& dy, float eps,
                    const TensorArgument& out);

}  // namespace pyaclnn::sim
