// Comparisons, truths and bits.
// SPDX-License-Identifier: MIT
#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim::formulas {

// A tensor with a tensor, and with a number.
#define SIM_COMPARISON(name, kinds, condition)                 \
  FORMULA(name, kinds, SIM_2(a, b), 2, m::truth<T>(condition)) \
  FORMULA(name##_scalar, kinds, SIM_2(a, b), 1, m::truth<T>(condition))
SIM_COMPARISON(equal, kNumbers | kBytes, m::equal(a, b))
SIM_COMPARISON(not_equal, kNumbers | kBytes, !m::equal(a, b))
SIM_COMPARISON(greater, kReals | kBytes, a > b)
SIM_COMPARISON(greater_equal, kReals | kBytes, a >= b)
SIM_COMPARISON(less, kReals | kBytes, a < b)
SIM_COMPARISON(less_equal, kReals | kBytes, a <= b)
#undef SIM_COMPARISON

FORMULA(logical_and, kNumbers | kBytes, SIM_2(a, b), 2, m::truth<T>(m::nonzero(a) && m::nonzero(b)))
FORMULA(logical_or, kNumbers | kBytes, SIM_2(a, b), 2, m::truth<T>(m::nonzero(a) || m::nonzero(b)))
FORMULA(logical_xor, kNumbers | kBytes, SIM_2(a, b), 2, m::truth<T>(m::nonzero(a) != m::nonzero(b)))

FORMULA_AND_OF_NUMBER(bitwise_and, bitwise_and_scalar, kIntegers | kBytes, SIM_2(a, b), 2, a& b)
FORMULA_AND_OF_NUMBER(bitwise_or, bitwise_or_scalar, kIntegers | kBytes, SIM_2(a, b), 2, a | b)
FORMULA_AND_OF_NUMBER(bitwise_xor, bitwise_xor_scalar, kIntegers | kBytes, SIM_2(a, b), 2, a ^ b)
FORMULA(bitwise_and_scalar, kIntegers | kBytes, SIM_2(a, b), 1, a& b)
FORMULA(bitwise_or_scalar, kIntegers | kBytes, SIM_2(a, b), 1, a | b)
FORMULA(bitwise_xor_scalar, kIntegers | kBytes, SIM_2(a, b), 1, a ^ b)

}  // namespace pyaclnn::sim::formulas
