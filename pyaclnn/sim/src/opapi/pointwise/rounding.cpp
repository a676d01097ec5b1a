// Rounding, signs, and what a number is.
// SPDX-License-Identifier: MIT
#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "opapi/pointwise/infinite.hpp"

namespace pyaclnn::sim {
namespace m {
namespace {

template <class T>
SIM_ALWAYS_INLINE T absolute(T a) {
  if constexpr (kIsComplex<T>) {
    return {std::hypot(a.re, a.im), 0};
  } else if constexpr (std::is_integral_v<T>) {
    return select<T>(a < T(0), sub(T(0), a), a);
  } else {
    return std::fabs(a);
  }
}

SIM_ALWAYS_INLINE Sixteen absolute(Sixteen a) { return {std::uint16_t(a.bits & 0x7fffu)}; }

/// A number over its magnitude; 0 of 0.
template <class T>
SIM_ALWAYS_INLINE T direction(T a) {
  if constexpr (kIsComplex<T>) {
    const auto magnitude = std::hypot(a.re, a.im);
    return magnitude == 0 ? a : T{a.re / magnitude, a.im / magnitude};
  } else {
    return sign(a);
  }
}

/// To the integer beside it that is odd, unless it is an integer.
template <class T>
SIM_ALWAYS_INLINE T odd(T x) {
  const T down = std::floor(x);
  const T up = std::ceil(x);
  return std::fmod(down, T(2)) == T(0) ? up : down;
}

/// By one of the modes of ForeachRoundOffNumber; the others leave a number as it is.
template <class T>
T round_off(T x, T mode) {
  // Whatever a caller passes: what is no mode is none, and no number too large for an int.
  switch (mode >= T(0) && mode <= T(7) ? static_cast<int>(mode) : 0) {
    case 1:
      return std::rint(x);
    case 2:
      return std::floor(x);
    case 3:
      return std::ceil(x);
    case 4:
      return std::round(x);
    case 5:
      return std::trunc(x);
    case 6:
      return odd(x);
    case 7:
      return x - std::trunc(x);
    default:
      return x;
  }
}

}  // namespace
}  // namespace m

namespace formulas {

FORMULA(round_off, kFloats, SIM_2(x, mode), 2, m::round_off(x, mode))
FORMULA(round_off_scalar, kFloats, SIM_2(x, mode), 1, m::round_off(x, mode))
FORMULA(absolute, kNumbers | kQuick | kSigns | kBytes, SIM_1(a), 1, m::absolute(a))
FORMULA(bitwise_not, kIntegers | kBytes, SIM_1(a), 1, ~a)
FORMULA(ceil, kReals | kQuick, SIM_1(a), 1, m::ceil(a))
FORMULA(floor, kReals | kQuick, SIM_1(a), 1, m::floor(a))
FORMULA(frac, kReals | kQuick, SIM_1(a), 1, m::sub(a, m::trunc(a)))
FORMULA(round, kReals | kQuick, SIM_1(a), 1, m::rint(a))
FORMULA(trunc, kReals | kQuick, SIM_1(a), 1, m::trunc(a))
FORMULA(neg, kNumbers | kQuick | kSigns | kBytes, SIM_1(a), 1, m::negative(a))
FORMULA(sign, kNumbers, SIM_1(a), 1, m::direction(a))
FORMULA(is_finite, kReals, SIM_1(a), 1, m::truth<T>(m::sub(a, a) == T(0)))
FORMULA(is_negative, kReals, SIM_1(a), 1, m::truth<T>(a < T(0)))
FORMULA(is_positive_infinity, kReals, SIM_1(a), 1, m::truth<T>(m::is_infinity(a)))
FORMULA(is_negative_infinity, kReals, SIM_1(a), 1, m::truth<T>(m::is_infinity(m::negative(a))))
FORMULA(is_infinite, kReals, SIM_1(a), 1,
        m::truth<T>(m::is_infinity(a) || m::is_infinity(m::negative(a))))
FORMULA(logical_not, kReals, SIM_1(a), 1, m::truth<T>(a == T(0)))

}  // namespace formulas
}  // namespace pyaclnn::sim
