// Outputs of one element, whose number of dimensions CANN does not mind.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Whether two shapes are the same, or both of one element.
inline bool same_or_one(const Dims& a, const Dims& b) {
  return a == b || (a.product() == 1 && b.product() == 1);
}

/// Refuses an output of another shape than the result, unless both have one element.
inline void check_same_or_one(const Check& check, const TensorArgument& out, const Dims& shape) {
  if (!same_or_one(out.shape(), shape)) check.shape_is(out, shape, "the result");
}

/// The shape in which a result is copied to `out`.
inline Dims copied_shape(const Dims& shape, const TensorArgument& out) {
  return same_or_one(out.shape(), shape) ? out.shape() : shape;
}

/// The one element of `view` in the shape of the result; `view` itself where it has as many
/// dimensions.
inline View shaped(const View& view, const Dims& shape) {
  if (view.shape.size() == shape.size()) return view;
  View result = view;
  result.shape = shape;
  result.strides = Dims();
  for (std::size_t i = 0; i < shape.size(); ++i) result.strides.push_back(1);
  return result;
}

}  // namespace pyaclnn::sim
