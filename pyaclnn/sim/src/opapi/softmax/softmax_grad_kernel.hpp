// Gradients of softmax and log-softmax along one dimension of strided tensors.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

enum class SoftmaxKind { kPlain, kLog };

/// Plans, along `axis`, which is 0 for scalars, and with y the forward function's result:
///   softmax:      out = y * (grad - sum(grad * y))
///   log-softmax:  out = grad - exp(y) * sum(grad)
/// computed in float32 or better and rounded to the operands' type, then cast to the output's.
void launch_softmax_grad(Plan& plan, SoftmaxKind kind, const TensorArgument& grad,
                         const TensorArgument& y, std::size_t axis, const TensorArgument& out);

}  // namespace pyaclnn::sim
