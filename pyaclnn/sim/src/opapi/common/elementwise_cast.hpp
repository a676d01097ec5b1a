// Element-wise kernels whose result has one element type and whose output another: the result is
// rounded to its own type first.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>

#include "opapi/common/elementwise.hpp"

namespace pyaclnn::sim {

/// Writes floats to elements of type `to` by way of type `via`. Null where `to` has no storer.
StoreFn storer_via(aclDataType via, aclDataType to);

/// elementwise<float>() of a kernel that gives `via`, and a cast to the type of `out`.
template <class Function, class... Inputs>
void elementwise_cast(Plan& plan, const TensorArgument& out, aclDataType via, Function function,
                      const Inputs&... inputs) {
  ElementwiseKernel kernel = detail::kernel_for(
      plan, out, out.shape(), storer_via(via, out.dtype()), detail::kComputes<float>,
      detail::block_fn<float, Function>(std::make_index_sequence<sizeof...(Inputs)>()),
      {&inputs...});
  // A float output may be written in place, unless its values are rounded on the way.
  if (kernel.store != storer_via(ACL_FLOAT, out.dtype())) kernel.compute_dtype = ACL_DT_UNDEFINED;
  kernel.function = detail::keep_function(function);
  launch_elementwise(plan, std::move(kernel));
}

}  // namespace pyaclnn::sim
