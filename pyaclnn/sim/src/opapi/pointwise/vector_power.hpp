// Powers and angles of float for hot loops, as vecmath.hpp has other functions.
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "opapi/common/vecmath.hpp"

namespace pyaclnn::sim::vec {

namespace detail {

SIM_ALWAYS_INLINE double select_double(bool condition, double yes, double no) {
  const std::uint64_t mask = std::uint64_t(0) - static_cast<std::uint64_t>(condition);
  std::uint64_t a, b;
  std::memcpy(&a, &yes, sizeof a);
  std::memcpy(&b, &no, sizeof b);
  a = (a & mask) | (b & ~mask);
  double result;
  std::memcpy(&result, &a, sizeof result);
  return result;
}

/// Natural logarithm of a positive normal double; relative error below 2^-38.
SIM_ALWAYS_INLINE double log_of_normal_double(double x) {
  constexpr std::uint64_t kSqrtHalf = 0x3FE6A09E667F3BCDu;
  constexpr std::uint64_t kMantissa = 0x000FFFFFFFFFFFFFu;
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  // The mantissa in [sqrt(1/2), sqrt(2)). The exponent, moved to be positive, becomes a double by
  // way of the digits of 2^52.
  const std::uint64_t shifted = bits - kSqrtHalf + (std::uint64_t(1024) << 52);
  const std::uint64_t whole = (shifted >> 52) | 0x4330000000000000u;
  double exponent;
  std::memcpy(&exponent, &whole, sizeof exponent);
  exponent -= 4503599627370496.0 + 1024.0;
  const std::uint64_t rest = (shifted & kMantissa) + kSqrtHalf;
  double mantissa;
  std::memcpy(&mantissa, &rest, sizeof mantissa);
  const double s = (mantissa - 1.0) / (mantissa + 1.0);
  const double z = s * s;
  double series = 1.0 / 15;
  series = series * z + 1.0 / 13;
  series = series * z + 1.0 / 11;
  series = series * z + 1.0 / 9;
  series = series * z + 1.0 / 7;
  series = series * z + 1.0 / 5;
  series = series * z + 1.0 / 3;
  series = series * z + 1.0;
  return exponent * 0.6931471805599453 + 2.0 * s * series;
}

}  // namespace detail

/// x^y with all special cases of the C library's pow.
SIM_ALWAYS_INLINE float pow(float x, float y) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  // So far away that every exponent but 0 leads to a limit.
  constexpr double kFar = 1e300;
  const float a = abs(x);
  const double regular = detail::log_of_normal_double(double(a));
  const double above = detail::select_double(a == kInf, kFar, regular);
  const double logarithm = detail::select_double(a == 0.0f, -kFar, above);
  const double product = double(y) * logarithm;
  const double power = detail::select_double(a == 1.0f, 0.0, product);
  const double low = detail::select_double(power < -110.0, -110.0, power);
  const auto magnitude =
      static_cast<float>(exp_double(detail::select_double(low > 90.0, 90.0, low)));
  const bool whole = std::trunc(y) == y;
  const bool odd = whole && std::trunc(y * 0.5f) * 2.0f != y;
  const bool negative = (detail::bits_of(x) >> 31) != 0;
  const float value = select(odd && negative, -magnitude, magnitude);
  const float real = select(x < 0.0f && a != kInf && !whole, kNan, value);
  const float number = select(x != x || y != y, kNan, real);
  return select(y == 0.0f || x == 1.0f, 1.0f, number);
}

namespace detail {

/// The angle of a ratio from 0 to 1: a Chebyshev fit of atan(t) / t in t^2.
SIM_ALWAYS_INLINE float atan_of_ratio(float t) {
  const float z = t * t;
  float p = -0.0017437011701986194f;
  p = p * z + 0.010680719278752804f;
  p = p * z - 0.030717508867383003f;
  p = p * z + 0.05746355652809143f;
  p = p * z - 0.08372063934803009f;
  p = p * z + 0.10940198600292206f;
  p = p * z - 0.14261573553085327f;
  p = p * z + 0.19998230040073395f;
  p = p * z - 0.3333328366279602f;
  p = p * z + 1.0f;
  return p * t;
}

}  // namespace detail

/// The angle of the point (x, y), with all special cases of the C library's atan2.
SIM_ALWAYS_INLINE float atan2(float y, float x) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const float ax = abs(x);
  const float ay = abs(y);
  const bool steep = ay > ax;
  const float small = select(steep, ax, ay);
  const float large = select(steep, ay, ax);
  const float quotient = select(large == 0.0f, 0.0f, small / large);
  const float ratio = select(small == kInf, 1.0f, quotient);
  const float octant = detail::atan_of_ratio(ratio);
  const float quadrant = select(steep, 1.57079633f - octant, octant);
  const bool left = (detail::bits_of(x) >> 31) != 0;
  const float half = select(left, 3.14159265f - quadrant, quadrant);
  return select(x != x || y != y, x + y, copy_sign(half, y));
}

}  // namespace pyaclnn::sim::vec
