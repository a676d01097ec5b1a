// Rounding, signs, and what a number is.
// SPDX-License-Identifier: MIT
#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim::formulas {

FORMULA(absolute, kReals, SIM_1(a), 1, m::select<T>(a < T(0), m::sub(T(0), a), m::abs_of_zero(a)))
FORMULA(bitwise_not, kIntegers, SIM_1(a), 1, ~a)
FORMULA(ceil, kReals, SIM_1(a), 1, m::ceil(a))
FORMULA(floor, kReals, SIM_1(a), 1, m::floor(a))
FORMULA(frac, kReals, SIM_1(a), 1, m::sub(a, m::trunc(a)))
FORMULA(round, kReals, SIM_1(a), 1, m::rint(a))
FORMULA(trunc, kReals, SIM_1(a), 1, m::trunc(a))
FORMULA(neg, kNumbers, SIM_1(a), 1, m::negative(a))
FORMULA(sign, kReals, SIM_1(a), 1, m::sign(a))
FORMULA(is_finite, kReals, SIM_1(a), 1, m::truth<T>(m::sub(a, a) == T(0)))
FORMULA(is_negative, kReals, SIM_1(a), 1, m::truth<T>(a < T(0)))
FORMULA(is_positive_infinity, kReals, SIM_1(a), 1, m::truth<T>(m::is_infinity(a)))
FORMULA(is_negative_infinity, kReals, SIM_1(a), 1, m::truth<T>(m::is_infinity(m::negative(a))))
FORMULA(logical_not, kReals, SIM_1(a), 1, m::truth<T>(a == T(0)))

}  // namespace pyaclnn::sim::formulas
