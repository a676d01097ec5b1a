// Gradient of softmax along one dimension of strided tensors.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Plans out = y * (grad - sum(grad * y)) along `axis`, which is 0 for scalars.
void launch_softmax_grad(Plan& plan, const TensorArgument& grad, const TensorArgument& y,
                         std::size_t axis, const TensorArgument& out);

}  // namespace pyaclnn::sim
