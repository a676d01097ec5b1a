// Derivatives that several activations share, as float formulas for vectorised loops.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/vecmath.hpp"

namespace pyaclnn::sim {

/// sigmoid(z) + w sigmoid'(z): the derivative of x sigmoid(z(x)) where w = x z'(x).
SIM_ALWAYS_INLINE float gate_slope(float z, float w) {
  const float e = vec::exp_of_negative(-vec::abs(z));
  const float near_one = 1.0f / (1.0f + e);
  const float near_zero = e * near_one;
  const float gate = vec::select(z < 0.0f, near_zero, near_one);
  return gate + w * (near_one * near_zero);
}

/// d/dx x Phi(x), Phi the distribution function of the standard normal law.
SIM_ALWAYS_INLINE float gelu_slope(float x) { return vec::normal_cdf(x) + x * vec::normal_pdf(x); }

/// d/dx x / (1 + exp(-2u)) with u = sqrt(2 / pi) (x + 0.044715 x^3), GELU's tanh approximation.
SIM_ALWAYS_INLINE float gelu_tanh_slope(float x) {
  // Beyond 20 the slope is 0 or 1; the powers of larger numbers would overflow.
  const float t = vec::detail::clamp(x, -20.0f, 20.0f);
  const float square = t * t;
  const float z = t * (1.5957691f + 0.071354816f * square);
  const float w = t * (1.5957691f + 0.21406445f * square);
  return gate_slope(z, w);
}

constexpr float kSeluScale = 1.0507009873554804934f;
constexpr double kSeluScaleAlpha = 1.7580993408473768599;

/// By SELU's result, which is near -1.758... for strongly negative inputs: all digits of the
/// constant count.
SIM_ALWAYS_INLINE float selu_slope(float result, bool is_below) {
  constexpr auto kHigh = static_cast<float>(kSeluScaleAlpha);
  constexpr auto kLow = static_cast<float>(kSeluScaleAlpha - kHigh);
  return vec::select(is_below, (result + kHigh) + kLow, kSeluScale);
}

}  // namespace pyaclnn::sim
