// erf and gelu as powers of two whose exponents are polynomials: one polynomial serves the whole
// range, with neither a division nor a second formula around 0.
//
// Relative error: of erf below 2^-22; of gelu below 2^-18 down to -5, 2^-15 down to -8 and 2^-10 in
// the rest of its tail, which ends at -12.75; of the gelu for bfloat16, whose results have 8 bits,
// below 2^-10.8. Coefficients are minimax fits of ours.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/vecmath.hpp"
#include "opapi/pointwise/base_two.hpp"

namespace pyaclnn::sim::normal_law {

/// The probability of more than a in the standard normal law, for 0 <= a <= 12.75; bits without
/// meaning beyond.
SIM_ALWAYS_INLINE float upper_tail(float a) {
  // log2 Q(a) on [0, 12.75].
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
  const base_two::Split at = base_two::split(vec::fma(a, odd, even));
  // Times 2^n, in the exponent.
  const float result =
      vec::detail::from_bits(vec::detail::bits_of(base_two::power(at.f)) + at.exponent());
  return result;
}

/// gelu(x), given what upper_tail() says of |x|.
SIM_ALWAYS_INLINE float gelu(float x, float tail) {
  const float a = vec::abs(x);
  const float lacking = vec::select(a > 12.75f, 0.0f, a * tail);
  // x or 0, and of -infinity NaN, as of its product with the tail.
  return vec::fma(x, vec::select(x > 0.0f, 1.0f, 0.0f), -lacking);
}

SIM_ALWAYS_INLINE float gelu(float x) { return gelu(x, upper_tail(vec::abs(x))); }

SIM_ALWAYS_INLINE float gelu_for_bfloat16(float x) {
  const float a = vec::abs(x);
  const float square = a * a;
  float even = vec::fma(square, 1.9454222e-5f, 5.6634108e-3f);
  float odd = vec::fma(square, -3.5911052e-7f, -4.4478523e-4f);
  even = vec::fma(square, even, -0.47139949f);
  odd = vec::fma(square, odd, -0.04523499f);
  even = vec::fma(square, even, -1.0006661f);
  odd = vec::fma(square, odd, -1.1439923f);
  const base_two::Split at = base_two::split(vec::fma(a, odd, even));
  const float first = vec::fma(at.f, 0.055171151f, 0.24261114f);
  const float power = vec::fma(at.f, vec::fma(at.f, first, 0.69326115f), 0.99992806f);
  return gelu(x, vec::detail::from_bits(vec::detail::bits_of(power) + at.exponent()));
}

SIM_ALWAYS_INLINE float erf(float x) {
  const float magnitude = vec::abs(x);
  const float a = vec::select(magnitude > 3.95f, 3.95f, magnitude);
  const float square = a * a;
  // log2(1 - erf(a)) / a
  float odd = vec::fma(square, -5.8729263e-5f, -1.8058907e-3f);
  float even = vec::fma(square, 5.4966862e-4f, -2.9678308e-4f);
  odd = vec::fma(square, odd, 0.027875343f);
  even = vec::fma(square, even, -0.14832984f);
  odd = vec::fma(square, odd, -0.91844344f);
  even = vec::fma(square, even, -1.627907f);
  const base_two::Split at = base_two::split(a * vec::fma(a, odd, even));
  // 2^f - 1, exact to the last digits near 0.
  const float f = at.f;
  const float f2 = f * f;
  const float first = vec::fma(f2, vec::fma(f2, 1.3390867e-3f, 0.05550357f), 0.69314718f);
  const float second = vec::fma(f2, vec::fma(f2, 1.546973e-4f, 9.618031e-3f), 0.2402265f);
  const float power = f * vec::fma(f, second, first);
  const float scale = vec::detail::from_bits(at.exponent() + (127u << 23));
  return vec::copy_sign((1.0f - scale) - scale * power, x);
}

}  // namespace pyaclnn::sim::normal_law
