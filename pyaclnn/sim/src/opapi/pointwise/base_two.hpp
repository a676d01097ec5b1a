// Powers of two whose polynomials take even and odd powers apart: in one chain each step would wait
// for the one before, which takes longer than all of them. vecmath.hpp has what is used everywhere.
//
// Relative error is below 2^-21, also where results are subnormal. Coefficients are minimax fits of
// ours.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/vecmath.hpp"

namespace pyaclnn::sim::base_two {

/// An exponent n + f with |f| <= 1/2.
struct Split {
  std::uint32_t shifted_n;  // n + 0x4B400000
  float f;

  /// n in the place of a float's exponent.
  SIM_ALWAYS_INLINE std::uint32_t exponent() const { return shifted_n << 23; }
};

/// For |x| < 2^22.
SIM_ALWAYS_INLINE Split split(float x) {
  const float shifted = x + vec::detail::kRoundingShift;
  return {vec::detail::bits_of(shifted), x - (shifted - vec::detail::kRoundingShift)};
}

constexpr float kLow = 1.92596303e-8f;  // what kLog2E lacks of log2(e)

/// The exponent of e^x, for |x| < 2^22.
SIM_ALWAYS_INLINE Split split_of_e(float x) {
  const float shifted = vec::fma(x, vec::detail::kLog2E, vec::detail::kRoundingShift);
  const float n = shifted - vec::detail::kRoundingShift;
  return {vec::detail::bits_of(shifted), vec::fma(x, kLow, vec::fma(x, vec::detail::kLog2E, -n))};
}

// Of 2^f, highest first; what the even powers lack is 1.
constexpr float kEven[] = {1.546973e-4f, 9.618031e-3f, 0.2402265f};
constexpr float kOdd[] = {1.3390867e-3f, 0.05550357f, 0.69314718f};

/// 2^f for |f| <= 1/2; of 0 exactly 1.
SIM_ALWAYS_INLINE float power(float f) {
  const float square = f * f;
  float even = vec::fma(square, kEven[0], kEven[1]);
  even = vec::fma(square, even, kEven[2]);
  even = vec::fma(square, even, 1.0f);
  const float odd = vec::fma(square, vec::fma(square, kOdd[0], kOdd[1]), kOdd[2]);
  return vec::fma(f, odd, even);
}

SIM_ALWAYS_INLINE float exp(float x) {
  const Split at = split_of_e(vec::detail::clamp(x, -104.0f, 89.0f));
  // In two steps: 2^n may lie outside of float's range where the result does not.
  const auto n = static_cast<std::int32_t>(at.shifted_n - vec::detail::kRoundingShiftBits);
  const std::int32_t half = n >> 1;
  return (power(at.f) * vec::detail::power_of_two(half)) * vec::detail::power_of_two(n - half);
}

/// e^x for x <= 0 or NaN.
SIM_ALWAYS_INLINE float exp_of_negative(float x) {
  const Split at = split_of_e(x);
  // 2^(n + 25): the result itself may be subnormal, its factors are not.
  const float scale = vec::detail::from_bits(at.exponent() + ((127u + 25u) << 23));
  const float product = (power(at.f) * scale) * 0x1p-25f;
  return vec::select(x < -104.0f, 0.0f, product);
}

/// 1 / (1 + e^-x), with all its digits on the negative side too.
SIM_ALWAYS_INLINE float sigmoid(float x) {
  const float e = exp_of_negative(-vec::abs(x));
  return vec::select(x < 0.0f, e, 1.0f) / (1.0f + e);
}

}  // namespace pyaclnn::sim::base_two
