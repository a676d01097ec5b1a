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
  ElementwiseKernel kernel;
  kernel.views.push_back(plan.writes(out));
  kernel.store = storer_via(via, out.dtype());
  (kernel.views.push_back(broadcast_view(plan.reads(inputs), out.shape())), ...);
  (kernel.loads.push_back(loader<float>(inputs.dtype())), ...);
  kernel.compute_size = sizeof(float);
  // A float output may be written in place, unless its values are rounded on the way.
  kernel.compute_dtype =
      kernel.store == storer_via(ACL_FLOAT, out.dtype()) ? ACL_FLOAT : ACL_DT_UNDEFINED;
  kernel.block = detail::block_fn<float, Function>(std::make_index_sequence<sizeof...(Inputs)>());
  kernel.function = std::make_shared<const Function>(std::move(function));
  launch_elementwise(plan, std::move(kernel));
}

}  // namespace pyaclnn::sim
