// What kernels of mixtures of experts demand of shapes, where CANN divides their work: 561002.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/kernel_checks.hpp"

namespace pyaclnn::sim {

inline bool is_given(const TensorArgument* tensor) { return tensor != nullptr && tensor->given(); }

/// A tensor that is given has this shape.
inline void check_extents(const Plan& plan, const TensorArgument* tensor, const Dims& shape) {
  if (is_given(tensor))
    check_tiling(plan, tensor->shape() == shape, "%s has shape %s, it must have %s", tensor->name(),
                 tensor->shape().text().c_str(), shape.text().c_str());
}

/// A tensor has so many dimensions.
inline void check_rank(const Plan& plan, const TensorArgument& tensor, std::size_t rank) {
  check_tiling(plan, tensor.rank() == rank, "%s has %zu dimensions, it must have %zu",
               tensor.name(), tensor.rank(), rank);
}

}  // namespace pyaclnn::sim
