// Functions that few have need of.
// SPDX-License-Identifier: MIT
#include "opapi/pointwise/special.hpp"

#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim::formulas {

FORMULA(erfinv, kFloats, SIM_1(a), 1, m::erfinv(a))
FORMULA(digamma, kFloats, SIM_1(a), 1, m::digamma(a))
FORMULA(lgamma, kFloats, SIM_1(a), 1, m::lgamma(a))
FORMULA(log_add_exp, kFloats, SIM_2(a, b), 2, m::log_add_exp(a, b))
FORMULA(log_add_exp2, kFloats, SIM_2(a, b), 2, m::log_add_exp2(a, b))
FORMULA(xlogy, kFloats, SIM_2(a, b), 2, m::xlogy(a, b))
FORMULA(xlogy_scalar, kFloats, SIM_2(a, b), 1, m::xlogy(a, b))
FORMULA(xlogy_of_scalar, kFloats, SIM_2(b, a), 1, m::xlogy(a, b))
FORMULA(nan_to_num, kReals, SIM_4(a, nan, pos, neg), 1, m::nan_to_num(a, nan, pos, neg))
FORMULA(round_decimals, kReals, SIM_3(a, decimals, scale), 1, m::round_decimals(a, decimals, scale))
FORMULA(is_close, kFloats, SIM_5(a, b, relative, absolute, equal_nan), 2,
        m::is_close(a, b, relative, absolute, equal_nan))
FORMULA(polar, kComplexes, SIM_2(magnitude, angle), 2, m::polar(magnitude, angle))
FORMULA(angle, kFloats | kComplexes, SIM_1(a), 1, m::angle(a))
FORMULA(add_of_scalar, kNumbers, SIM_3(b, a, alpha), 1, m::add(a, m::mul(alpha, b)))
FORMULA(logit, kFloats, SIM_2(x, eps), 1, m::logit(x, eps))
FORMULA(heaviside, kFloats, SIM_2(x, at_zero), 2,
        m::select<T>(x == T(0), at_zero,
                     m::select<T>(x > T(0), T(1), m::select<T>(x < T(0), T(0), x))))

}  // namespace pyaclnn::sim::formulas
