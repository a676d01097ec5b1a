// Refusals that only some element-wise operators have.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/pointwise/pointwise.hpp"

namespace pyaclnn::sim {

/// 561103 for a null argument, where CANN notices it behind its own checks.
void check_given_inside(const Plan& plan, const ScalarIn& scalar);
void check_given_inside(const Plan& plan, const TensorArgument& tensor);

/// 561103 for an output of another shape than what is copied to it.
void check_shape_inside(const Plan& plan, const TensorArgument& out, const Dims& shape);

/// 561103 for an output that a result is copied to and not cast.
void check_stored_as(const Plan& plan, aclDataType type, const TensorArgument& out);

/// 10 to the power of the magnitude of a number of decimals.
/// Refuses an output that a quotient of operands with this type in common cannot be cast to: on the
/// 950, where the mode (0 as it is, 1 cut off, 2 rounded down) decides.
void check_quotient_castable(const Check& check, aclDataType common, std::int64_t mode,
                             const TensorArgument& out);

double power_of_ten(std::int64_t decimals);

/// The number of the last bit of an integer type.
int last_bit(aclDataType type);

/// The formula of a power: products where the exponent is 2 or 3.
const PointwiseFormula& formula_of_power(const ScalarIn& exponent);

/// Refuses an exponent that the type computed in cannot hold, and a negative one of integers.
void check_exponent(const Check& check, aclDataType type, const ScalarIn& exponent);

}  // namespace pyaclnn::sim
