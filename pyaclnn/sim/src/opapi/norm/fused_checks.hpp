// What CANN refuses where it divides the work of the normalisations that it generates from their
// kernels.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "opapi/common/kernel_checks.hpp"

namespace pyaclnn::sim {

/// `tensor` has the shape of `reference`.
void same_shape(const Plan& plan, const TensorArgument& reference, const TensorArgument& tensor);

void rank_in(const Plan& plan, const TensorArgument& tensor, std::size_t low, std::size_t high);

void not_empty(const Plan& plan, const TensorArgument& tensor);

/// The last extents of `x` are those of gamma.
void ends_with(const Plan& plan, const TensorArgument& x, const TensorArgument& gamma);

/// A statistic of each row: the first extents of `x`, then ones up to its rank.
void is_row_statistic(const Plan& plan, const TensorArgument& x, const TensorArgument& statistic,
                      std::size_t axis);

/// The statistic of an RMS norm: the first extents of `x`, then whatever there is.
void is_rms_statistic(const Plan& plan, const TensorArgument& x, const TensorArgument& rstd,
                      std::size_t axis);

/// Whether all outputs are without elements: then CANN divides no work, whatever the shapes.
template <class... Tensors>
bool gives_nothing(const Tensors&... outputs) {
  return ((!outputs.given() || outputs.is_empty()) && ...);
}

template <class... Tensors>
void stage_contiguous(Plan& plan, const Tensors&... tensors) {
  const auto stage = [&](const TensorArgument& tensor) {
    if (tensor.given()) plan.stage(tensor).contiguous();
  };
  (stage(tensors), ...);
}

template <class... Tensors>
void stage_results(Plan& plan, const Tensors&... tensors) {
  (plan.result(tensors.dtype(), tensors.shape()).copy_to(tensors), ...);
}

}  // namespace pyaclnn::sim
