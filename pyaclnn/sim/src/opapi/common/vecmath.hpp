// Elementary functions on float for hot loops: no branch, no call, no table, so that a loop over
// them vectorises under every instruction set, and gives the same bits under each.
//
// Relative error is below 2^-20, also where results are subnormal. NaN gives NaN, infinities their
// limits. Every one is a polynomial on a reduced range; the coefficients are minimax fits of ours.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "opapi/common/cpu.hpp"

namespace pyaclnn::sim::vec {

namespace detail {

constexpr float kLog2E = 1.44269504f;
// ln 2 in two parts; the first has so few digits that small multiples of it are exact.
constexpr float kLn2High = 0.693359375f;
constexpr float kLn2Low = -2.12194440e-4f;
constexpr float kRoundingShift = 12582912.0f;  // 1.5 * 2^23: adding it leaves an integer's bits
constexpr std::uint32_t kRoundingShiftBits = 0x4B400000u;

SIM_ALWAYS_INLINE std::uint32_t bits_of(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

SIM_ALWAYS_INLINE float from_bits(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

}  // namespace detail

/// a * b + c, rounded once: the same bits under every instruction set, slow where it has no such
/// instruction.
SIM_ALWAYS_INLINE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

/// condition ? yes : no, which the compiler cannot turn into a jump. That is what lets loops
/// vectorise although floating point comparisons count as trapping.
SIM_ALWAYS_INLINE float select(bool condition, float yes, float no) {
  const std::uint32_t mask = 0u - static_cast<std::uint32_t>(condition);
  return detail::from_bits((detail::bits_of(yes) & mask) | (detail::bits_of(no) & ~mask));
}

namespace detail {

/// 2^n for -126 <= n <= 127.
SIM_ALWAYS_INLINE float power_of_two(std::int32_t n) {
  return from_bits(static_cast<std::uint32_t>(n + 127) << 23);
}

/// x = n ln 2 + r with |r| <= ln 2 / 2, for |x| < 2^22.
struct Reduced {
  std::uint32_t shifted_n;  // n + 0x4B400000
  float r;

  SIM_ALWAYS_INLINE std::int32_t n() const {
    return static_cast<std::int32_t>(shifted_n - kRoundingShiftBits);
  }
};

SIM_ALWAYS_INLINE Reduced reduce(float x) {
  const float shifted = fma(x, kLog2E, kRoundingShift);
  const float n = shifted - kRoundingShift;
  return {bits_of(shifted), fma(n, -kLn2Low, fma(n, -kLn2High, x))};
}

/// (e^r - 1 - r) / r^2 for |r| a little above ln 2 / 2.
SIM_ALWAYS_INLINE float exp_polynomial(float r) {
  float p = fma(r, 1.9824036e-4f, 0.0013933482f);
  p = fma(r, p, 0.0083334204f);
  p = fma(r, p, 0.041666482f);
  p = fma(r, p, 0.16666666f);
  return fma(r, p, 0.5f);
}

SIM_ALWAYS_INLINE float exp_of_reduced(float r) {
  return fma(r, fma(r, exp_polynomial(r), 1.0f), 1.0f);
}

SIM_ALWAYS_INLINE float expm1_of_reduced(float r) { return fma(r * r, exp_polynomial(r), r); }

/// Selects, and lets NaN through.
SIM_ALWAYS_INLINE float clamp(float x, float low, float high) {
  const float below = select(x < low, low, x);
  return select(below > high, high, below);
}

/// e^x for x <= 0, which is n ln 2 + r.
SIM_ALWAYS_INLINE float exp_of_negative(std::uint32_t shifted_n, float r, float x) {
  // 2^(n + 25): the result itself may be subnormal, its factors are not. Other bits of the rounding
  // shift fall off.
  const float scale = from_bits((shifted_n << 23) + ((127u + 25u) << 23));
  const float result = (exp_of_reduced(r) * scale) * 2.98023223876953125e-8f;
  return select(x < -104.0f, 0.0f, result);
}

}  // namespace detail

SIM_ALWAYS_INLINE float abs(float x) { return detail::from_bits(detail::bits_of(x) & 0x7FFFFFFFu); }

SIM_ALWAYS_INLINE float copy_sign(float magnitude, float sign) {
  return detail::from_bits((detail::bits_of(magnitude) & 0x7FFFFFFFu) |
                           (detail::bits_of(sign) & 0x80000000u));
}

SIM_ALWAYS_INLINE float exp(float x) {
  const detail::Reduced at = detail::reduce(detail::clamp(x, -104.0f, 89.0f));
  // In two steps: 2^n may lie outside of float's range where the result does not.
  const std::int32_t half = at.n() >> 1;
  const float first = detail::exp_of_reduced(at.r) * detail::power_of_two(half);
  return first * detail::power_of_two(at.n() - half);
}

/// e^x for x <= 0 or NaN, which is cheaper.
SIM_ALWAYS_INLINE float exp_of_negative(float x) {
  const detail::Reduced at = detail::reduce(x);
  return detail::exp_of_negative(at.shifted_n, at.r, x);
}

/// e^x - 1, exact to the last digits near 0.
SIM_ALWAYS_INLINE float expm1(float x) {
  const detail::Reduced at = detail::reduce(detail::clamp(x, -30.0f, 89.0f));
  const float tail = detail::expm1_of_reduced(at.r);
  const std::int32_t half = at.n() >> 1;
  const float a = detail::power_of_two(half);
  const float b = detail::power_of_two(at.n() - half);
  const float direct = (a * b - 1.0f) + (a * b) * tail;
  // In two steps: 2^128 is beyond float's range.
  const float large = ((1.0f + tail) * a) * b;
  return select(at.n() > 64, large, direct);
}

namespace detail {

/// ln of a positive normal x, with `k` added to its binary exponent and `low` to the result.
SIM_ALWAYS_INLINE float log_of_normal(float x, float k, float low) {
  // The mantissa in [sqrt(1/2), sqrt(2)).
  const std::uint32_t shifted = bits_of(x) - 0x3F3504F3u;
  const float exponent = static_cast<float>(static_cast<std::int32_t>(shifted) >> 23) + k;
  const float f = from_bits((shifted & 0x007FFFFFu) + 0x3F3504F3u) - 1.0f;
  const float s = f / (2.0f + f);
  const float z = s * s;
  const float r = z * fma(z, fma(z, fma(z, 0.23583572f, 0.28537238f), 0.40000336f), 0.66666666f);
  const float half_square = 0.5f * f * f;
  const float correction = fma(s, half_square + r, fma(exponent, kLn2Low, low));
  return fma(exponent, kLn2High, -((half_square - correction) - f));
}

/// The values of ln outside of the positive numbers.
SIM_ALWAYS_INLINE float log_limits(float x, float regular) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const float below_inf = select(x < kInf, regular, x);  // NaN too
  const float positive = select(x < 0.0f, kNan, below_inf);
  return select(x == 0.0f, -kInf, positive);
}

}  // namespace detail

/// Natural logarithm; NaN below 0.
SIM_ALWAYS_INLINE float log(float x) {
  const bool subnormal = x < std::numeric_limits<float>::min();
  const float scale = select(subnormal, 8388608.0f, 1.0f);
  const float scaled = x * scale;
  const float k = select(subnormal, -23.0f, 0.0f);
  return detail::log_limits(x, detail::log_of_normal(scaled, k, 0.0f));
}

/// ln(1 + x), exact to the last digits near 0.
SIM_ALWAYS_INLINE float log1p(float x) {
  const float u = 1.0f + x;
  // What u lost of x, as a change of the logarithm.
  const float lost = (x - (u - 1.0f)) / u;
  const float limits = detail::log_limits(u, detail::log_of_normal(u, 0.0f, lost));
  // So small that 1 + x is 1: the quotient above may have underflown.
  return select(abs(x) < 1e-10f, x, limits);
}

/// 1 / (1 + e^-x), with all its digits on the negative side too.
SIM_ALWAYS_INLINE float sigmoid(float x) {
  const float e = exp_of_negative(-abs(x));
  const float numerator = select(x < 0.0f, e, 1.0f);
  return numerator / (1.0f + e);
}

SIM_ALWAYS_INLINE float tanh(float x) {
  // By e^2|x| - 1, which beyond 20 makes no difference.
  const float twice = 2.0f * abs(x);
  const detail::Reduced at = detail::reduce(select(twice > 20.0f, 20.0f, twice));
  const float power = detail::from_bits((at.shifted_n << 23) + (127u << 23));
  const float e = (power - 1.0f) + power * detail::expm1_of_reduced(at.r);
  return copy_sign(e / (e + 2.0f), x);
}

namespace detail {

/// erfc(a) e^(a^2) for a in [0, 10.2], a polynomial in 1 / (1 + 0.35 a).
SIM_ALWAYS_INLINE float scaled_erfc(float a) {
  const float t = 1.0f / (1.0f + 0.35f * a);
  float p = fma(0.029762026f, t, -0.10765217f);
  p = fma(p, t, 0.047761355f);
  p = fma(p, t, 0.17366102f);
  p = fma(p, t, -0.10668205f);
  p = fma(p, t, 0.27020571f);
  p = fma(p, t, 0.097547218f);
  p = fma(p, t, 0.20330504f);
  p = fma(p, t, 0.19432719f);
  p = fma(p, t, 0.19777811f);
  return fma(p, t, -1.3422312e-5f);
}

/// e^(-scale a^2) for a scale that is a power of two.
SIM_ALWAYS_INLINE float gaussian(float a, float scale) {
  // a^2 in two parts: the exponential would magnify its rounding.
  const float square = a * a;
  const float x = -scale * square;
  const float low = -scale * fma(a, a, -square);
  const Reduced at = reduce(x);
  return exp_of_negative(at.shifted_n, at.r + low, x + low);
}

SIM_ALWAYS_INLINE float erfc_of_positive(float magnitude) {
  const float a = select(magnitude > 10.2f, 10.2f, magnitude);
  return scaled_erfc(a) * gaussian(a, 1.0f);
}

}  // namespace detail

/// Complementary error function, with all its digits where it is near 0.
SIM_ALWAYS_INLINE float erfc(float x) {
  const float upper = detail::erfc_of_positive(abs(x));
  const float lower = 2.0f - upper;
  return select(x < 0.0f, lower, upper);
}

SIM_ALWAYS_INLINE float erf(float x) {
  const float magnitude = abs(x);
  const float z = x * x;
  float p = fma(7.8538577e-5f, z, -8.0101925e-4f);
  p = fma(p, z, 0.0051883276f);
  p = fma(p, z, -0.026853812f);
  p = fma(p, z, 0.11283585f);
  p = fma(p, z, -0.37612626f);
  p = fma(p, z, 1.1283792f);
  const float small = x * p;
  const float large = copy_sign(1.0f - detail::erfc_of_positive(magnitude), x);
  return select(magnitude < 1.0f, small, large);
}

/// Distribution function of the standard normal law, with all its digits where it is near 0.
SIM_ALWAYS_INLINE float normal_cdf(float x) {
  const float magnitude = abs(x);
  const float a = select(magnitude > 14.4f, 14.4f, magnitude);
  const float lower = (0.5f * detail::scaled_erfc(a * 0.70710678f)) * detail::gaussian(a, 0.5f);
  const float upper = 1.0f - lower;
  return select(x < 0.0f, lower, upper);
}

/// Density of the standard normal law.
SIM_ALWAYS_INLINE float normal_pdf(float x) {
  const float magnitude = abs(x);
  const float a = select(magnitude > 14.4f, 14.4f, magnitude);
  return 0.39894228f * detail::gaussian(a, 0.5f);
}

/// e^x in double precision, for sums that nearly cancel; relative error below 2^-48, |x| <= 700.
SIM_ALWAYS_INLINE double exp_double(double x) {
  constexpr double kShift = 6755399441055744.0;  // 1.5 * 2^52: adding it leaves an integer's bits
  const double shifted = x * 1.4426950408889634 + kShift;
  const double n = shifted - kShift;
  const double r = (x - n * 0.693145751953125) - n * 1.4286068203094172e-6;
  // Taylor's series: on |r| <= ln 2 / 2 its twelfth term is below 2^-50.
  double p = 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  std::uint64_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits << 52) + 0x3FF0000000000000u;
  double power;
  std::memcpy(&power, &bits, sizeof power);
  return p * power;
}

namespace detail {

/// x reduced to |r| <= pi / 4, and the number of the quarter turn. In double, which makes the
/// reduction exact enough for |x| < 2^30; beyond, neighbouring floats are whole turns apart.
struct Turned {
  float r;
  std::int32_t quarter;
};

SIM_ALWAYS_INLINE Turned turned(float x) {
  constexpr double kShift = 6755399441055744.0;  // 1.5 * 2^52: adding it leaves an integer
  const double shifted = double(x) * 0.6366197723675814 + kShift;
  const double n = shifted - kShift;
  const double r = double(x) - n * 1.5707963267948966 - n * 6.123233995736766e-17;
  std::uint64_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  return {static_cast<float>(r), static_cast<std::int32_t>(bits & 3)};
}

// Taylor's series: the first terms left out are below 2^-26 of the result.
SIM_ALWAYS_INLINE float sin_of_reduced(float r) {
  const float s = r * r;
  return r +
         r * s * (-0.16666667f + s * (8.3333333e-3f + s * (-1.9841270e-4f + s * 2.7557319e-6f)));
}

SIM_ALWAYS_INLINE float cos_of_reduced(float r) {
  const float s = r * r;
  return 1.0f + s * (-0.5f + s * (4.1666667e-2f +
                                  s * (-1.3888889e-3f + s * (2.4801587e-5f + s * -2.7557319e-7f))));
}

SIM_ALWAYS_INLINE float turn(float x, std::int32_t turns) {
  const Turned t = turned(x);
  const std::int32_t quarter = t.quarter + turns;
  const float value = select((quarter & 1) != 0, cos_of_reduced(t.r), sin_of_reduced(t.r));
  const float result = select((quarter & 2) != 0, -value, value);
  return select(abs(x) < 1.0737418e9f, result, select(x - x == 0.0f, 0.0f, x - x));
}

}  // namespace detail

/// 0 beyond 2^30, where a float has no fraction of a turn left.
SIM_ALWAYS_INLINE float sin(float x) { return select(x == 0.0f, x, detail::turn(x, 0)); }
SIM_ALWAYS_INLINE float cos(float x) { return detail::turn(x, 1); }

}  // namespace pyaclnn::sim::vec
