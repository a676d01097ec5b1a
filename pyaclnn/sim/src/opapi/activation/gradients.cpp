// Gradients of element-wise activations: g is the gradient, x the input, y the forward result.
// SPDX-License-Identifier: MIT
#include "opapi/activation/slopes.hpp"
#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim::formulas {
namespace {

/// d/dx x tanh(softplus(x)), in e = exp(-|x|): neither overflows nor cancels.
SIM_ALWAYS_INLINE float mish_slope(float x) {
  const float e = vec::exp_of_negative(-vec::abs(x));
  const float twice = 2.0f * e;
  const float square = e * e;
  const bool negative = x < 0.0f;
  const float above = vec::select(negative, square + twice, 1.0f + twice);
  const float below = above + 2.0f * vec::select(negative, 1.0f, square);
  // x sigmoid(x) (1 - tanh^2), the denominators taken together.
  const float rest = 4.0f * x * (1.0f + e) * vec::select(negative, e, square);
  return (above + rest / below) / below;
}

/// The derivative of x sigmoid(beta x).
SIM_ALWAYS_INLINE float swish_slope(float x, float beta) {
  const float z = beta * x;
  return gate_slope(z, z);
}

/// That of hardswish between -3 and 3, x / 3 + 0.5. Added first, so that no digits cancel near the
/// zero at -1.5.
SIM_ALWAYS_INLINE float hardswish_inside(float x) { return (x + 1.5f) * 0.33333334f; }

/// At -3 and 3 themselves this is -0.5 and 1.5.
SIM_ALWAYS_INLINE float hardswish_slope(float x) {
  const float inside = hardswish_inside(x);
  const float above = x < -3.0f ? 0.0f : inside;
  return x > 3.0f ? 1.0f : above;
}

SIM_ALWAYS_INLINE float hardswish_slope_v2(float x) {
  const float inside = hardswish_inside(x);
  const float below = x < 3.0f ? inside : 1.0f;
  return x <= -3.0f ? 0.0f : below;
}

/// `otherwise` for NaN.
SIM_ALWAYS_INLINE float hardswish_gradient(float g, float x, float otherwise) {
  const float product = g * hardswish_slope(x);
  return x == x ? product : otherwise;
}

/// beta x > threshold counts as a straight line.
SIM_ALWAYS_INLINE float softplus_slope(float x, float beta, float threshold) {
  const float z = x * beta;
  return vec::select(z > threshold, 1.0f, vec::sigmoid(z));
}

}  // namespace

// `height` is alpha * scale.
FORMULA(elu_backward, kFloat, SIM_5(g, x, scale, inner, height), 2,
        g* vec::select(x > 0.0f, scale, inner * height * vec::exp(inner * x)))
FORMULA(elu_backward_of_result, kFloat | kQuick, SIM_5(g, y, scale, inner, height), 2,
        g* vec::select(y > 0.0f, scale, inner*(y + height)))
FORMULA(gelu_backward, kFloat, SIM_2(g, x), 2, g* gelu_slope(x))
FORMULA(gelu_tanh_backward, kFloat, SIM_2(g, x), 2, g* gelu_tanh_slope(x))
FORMULA(hardsigmoid_backward, kFloat | kQuick, SIM_2(g, x), 2,
        vec::select(vec::abs(x) < 3.0f, g * (1.0f / 6.0f), 0.0f))
FORMULA(hardswish_backward, kFloat | kQuick, SIM_2(g, x), 2, g* hardswish_slope(x))
FORMULA(hardswish_backward_950, kFloat | kQuick, SIM_2(g, x), 2, hardswish_gradient(g, x, g))
FORMULA(hardswish_backward_one_for_nan, kFloat | kQuick, SIM_2(g, x), 2,
        hardswish_gradient(g, x, 1.0f))
// Continuous in -3 and 3, and 1 for NaN.
FORMULA(hardswish_backward_v2, kFloat | kQuick, SIM_2(g, x), 2, g* hardswish_slope_v2(x))
// A mask of 0 and 1, which an infinite gradient makes NaN.
FORMULA(relu_backward_by_mask, kFloat | kQuick, SIM_2(g, x), 2, g*(x <= 0.0f ? 0.0f : 1.0f))
// NaN lets the gradient through.
FORMULA(threshold_backward, kFloat | kQuick, SIM_3(g, x, limit), 2,
        vec::select(x <= limit, 0.0f, g))
FORMULA(threshold_backward_above, kFloat | kQuick, SIM_3(g, x, limit), 2,
        vec::select(x > limit, g, 0.0f))
FORMULA(hardtanh_backward, kFloat | kQuick, SIM_4(g, x, low, high), 2,
        vec::select(x >= high, 0.0f, vec::select(x <= low, 0.0f, g)))
FORMULA(leaky_relu_backward, kFloats | kQuick, SIM_3(g, x, slope), 2,
        m::select<T>(x > T(0), g, g* slope))
FORMULA(log_sigmoid_backward, kFloat, SIM_2(g, x), 2, g* vec::sigmoid(-x))
FORMULA(mish_backward, kFloat, SIM_2(g, x), 2, g* mish_slope(x))
FORMULA(selu_backward, kFloat | kQuick, SIM_2(g, r), 2, g* selu_slope(r, r < 0.0f))
// Here 0 belongs to the lower branch.
FORMULA(selu_backward_950, kFloat | kQuick, SIM_2(g, r), 2, g* selu_slope(r, r <= 0.0f))
// Of complex numbers too: nothing is conjugated.
FORMULA(sigmoid_backward, kFloats | kComplexes | kQuick, SIM_2(g, y), 2,
        m::mul(m::mul(g, m::sub(m::of<T>(1), y)), y))
FORMULA(shrink_backward, kFloat | kQuick, SIM_3(g, x, bound), 2,
        vec::select(vec::abs(x) <= bound, 0.0f, g))
FORMULA(softplus_backward, kFloat, SIM_4(g, x, beta, threshold), 2,
        g* softplus_slope(x, beta, threshold))
FORMULA(swish_backward, kFloat, SIM_3(g, x, beta), 2, g* swish_slope(x, beta))
FORMULA(tanh_backward, kFloats | kQuick, SIM_2(g, y), 2, g*((T(1) - y) * (T(1) + y)))

}  // namespace pyaclnn::sim::formulas
