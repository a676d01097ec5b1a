// Blocks of tensors that are overwritten: slices with steps, and one of each tensor of a list.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// aclnnStridedSliceAssignV2: numbers below 0 count from the end, others are clamped; `axes` says
/// what dimensions they belong to, all where it is not given. What does not fit is 561002.
void assign_slice(Plan& plan, const TensorArgument& var, const TensorArgument& value,
                  const IntArrayIn& begin, const IntArrayIn& end, const IntArrayIn& strides,
                  const IntArrayIn& axes);

/// aclnnScatterList: in each tensor a block along `axis` of updates, from a number on, and as long
/// as a second one says; of those whose mask is not 1 nothing. What does not fit is 561002.
void scatter_list(Plan& plan, const TensorListIn& vars, const TensorArgument& indices,
                  const TensorArgument& updates, const TensorArgument& mask, std::int64_t axis);

}  // namespace pyaclnn::sim
