// What is asked of whole tensors, element by element: whether two are equal, sums without NaN.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/reduction_walk.hpp"
#include "opapi/pointwise/pointwise.hpp"

namespace pyaclnn::sim {

/// Plans out = whether self and other have one shape and the same elements, compared in `compute`.
void tensors_equal(Plan& plan, aclDataType compute, const TensorArgument& self,
                   const TensorArgument& other, const TensorArgument& out);

/// Plans out = 0 where both have the same elements, else the code of a failed comparison.
void compare_precision(Plan& plan, const TensorArgument& golden, const TensorArgument& real,
                       const TensorArgument& out);

/// Plans out = the sum over these axes of what is not NaN, added as elements of `dtype`.
void nan_sum(Plan& plan, const TensorArgument& self, AxisMask axes, bool keep, aclDataType dtype,
             const TensorArgument& out);

/// Plans that every element of out becomes a number.
void fill_number(Plan& plan, const TensorArgument& out, std::int64_t number);
void fill_real(Plan& plan, const TensorArgument& out, double number);

}  // namespace pyaclnn::sim
