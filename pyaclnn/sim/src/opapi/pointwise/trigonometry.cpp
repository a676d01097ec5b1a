// Angles and their functions.
// SPDX-License-Identifier: MIT
#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim::formulas {

FORMULA(acos, kFloats, SIM_1(a), 1, m::acos(a))
FORMULA(acosh, kFloats | kComplexes, SIM_1(a), 1, m::acosh(a))
FORMULA(asin, kFloats, SIM_1(a), 1, m::asin(a))
FORMULA(asinh, kFloats | kComplexes, SIM_1(a), 1, m::asinh(a))
FORMULA(atan, kFloats, SIM_1(a), 1, m::atan(a))
FORMULA(atanh, kFloats | kComplexes, SIM_1(a), 1, m::atanh(a))
FORMULA(cos, kFloats | kComplexes | kQuick, SIM_1(a), 1, m::cos(a))
FORMULA(sin, kFloats | kComplexes | kQuick, SIM_1(a), 1, m::sin(a))
FORMULA(tan, kFloats | kComplexes, SIM_1(a), 1, m::tan(a))
FORMULA(sinc, kFloats, SIM_1(a), 1,
        m::select<T>(a == T(0), T(1), m::sin(a* T(3.141592653589793)) / (a * T(3.141592653589793))))

}  // namespace pyaclnn::sim::formulas
