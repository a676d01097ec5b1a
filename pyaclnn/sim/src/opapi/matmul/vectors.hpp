// Products with vectors in element types that the cube unit does not take: integers, bool, double.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/pointwise/pointwise.hpp"

namespace pyaclnn::sim {

/// Whether matrix products of this type run on the cube unit.
bool is_cube_type(aclDataType dtype);

/// out = the sum of the products of two vectors.
void dot(Plan& plan, const TensorArgument& a, const TensorArgument& b, const TensorArgument& out);

/// The type of beta * added + alpha * matrix vector. A factor of 1 has no say in it.
aclDataType addmv_type(const Check& check, const TensorArgument& added,
                       const TensorArgument& matrix, const TensorArgument& vector,
                       const ScalarIn& alpha, const ScalarIn& beta);

/// out = beta * added + alpha * matrix vector, in `type`. What is multiplied by zero is not read.
void addmv(Plan& plan, const TensorArgument& added, const TensorArgument& matrix,
           const TensorArgument& vector, Number alpha, Number beta, aclDataType type,
           const TensorArgument& out, std::int8_t cube_math_type);

}  // namespace pyaclnn::sim
