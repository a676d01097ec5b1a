// SPDX-License-Identifier: MIT
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/loss/gradients.hpp"
#include "opapi/loss/loss.hpp"

namespace pyaclnn::sim {
namespace {

constexpr float kSmallest = 1e-12f;  // of the denominator

/// d/dx of -(t ln x + (1 - t) ln(1 - x)).
inline float slope(float x, float t) {
  const float denominator = x * (1.0f - x);
  return (x - t) / (denominator > kSmallest ? denominator : kSmallest);
}

/// sigmoid(x) and 1 - sigmoid(x), each with all its digits.
struct Probability {
  float one;
  float zero;
};

SIM_ALWAYS_INLINE Probability probability(float x) {
  const float e = vec::exp(-vec::abs(x));
  const float larger = 1.0f / (1.0f + e);
  const float smaller = e * larger;
  return {vec::select(x < 0.0f, smaller, larger), vec::select(x < 0.0f, larger, smaller)};
}

/// d/dx of (1 - t) x + (1 + (p - 1) t) softplus(-x). Written without sigmoid(x) - 1.
SIM_ALWAYS_INLINE float logits_slope(float x, float t, float p) {
  const Probability is = probability(x);
  return (1.0f - t) * is.one - p * t * is.zero;
}

/// d/dt of the same.
SIM_ALWAYS_INLINE float target_slope(float x, float p) {
  const float rest = vec::log1p(vec::exp(-vec::abs(x)));
  const float positive = vec::select(x < 0.0f, 0.0f, x);
  const float negative = vec::select(x < 0.0f, x, 0.0f);
  return p * (rest - negative) - (rest + positive);
}

/// out = function(weight, inputs...), where a weight that is not given counts as 1.
template <class Function, class... Inputs>
void launch(Plan& plan, const LossGradient& call, const TensorArgument& weight, Function function,
            const Inputs&... inputs) {
  if (weight.given()) {
    elementwise_cast(plan, call.out, call.type, function, weight, inputs...);
  } else {
    elementwise_cast(
        plan, call.out, call.type, [function](auto... values) { return function(1.0f, values...); },
        inputs...);
  }
}

}  // namespace

void binary_cross_entropy_gradient(Plan& plan, const LossGradient& call,
                                   const TensorArgument& weight) {
  stage_cast(plan, call, {&weight});
  launch(
      plan, call, weight,
      [scale = call.scale](float w, float g, float x, float t) {
        return slope(x, t) * w * g * scale;
      },
      call.grad, call.self, call.target);
}

void binary_cross_entropy_with_logits_gradient(Plan& plan, const LossGradient& call,
                                               const TensorArgument& weight,
                                               const TensorArgument& pos_weight) {
  stage_cast(plan, call, {&weight, &pos_weight});
  const float scale = call.scale;
  if (pos_weight.given()) {
    launch(
        plan, call, weight,
        [scale](float w, float g, float x, float t, float p) {
          return logits_slope(x, t, p) * g * w * scale;
        },
        call.grad, call.self, call.target, pos_weight);
  } else {
    launch(
        plan, call, weight,
        [scale](float w, float g, float x, float t) {
          return logits_slope(x, t, 1.0f) * g * w * scale;
        },
        call.grad, call.self, call.target);
  }
}

void binary_cross_entropy_with_logits_target_gradient(Plan& plan, const LossGradient& call,
                                                      const TensorArgument& weight,
                                                      const TensorArgument& pos_weight) {
  stage_cast(plan, call, {&weight, &pos_weight});
  const float scale = call.scale;
  if (pos_weight.given()) {
    launch(
        plan, call, weight,
        [scale](float w, float g, float x, float p) { return target_slope(x, p) * g * w * scale; },
        call.grad, call.self, pos_weight);
  } else {
    launch(
        plan, call, weight, [scale](float w, float g, float x) { return -x * g * w * scale; },
        call.grad, call.self);
  }
}

}  // namespace pyaclnn::sim
