// Quotients and remainders.
// SPDX-License-Identifier: MIT
#include "opapi/pointwise/division.hpp"

#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim::formulas {

FORMULA(floor_div, kReals, SIM_2(a, b), 2, m::floor_div(a, b))
FORMULA(floor_div_scalar, kReals, SIM_2(a, b), 1, m::floor_div(a, b))
FORMULA(fmod, kReals, SIM_2(a, b), 2, m::fmod(a, b))
FORMULA(fmod_scalar, kReals, SIM_2(a, b), 1, m::fmod(a, b))
FORMULA(remainder, kReals, SIM_2(a, b), 2, m::remainder(a, b))
FORMULA(remainder_scalar, kReals, SIM_2(a, b), 1, m::remainder(a, b))
FORMULA(remainder_of_scalar, kReals, SIM_2(b, a), 1, m::remainder(a, b))
FORMULA(div_mode, kNumbers, SIM_3(a, b, mode), 2, m::quotient_in_mode(a, b, mode))
FORMULA(div_mode_scalar, kNumbers, SIM_3(a, b, mode), 1, m::quotient_in_mode(a, b, mode))

}  // namespace pyaclnn::sim::formulas
