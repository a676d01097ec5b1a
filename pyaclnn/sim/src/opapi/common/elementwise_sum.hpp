// Element-wise kernels summed over the dimensions that their output lacks: the gradient of a
// broadcast operand.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>

#include "opapi/common/elementwise.hpp"

namespace pyaclnn::sim {

/// Adds the kernel to the plan. The shape of every view but the first is `shape`; the first, the
/// output, broadcasts to it. Terms are computed in float and added in double.
void launch_elementwise_sum(Plan& plan, ElementwiseKernel kernel, const Dims& shape);

/// Plans out = sum of function(inputs...), all broadcast to `shape`, over the dimensions that
/// `out` does not have or has with extent 1.
template <class Function, class... Inputs>
void elementwise_sum(Plan& plan, const TensorArgument& out, const Dims& shape, Function function,
                     const Inputs&... inputs) {
  ElementwiseKernel kernel;
  kernel.views.push_back(plan.writes(out));
  kernel.store = storer<float>(out.dtype(), Rounding::kTruncate);
  (kernel.views.push_back(broadcast_view(plan.reads(inputs), shape)), ...);
  (kernel.loads.push_back(loader<float>(inputs.dtype())), ...);
  kernel.compute_size = sizeof(float);
  kernel.compute_dtype = ACL_FLOAT;
  kernel.block = detail::block_fn<float, Function>(std::make_index_sequence<sizeof...(Inputs)>());
  kernel.function = std::make_shared<const Function>(std::move(function));
  launch_elementwise_sum(plan, std::move(kernel), shape);
}

}  // namespace pyaclnn::sim
