// Element-wise kernels over parts of operands.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "opapi/common/elementwise.hpp"

namespace pyaclnn::sim {

/// The lower or upper half of a view along `axis`, whose extent must be even.
inline View half_view(const View& view, std::size_t axis, bool upper) {
  View half = view;
  const std::int64_t extent = view.shape[axis] / 2;
  half.shape.set(axis, extent);
  if (upper) half.offset += extent * view.strides[axis];
  return half;
}

/// elementwise() on views that Plan::reads and Plan::writes gave, or on parts of such.
template <class Compute, class Function, class... Views>
void elementwise_views(Plan& plan, const View& out, Function function, const Views&... inputs) {
  ElementwiseKernel kernel;
  kernel.views.push_back(out);
  kernel.store = storer<Compute>(out.dtype, Rounding::kNearestEven);
  (kernel.views.push_back(broadcast_view(inputs, out.shape)), ...);
  (kernel.loads.push_back(loader<Compute>(inputs.dtype)), ...);
  kernel.compute_size = sizeof(Compute);
  kernel.compute_dtype = dtype_of<Compute>();
  kernel.block = detail::block_fn<Compute, Function>(std::make_index_sequence<sizeof...(Views)>());
  kernel.function = std::make_shared<const Function>(std::move(function));
  launch_elementwise(plan, std::move(kernel));
}

}  // namespace pyaclnn::sim
