// Shapes that the tiling of an operator demands.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/kernel_checks.hpp"

namespace pyaclnn::sim {

/// 561002 for a tensor of another shape; one that is not given has any.
inline void check_shape(const Plan& plan, const TensorArgument& tensor, const Dims& expected) {
  if (!tensor.given()) return;
  check_tiling(plan, tensor.shape() == expected, "%s has shape %s, it must be %s", tensor.name(),
               tensor.shape().text().c_str(), expected.text().c_str());
}

inline void check_rank(const Plan& plan, const TensorArgument& tensor, std::size_t rank) {
  if (!tensor.given()) return;
  check_tiling(plan, tensor.rank() == rank, "%s has shape %s, it must have %zu dimensions",
               tensor.name(), tensor.shape().text().c_str(), rank);
}

/// 561002 for a tensor of another type.
inline void check_type(const Plan& plan, const TensorArgument& tensor, const DtypeSet& accepted) {
  if (!tensor.given()) return;
  check_tiling(plan, accepted.contains(tensor.dtype()), "%s has a type that is none of %s",
               tensor.name(), accepted.text().c_str());
}

}  // namespace pyaclnn::sim
