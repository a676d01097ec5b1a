// Sums, maxima and minima of the tensors of a list, element by element.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// The shape that the tensors of a list broadcast to; refuses where there is none, or no tensor.
Dims broadcast_list(const Check& check, const TensorListIn& tensors);

/// Whether CANN leaves out its checks, and the sum, of empty tensors in an output of another type.
bool is_unchecked_sum_of_nothing(const TensorListIn& tensors, const TensorArgument& out);

/// Refuses a list that is no sum's, and an output that is not like its tensors.
void check_addends(const Check& check, Plan& plan, const TensorListIn& tensors,
                   const TensorArgument& out);

/// Plans out = the sum of all tensors, which is rounded once, their maximum or minimum. They
/// broadcast to the shape of out. NaN beats every number.
enum class ListReduction { kSum, kMaximum, kMinimum };
void reduce_list(Plan& plan, ListReduction reduction, const TensorListIn& tensors,
                 const TensorArgument& out);

}  // namespace pyaclnn::sim
