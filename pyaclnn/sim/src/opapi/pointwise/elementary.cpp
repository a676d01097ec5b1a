// Functions of one number.
// SPDX-License-Identifier: MIT
#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim::formulas {

FORMULA(cosh, kFloats | kComplexes, SIM_1(a), 1, m::cosh(a))
FORMULA(exp2, kFloats, SIM_1(a), 1, m::exp2(a))
FORMULA(expm1, kFloats, SIM_1(a), 1, m::expm1(a))
FORMULA(log, kFloats | kComplexes | kQuick, SIM_1(a), 1, m::log(a))
FORMULA(log10, kFloats | kComplexes, SIM_1(a), 1, m::log10(a))
FORMULA(log1p, kFloats | kQuick, SIM_1(a), 1, m::log1p(a))
FORMULA(log2, kFloats | kComplexes, SIM_1(a), 1, m::mul(m::log(a), m::of<T>(1.4426950408889634)))
FORMULA(sinh, kFloats | kComplexes, SIM_1(a), 1, m::sinh(a))
FORMULA(sqrt, kFloats | kComplexes | kQuick, SIM_1(a), 1, m::sqrt(a))
FORMULA(rsqrt, kFloats | kComplexes | kQuick, SIM_1(a), 1, m::div(m::of<T>(1), m::sqrt(a)))
FORMULA(reciprocal, kFloats | kComplexes | kQuick, SIM_1(a), 1, m::div(m::of<T>(1), a))
FORMULA(erf, kFloats | kQuick, SIM_1(a), 1, m::erf(a))
FORMULA(erfc, kFloats, SIM_1(a), 1, m::erfc(a))

}  // namespace pyaclnn::sim::formulas
