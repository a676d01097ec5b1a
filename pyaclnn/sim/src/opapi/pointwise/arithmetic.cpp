// Sums, products, and what is made of them.
// SPDX-License-Identifier: MIT
#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim::formulas {

FORMULA_AND_OF_NUMBER(add, add_scalar, kNumbers | kQuick | kBytes, SIM_3(a, b, alpha), 2,
                      m::add(a, m::mul(alpha, b)))
FORMULA(add_scalar, kNumbers | kQuick | kBytes, SIM_3(a, b, alpha), 1, m::add(a, m::mul(alpha, b)))
FORMULA_AND_OF_NUMBER(mul, mul_scalar, kNumbers | kQuick | kBytes, SIM_2(a, b), 2, m::mul(a, b))
FORMULA(mul_scalar, kNumbers | kQuick | kBytes, SIM_2(a, b), 1, m::mul(a, b))
FORMULA(relu, kReals | kQuick | kBytes, SIM_1(a), 1, m::select<T>(a <= T(0), T(0), a))
FORMULA(exp, kFloats | kComplexes | kQuick, SIM_1(a), 1, m::exp(a))
FORMULA(fill, kNumbers, SIM_1(a), 0, a)
FORMULA_AND_OF_NUMBER(sub, sub_scalar, kNumbers | kQuick | kBytes, SIM_3(a, b, alpha), 2,
                      m::sub(a, m::mul(alpha, b)))
FORMULA(sub_scalar, kNumbers | kQuick | kBytes, SIM_3(a, b, alpha), 1, m::sub(a, m::mul(alpha, b)))
FORMULA_AND_OF_NUMBER(rsub, rsub_scalar, kNumbers | kQuick | kBytes, SIM_3(a, b, alpha), 2,
                      m::sub(b, m::mul(alpha, a)))
FORMULA(rsub_scalar, kNumbers | kQuick | kBytes, SIM_3(a, b, alpha), 1, m::sub(b, m::mul(alpha, a)))
FORMULA_AND_OF_NUMBER(div, div_scalar, kFloats | kComplexes | kQuick, SIM_2(a, b), 2, m::div(a, b))
FORMULA(div_scalar, kFloats | kComplexes | kQuick, SIM_2(a, b), 1, m::div(a, b))
FORMULA(maximum, kReals | kQuick | kBytes, SIM_2(a, b), 2, m::maximum(a, b))
FORMULA(minimum, kReals | kQuick | kBytes, SIM_2(a, b), 2, m::minimum(a, b))
FORMULA(addcmul, kReals | kQuick, SIM_4(a, b, c, value), 3, m::add(a, m::mul(value, m::mul(b, c))))
FORMULA(addcdiv, kFloats | kQuick, SIM_4(a, b, c, value), 3, a + value * (b / c))
FORMULA(addcmul_tensors, kReals, SIM_4(a, b, c, value), 4, m::add(a, m::mul(value, m::mul(b, c))))
FORMULA(addcdiv_tensors, kFloats, SIM_4(a, b, c, value), 4, a + value * (b / c))
FORMULA_AND_OF_NUMBER(lerp, lerp_scalar, kFloats | kQuick, SIM_3(a, b, weight), 3,
                      m::lerp(a, b, weight))
FORMULA(lerp_scalar, kFloats | kQuick, SIM_3(a, b, weight), 2, m::lerp(a, b, weight))

}  // namespace pyaclnn::sim::formulas
