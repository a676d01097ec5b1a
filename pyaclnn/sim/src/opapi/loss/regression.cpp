// SPDX-License-Identifier: MIT
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/loss/gradients.hpp"
#include "opapi/loss/loss.hpp"

namespace pyaclnn::sim {
namespace {

template <class Function>
void launch(Plan& plan, const LossGradient& a, Function function) {
  elementwise_cast(plan, a.out, a.type, std::move(function), a.grad, a.self, a.target);
}

}  // namespace

void mse_loss_gradient(Plan& plan, const LossGradient& call) {
  launch(plan, call,
         [scale = 2.0f * call.scale](float g, float x, float t) { return (x - t) * scale * g; });
}

void l1_loss_gradient(Plan& plan, const LossGradient& call) {
  launch(plan, call, [scale = call.scale](float g, float x, float t) {
    const float positive = vec::select(x > t, scale, 0.0f);
    return vec::select(x < t, -scale, positive) * g;
  });
}

void soft_margin_loss_gradient(Plan& plan, const LossGradient& call) {
  launch(plan, call, [scale = call.scale](float g, float x, float t) {
    return -t * vec::sigmoid(-t * x) * scale * g;
  });
}

void smooth_l1_loss_gradient(Plan& plan, const LossGradient& call, float beta) {
  stage_cast(plan, call);
  launch(plan, call, [scale = call.scale, beta](float g, float x, float t) {
    const float d = x - t;
    const float inside = d / beta;
    const float above = vec::select(d >= beta, 1.0f, 0.0f);
    const float below = vec::select(d <= -beta, 1.0f, 0.0f);
    const float slope = vec::select(vec::abs(d) >= beta, above - below, inside);
    return slope * scale * g;
  });
}

}  // namespace pyaclnn::sim
