// erf and gelu as powers of two whose exponents are polynomials: one polynomial serves the whole
// range, with neither a division nor a second formula around 0.
//
// Relative error: of erf below 2^-22; of gelu below 2^-18 down to -5, 2^-15 down to -8 and 2^-10 in
// the rest of its tail, which ends at -12.75. Coefficients are minimax fits of ours.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/vecmath.hpp"

namespace pyaclnn::sim::normal_law {

/// x = n + f with |f| <= 1/2, for |x| < 2^22.
struct Split {
  std::uint32_t shifted_n;  // n + 0x4B400000
  float f;
};

SIM_ALWAYS_INLINE Split split(float x) {
  const float shifted = x + vec::detail::kRoundingShift;
  return {vec::detail::bits_of(shifted), x - (shifted - vec::detail::kRoundingShift)};
}

/// 2^f for |f| <= 1/2.
SIM_ALWAYS_INLINE float power_of_two(float f) {
  const float square = f * f;
  const float even = vec::fma(square, vec::fma(square, 9.675541e-3f, 0.2402212f), 1.0000001f);
  const float odd = vec::fma(square, vec::fma(square, 1.3276466e-3f, 0.055507135f), 0.69314694f);
  return vec::fma(f, odd, even);
}

/// Q(a) for the standard normal law's Q, the probability of more than a >= 0.
SIM_ALWAYS_INLINE float upper_tail(float a) {
  // log2 Q(a) on [0, 12.75], even and odd powers of a apart: in one chain each step would wait for
  // the one before, which takes longer than all of them.
  const float square = a * a;
  float even = vec::fma(square, -7.0287825e-12f, -1.7428098e-8f);
  float odd = vec::fma(square, 5.3043442e-10f, 3.2471175e-7f);
  even = vec::fma(square, even, -3.7015541e-6f);
  odd = vec::fma(square, odd, 2.4873319e-5f);
  even = vec::fma(square, even, -6.1972503e-5f);
  odd = vec::fma(square, odd, -5.6643857e-4f);
  even = vec::fma(square, even, 7.8455554e-3f);
  odd = vec::fma(square, odd, -0.05326345f);
  even = vec::fma(square, even, -0.45883718f);
  odd = vec::fma(square, odd, -1.1511738f);
  even = vec::fma(square, even, -0.99999791f);
  const Split at = split(vec::fma(a, odd, even));
  // Times 2^n, in the exponent. Beyond the range whatever these bits are is dropped.
  const float result =
      vec::detail::from_bits(vec::detail::bits_of(power_of_two(at.f)) + (at.shifted_n << 23));
  return vec::select(a > 12.75f, 0.0f, result);
}

SIM_ALWAYS_INLINE float gelu(float x) {
  const float tail = upper_tail(vec::abs(x));
  return x * vec::select(x < 0.0f, tail, 1.0f - tail);
}

SIM_ALWAYS_INLINE float erf(float x) {
  const float magnitude = vec::abs(x);
  const float a = vec::select(magnitude > 3.95f, 3.95f, magnitude);
  // log2(1 - erf(a)) / a
  float p = vec::fma(a, -5.8729263e-5f, 5.4966862e-4f);
  p = vec::fma(a, p, -1.8058907e-3f);
  p = vec::fma(a, p, -2.9678308e-4f);
  p = vec::fma(a, p, 0.027875343f);
  p = vec::fma(a, p, -0.14832984f);
  p = vec::fma(a, p, -0.91844344f);
  p = vec::fma(a, p, -1.627907f);
  const Split at = split(a * p);
  // 2^f - 1, exact to the last digits near 0.
  float power = vec::fma(at.f, 1.546973e-4f, 1.3390867e-3f);
  power = vec::fma(at.f, power, 9.618031e-3f);
  power = vec::fma(at.f, power, 0.05550357f);
  power = vec::fma(at.f, power, 0.2402265f);
  power = at.f * vec::fma(at.f, power, 0.69314718f);
  const float scale = vec::detail::from_bits((at.shifted_n << 23) + (127u << 23));
  return vec::copy_sign((1.0f - scale) - scale * power, x);
}

}  // namespace pyaclnn::sim::normal_law
