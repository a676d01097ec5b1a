// SPDX-License-Identifier: MIT
#include "opapi/common/elementwise_sum.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/loss/gradients.hpp"
#include "opapi/loss/loss.hpp"

namespace pyaclnn::sim {
namespace {

void stage_arguments(Plan& plan, const LossGradient& a, const Dims& shape) {
  plan.stage(a.grad).contiguous().cast_to(a.type);
  plan.stage(a.self).contiguous().cast_to(a.type).broadcast_to(shape);
  plan.stage(a.target).contiguous().cast_to(a.type);
  if (shape != a.out.shape()) plan.reserve(shape.product(), a.type);
  plan.result(a.type, a.out.shape()).cast_to(a.out.dtype()).copy_to(a.out);
}

/// Sums over the dimensions that `out` has not, where there are any.
template <class Function, class... Inputs>
void launch(Plan& plan, const TensorArgument& out, const Dims& shape, Function function,
            const Inputs&... inputs) {
  if (shape == out.shape()) {
    elementwise<float>(plan, out, Rounding::kTruncate, std::move(function), inputs...);
  } else {
    elementwise_sum(plan, out, shape, std::move(function), inputs...);
  }
}

}  // namespace

float kl_div_scale(std::int64_t reduction, const Dims& shape) {
  if (reduction == kBatchMean) return shape.empty() ? 1.0f : 1.0f / static_cast<float>(shape[0]);
  return loss_scale(reduction, shape.product());
}

void kl_div_gradient(Plan& plan, const LossGradient& call, const Dims& shape, bool in_logarithms) {
  stage_arguments(plan, call, shape);
  const float scale = call.scale;
  if (in_logarithms) {
    launch(
        plan, call.out, shape, [scale](float t, float g) { return -(vec::exp(t) * g) * scale; },
        call.target, call.grad);
  } else {
    launch(
        plan, call.out, shape, [scale](float t, float g) { return -(t * g) * scale; }, call.target,
        call.grad);
  }
}

void kl_div_target_gradient(Plan& plan, const LossGradient& call, const Dims& shape,
                            bool in_logarithms) {
  stage_arguments(plan, call, shape);
  const float scale = call.scale;
  if (in_logarithms) {
    launch(
        plan, call.out, shape,
        [scale](float x, float t, float g) { return (g * scale) * vec::exp(t) * (t + 1.0f - x); },
        call.self, call.target, call.grad);
  } else {
    launch(
        plan, call.out, shape,
        [scale](float x, float t, float g) { return (g * scale) * (vec::log(t) + 1.0f - x); },
        call.self, call.target, call.grad);
  }
}

}  // namespace pyaclnn::sim
