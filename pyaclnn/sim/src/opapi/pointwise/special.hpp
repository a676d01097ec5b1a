// Functions that the standard library has not, or not for vectors.
// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "opapi/pointwise/math.hpp"

namespace pyaclnn::sim::m {

/// The inverse of erf: a rough start, then Halley's steps on erf where it is small and on erfc
/// where that is.
template <class T>
SIM_ALWAYS_INLINE T erfinv(T x) {
  constexpr T kSlope = T(1.1283791670955126);  // of erf at 0
  const T a = std::fabs(x);
  const T rest = T(1) - a;
  const T l = log(rest * (T(1) + a));
  // Winitzki's formula, to three digits.
  const T half = T(4.330746750799873) + T(0.5) * l;
  const T under = half * half - l * T(6.802721088435375);
  T y = std::sqrt(std::sqrt(under) - half);
  for (int step = 0; step < (std::is_same_v<T, float> ? 2 : 3); ++step) {
    const T error = select<T>(a < T(0.5), erf(y) - a, rest - erfc(y));
    const T change = error / (kSlope * exp(-y * y));
    y = y - change / (T(1) + y * change);
  }
  const T inside = select<T>(a < T(1e-6), a / kSlope, y);
  const T limit =
      select<T>(a == T(1), std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN());
  const T result = select<T>(a < T(1), inside, limit);
  return select<T>(x < T(0), -result, result);
}

/// The derivative of the logarithm of gamma; in double, by its recurrence and asymptotic series.
inline double digamma_of(double x) {
  constexpr double kPi = 3.141592653589793;
  if (x == 0) return std::copysign(std::numeric_limits<double>::infinity(), -x);
  double result = 0;
  if (x < 0) {
    if (x == std::floor(x)) return std::numeric_limits<double>::quiet_NaN();
    result = -kPi / std::tan(kPi * (x - std::floor(x)));
    x = 1 - x;
  }
  for (; x < 10; x += 1) result -= 1 / x;
  if (std::isinf(x)) return x;
  const double z = 1 / (x * x);
  const double series =
      z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132)))));
  return result + std::log(x) - 0.5 / x - series;
}

template <class T>
T digamma(T x) {
  return static_cast<T>(digamma_of(double(x)));
}

template <class T>
T lgamma(T x) {
  int sign = 0;  // std::lgamma writes a global one
  return static_cast<T>(::lgamma_r(double(x), &sign));
}

/// The logarithm of a sum of exponentials.
template <class T>
SIM_ALWAYS_INLINE T log_add_exp(T a, T b) {
  const T sum = maximum(a, b) + log1p(exp(-std::fabs(a - b)));
  return select<T>(a == b, a + T(0.6931471805599453), sum);
}

template <class T>
SIM_ALWAYS_INLINE T log_add_exp2(T a, T b) {
  constexpr T kLn2 = T(0.6931471805599453);
  const T sum = maximum(a, b) + log1p(exp(-std::fabs(a - b) * kLn2)) / kLn2;
  return select<T>(a == b, a + T(1), sum);
}

/// a log b, which is 0 where a is.
template <class T>
SIM_ALWAYS_INLINE T xlogy(T a, T b) {
  return select<T>(b != b, b, select<T>(a == T(0), T(0), a * log(b)));
}

/// ln(p / (1 - p)), with p kept away from 0 and 1 by eps unless that is negative.
template <class T>
SIM_ALWAYS_INLINE T logit(T x, T eps) {
  const T kept = minimum<T>(maximum<T>(x, eps), T(1) - eps);
  const T p = select<T>(eps < T(0), x, kept);
  return log(p / (T(1) - p));
}

template <class T>
SIM_ALWAYS_INLINE T nan_to_num(T a, T nan, T positive, T negative) {
  if constexpr (std::is_integral_v<T>) {
    return a;
  } else {
    constexpr T kInf = std::numeric_limits<T>::infinity();
    const T limited = select<T>(a == kInf, positive, select<T>(a == -kInf, negative, a));
    return select<T>(a != a, nan, limited);
  }
}

/// To so many decimals, half to even; `scale` is their power of ten.
template <class T>
SIM_ALWAYS_INLINE T round_decimals(T a, T decimals, T scale) {
  if constexpr (std::is_integral_v<T>) {
    if (decimals >= T(0)) return a;
    return static_cast<T>(std::rint(double(a) / double(scale)) * double(scale));
  } else {
    return select<T>(decimals < T(0), std::rint(a / scale) * scale, std::rint(a * scale) / scale);
  }
}

template <class T>
SIM_ALWAYS_INLINE T is_close(T a, T b, T relative, T absolute, T nan_is_nan) {
  const bool near = std::fabs(a - b) <= absolute + relative * std::fabs(b) && b - b == T(0);
  return truth<T>(near || a == b || (a != a && b != b && nan_is_nan != T(0)));
}

/// A complex number by magnitude and angle, each a real number of that type.
template <class T>
T polar(T magnitude, T angle) {
  return {magnitude.re * std::cos(angle.re), magnitude.re * std::sin(angle.re)};
}

/// The angle of a number; of a complex one as its real part.
template <class T>
SIM_ALWAYS_INLINE T angle(T a) {
  if constexpr (kIsComplex<T>) {
    return {std::atan2(a.im, a.re), 0};
  } else {
    return select<T>(a != a, a, select<T>(a < T(0), T(3.141592653589793), T(0)));
  }
}

}  // namespace pyaclnn::sim::m
