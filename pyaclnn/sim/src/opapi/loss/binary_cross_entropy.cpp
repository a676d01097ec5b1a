// SPDX-License-Identifier: MIT
#include "opapi/common/elementwise_cast.hpp"
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

}  // namespace

void binary_cross_entropy_gradient(Plan& plan, const LossGradient& call,
                                   const TensorArgument& weight) {
  stage_cast(plan, call, {&weight});
  if (weight.given()) {
    elementwise_cast(
        plan, call.out, call.type,
        [scale = call.scale](float g, float x, float t, float w) {
          return slope(x, t) * w * g * scale;
        },
        call.grad, call.self, call.target, weight);
  } else {
    elementwise_cast(
        plan, call.out, call.type,
        [scale = call.scale](float g, float x, float t) { return slope(x, t) * g * scale; },
        call.grad, call.self, call.target);
  }
}

}  // namespace pyaclnn::sim
