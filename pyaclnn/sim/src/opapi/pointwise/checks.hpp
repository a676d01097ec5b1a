// Refusals that only some element-wise operators have.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// 561103 for a null scalar, where CANN makes a tensor of it before it looks at anything.
void check_given_inside(const Plan& plan, const ScalarIn& scalar);

/// Refuses an exponent that the type computed in cannot hold, and a negative one of integers.
void check_exponent(const Check& check, aclDataType type, const ScalarIn& exponent);

}  // namespace pyaclnn::sim
