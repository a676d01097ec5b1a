// SPDX-License-Identifier: MIT
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/loss/gradients.hpp"
#include "opapi/loss/loss.hpp"

namespace pyaclnn::sim {
namespace {

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
SIM_ALWAYS_INLINE float slope(float x, float t, float p) {
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

}  // namespace

void binary_cross_entropy_with_logits_gradient(Plan& plan, const LossGradient& call,
                                               const TensorArgument& weight,
                                               const TensorArgument& pos_weight) {
  stage_cast(plan, call, {&weight, &pos_weight});
  const float scale = call.scale;
  if (weight.given() && pos_weight.given()) {
    elementwise_cast(
        plan, call.out, call.type,
        [scale](float g, float x, float t, float w, float p) {
          return slope(x, t, p) * g * w * scale;
        },
        call.grad, call.self, call.target, weight, pos_weight);
  } else if (weight.given()) {
    elementwise_cast(
        plan, call.out, call.type,
        [scale](float g, float x, float t, float w) { return slope(x, t, 1.0f) * g * w * scale; },
        call.grad, call.self, call.target, weight);
  } else if (pos_weight.given()) {
    elementwise_cast(
        plan, call.out, call.type,
        [scale](float g, float x, float t, float p) { return slope(x, t, p) * g * scale; },
        call.grad, call.self, call.target, pos_weight);
  } else {
    elementwise_cast(
        plan, call.out, call.type,
        [scale](float g, float x, float t) { return slope(x, t, 1.0f) * g * scale; }, call.grad,
        call.self, call.target);
  }
}

void binary_cross_entropy_with_logits_target_gradient(Plan& plan, const LossGradient& call,
                                                      const TensorArgument& weight,
                                                      const TensorArgument& pos_weight) {
  stage_cast(plan, call, {&weight, &pos_weight});
  const float scale = call.scale;
  if (weight.given() && pos_weight.given()) {
    elementwise_cast(
        plan, call.out, call.type,
        [scale](float g, float x, float w, float p) { return target_slope(x, p) * g * w * scale; },
        call.grad, call.self, weight, pos_weight);
  } else if (weight.given()) {
    elementwise_cast(
        plan, call.out, call.type,
        [scale](float g, float x, float w) { return -x * g * w * scale; }, call.grad, call.self,
        weight);
  } else if (pos_weight.given()) {
    elementwise_cast(
        plan, call.out, call.type,
        [scale](float g, float x, float p) { return target_slope(x, p) * g * scale; }, call.grad,
        call.self, pos_weight);
  } else {
    elementwise_cast(
        plan, call.out, call.type, [scale](float g, float x) { return -x * g * scale; }, call.grad,
        call.self);
  }
}

}  // namespace pyaclnn::sim
