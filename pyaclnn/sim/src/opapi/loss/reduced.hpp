// Losses: an element-wise formula, of which the mean or the sum may be what is asked for.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/loss/loss.hpp"
#include "opapi/pointwise/pointwise.hpp"

namespace pyaclnn::sim {

/// What every term is multiplied by: `parts` is what the mean is divided by.
Number loss_factor(std::int64_t reduction, std::int64_t parts);

/// What batchmean is divided by.
inline std::int64_t batch_of(const TensorArgument& tensor) {
  return tensor.rank() == 0 ? 1 : tensor.shape()[0];
}

inline Dims without_first(const Dims& shape) {
  Dims rest;
  for (std::size_t i = 1; i < shape.size(); ++i) rest.push_back(shape[i]);
  return rest;
}

/// Whether there are no terms; then the mean is NaN and the sum 0, which is planned.
bool loss_of_nothing(Plan& plan, bool empty, std::int64_t reduction, const TensorArgument& out);

/// The same, of which an output is filled whatever its shape.
bool filled_loss_of_nothing(Plan& plan, const TensorArgument& self, std::int64_t reduction,
                            const TensorArgument& out);

/// The same of the divergence before the shape of `out` is looked at, which is filled whatever it
/// is. The batch's mean of no batch is NaN, as that of no terms.
bool kl_div_of_nothing(Plan& plan, const TensorArgument& self, const TensorArgument& target,
                       std::int64_t reduction, const TensorArgument& out);

/// The reduction of the divergence that says what the loss of nothing is.
std::int64_t kl_div_reduction(const TensorArgument& self, std::int64_t reduction);

/// What the mean of the divergence is divided by.
std::int64_t kl_div_parts(const TensorArgument& self, std::int64_t reduction, const Dims& shape);

/// An operand, or another in place of one that is not given.
inline const TensorArgument* given_or(const TensorArgument& tensor, const TensorArgument& other) {
  return tensor.given() ? &tensor : &other;
}

/// Plans out = formula(inputs..., scalars...), computed in `compute`: of `shape`, or unless the
/// reduction is none the sum over the dimensions that `out` lacks.
void loss(Plan& plan, const PointwiseFormula& formula, aclDataType compute, std::int64_t reduction,
          const TensorArgument& out, const Dims& shape,
          std::initializer_list<const TensorArgument*> inputs,
          std::initializer_list<Number> scalars);

}  // namespace pyaclnn::sim
