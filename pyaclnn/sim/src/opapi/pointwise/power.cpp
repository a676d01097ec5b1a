// Powers, and angles of two coordinates.
// SPDX-License-Identifier: MIT
#include "opapi/pointwise/checks.hpp"
#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "opapi/pointwise/vector_power.hpp"

namespace pyaclnn::sim {
namespace m {
namespace {

/// Integers wrap; a negative exponent gives the reciprocal cut off, 0 for that of 0.
template <class T>
T power_of_integers(T base, T exponent) {
  if (exponent < T(0)) {
    if (base == T(1)) return T(1);
    if (base == T(-1)) return exponent % 2 == 0 ? T(1) : T(-1);
    return T(0);
  }
  T result = T(1);
  for (; exponent > T(0); exponent = T(exponent >> 1)) {
    if ((exponent & T(1)) != 0) result = mul(result, base);
    base = mul(base, base);
  }
  return result;
}

template <class T>
SIM_ALWAYS_INLINE T atan2(T y, T x) {
  if constexpr (std::is_same_v<T, float>) {
    return vec::atan2(y, x);
  } else {
    return std::atan2(y, x);
  }
}

template <class T>
SIM_ALWAYS_INLINE T power(T base, T exponent) {
  if constexpr (std::is_integral_v<T>) {
    return power_of_integers(base, exponent);
  } else if constexpr (kIsComplex<T>) {
    // In double: the logarithm's rounding would be magnified.
    using D = std::complex<double>;
    const D result = std::pow(D(base.re, base.im), D(exponent.re, exponent.im));
    using R = decltype(T::re);
    return {static_cast<R>(result.real()), static_cast<R>(result.imag())};
  } else if constexpr (std::is_same_v<T, float>) {
    return vec::pow(base, exponent);
  } else {
    return std::pow(base, exponent);
  }
}

}  // namespace
}  // namespace m

namespace formulas {

FORMULA(power, kNumbers, SIM_2(a, b), 2, m::power(a, b))
FORMULA(power_scalar, kNumbers, SIM_2(a, b), 1, m::power(a, b))
FORMULA(power_of_scalar, kNumbers, SIM_2(b, a), 1, m::power(a, b))
FORMULA(atan2, kFloats, SIM_2(y, x), 2, m::atan2(y, x))

FORMULA(square, kNumbers | kQuick, SIM_1(a), 1, m::mul(a, a))
FORMULA(cube, kNumbers, SIM_1(a), 1, m::mul(m::mul(a, a), a))

}  // namespace formulas

const PointwiseFormula& formula_of_power(const ScalarIn& exponent) {
  const double value = exponent->imaginary() == 0 ? exponent->to_double() : 0;
  return value == 2 ? formulas::square : value == 3 ? formulas::cube : formulas::power_scalar;
}
}  // namespace pyaclnn::sim
