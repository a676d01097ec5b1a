// What operators on lists find in all elements of a tensor.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/foreach/foreach.hpp"

namespace pyaclnn::sim {

/// Plans the norm of each tensor. Whatever `order` says it is the sum of absolute values where its
/// integer part is 1, the maximum for infinity on the 950, and else the root of the squares' sum.
void foreach_norm(Plan& plan, const TensorListIn& list, const ScalarIn& order,
                  const TensorListIn& out);

/// Plans found = 1 where any element is infinite or NaN; else it keeps its value.
void find_non_finite(Plan& plan, const TensorListIn& list, const TensorArgument& found);

}  // namespace pyaclnn::sim
