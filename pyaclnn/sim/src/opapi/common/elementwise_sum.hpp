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
  ElementwiseKernel kernel = detail::kernel_for(
      plan, out, shape, storer<float>(out.dtype(), Rounding::kTruncate), detail::kComputes<float>,
      detail::block_fn<float, Function>(std::make_index_sequence<sizeof...(Inputs)>()),
      {&inputs...});
  kernel.function = detail::keep_function(function);
  launch_elementwise_sum(plan, std::move(kernel), shape);
}

}  // namespace pyaclnn::sim
