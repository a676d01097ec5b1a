// Tensors of 4 bits an element, which kernels move two by two.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Whether elements of 4 bits begin with a byte and lie without gaps.
bool are_dense_halves(const TensorArgument& tensor);

/// The view of such elements as bytes, with the axes from `axis` on as one. A byte that is half
/// filled counts.
View bytes_of_halves(const View& view, std::size_t axis);

/// A cast between floats and float4, or of int32 to int4.
void cast_halves(Plan& plan, const TensorArgument& in, aclDataType dtype,
                 const TensorArgument& out);

/// Plans a tensor of elements of 8 or 4 bits to be 0.
void zero_narrow(Plan& plan, const TensorArgument& self);

}  // namespace pyaclnn::sim
