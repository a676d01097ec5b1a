// SPDX-License-Identifier: MIT
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_binary_cross_entropy_with_logits_backward.h"
#include "aclnnop/aclnn_binary_cross_entropy_with_logits_target_backward.h"
#include "core/status.hpp"
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/loss/loss.hpp"

using namespace pyaclnn::sim;

namespace {

struct Arguments {
  const TensorArgument& grad;
  const TensorArgument& self;
  const TensorArgument& target;
  const TensorArgument& weight;
  const TensorArgument& pos_weight;
  const TensorArgument& out;
};

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

aclDataType check_arguments(const Check& check, const Arguments& a, std::int64_t reduction,
                            const DtypeSet& accepted) {
  check.not_null(a.grad, a.self, a.target, a.out);
  check.rank_at_most(8, a.grad, a.self, a.target);
  if (a.weight.given()) check.rank_at_most(8, a.weight);
  if (a.pos_weight.given()) check.rank_at_most(8, a.pos_weight);
  check.rank_at_most(8, a.out);
  check.dtype_in(accepted, a.grad, a.self, a.target);
  if (a.weight.given()) check.dtype_in(accepted, a.weight);
  if (a.pos_weight.given()) check.dtype_in(accepted, a.pos_weight);
  check.dtype_in(accepted, a.out);
  check.same_dtype(a.target, a.out);
  check_formats(check, a.self, a.target, a.out);
  if (!a.self.is_empty()) {
    check.same_shape(a.self, a.target, a.out);
    check_broadcasts_to(check, a.grad, a.self.shape(), "the shape of self");
    if (a.weight.given()) check_broadcasts_to(check, a.weight, a.self.shape(), "the shape of self");
    if (a.pos_weight.given())
      check_broadcasts_to(check, a.pos_weight, a.self.shape(), "the shape of self");
  }
  check_reduction(check, reduction);
  aclDataType dtype = promoted(check, a.self, a.target, a.grad);
  if (a.weight.given()) dtype = promote(dtype, a.weight.dtype());
  if (a.pos_weight.given()) dtype = promote(dtype, a.pos_weight.dtype());
  return dtype;
}

void stage_arguments(Plan& plan, const Arguments& a, aclDataType dtype) {
  plan.stage(a.grad).contiguous().cast_to(dtype);
  plan.stage(a.self).contiguous().cast_to(dtype);
  plan.stage(a.target).contiguous().cast_to(dtype);
  stage_weight(plan, a.weight, a.self, dtype);
  stage_weight(plan, a.pos_weight, a.self, dtype);
  plan.result(dtype, a.self.shape()).cast_to(a.out.dtype()).copy_to(a.out);
}

}  // namespace

// out = weight ((1 - target) s - posWeight target (1 - s)) gradOutput with s = sigmoid(self),
// divided by the number of elements for the mean.
OPERATOR(BinaryCrossEntropyWithLogitsBackward, (In, gradOutput), (In, self), (In, target),
         (In, weightOptional), (In, posWeightOptional), (Int, reduction), (Out, out)) {
  const Arguments a{gradOutput, self, target, weightOptional, posWeightOptional, out};
  const aclDataType dtype = check_arguments(check, a, reduction, loss_dtypes());
  if (self.is_empty()) return;
  stage_arguments(plan, a, dtype);
  const float scale = loss_scale(reduction, self.elements());
  if (weightOptional.given() && posWeightOptional.given()) {
    elementwise_cast(
        plan, out, dtype,
        [scale](float g, float x, float t, float w, float p) {
          return slope(x, t, p) * g * w * scale;
        },
        gradOutput, self, target, weightOptional, posWeightOptional);
  } else if (weightOptional.given()) {
    elementwise_cast(
        plan, out, dtype,
        [scale](float g, float x, float t, float w) { return slope(x, t, 1.0f) * g * w * scale; },
        gradOutput, self, target, weightOptional);
  } else if (posWeightOptional.given()) {
    elementwise_cast(
        plan, out, dtype,
        [scale](float g, float x, float t, float p) { return slope(x, t, p) * g * scale; },
        gradOutput, self, target, posWeightOptional);
  } else {
    elementwise_cast(
        plan, out, dtype,
        [scale](float g, float x, float t) { return slope(x, t, 1.0f) * g * scale; }, gradOutput,
        self, target);
  }
}

// gradTarget = weight (posWeight softplus(-self) - softplus(self)) gradOutput, which without a
// posWeight is -weight self gradOutput; divided by the number of elements for the mean.
OPERATOR(BinaryCrossEntropyWithLogitsTargetBackward, (In, gradOutput), (In, self), (In, target),
         (In, weightOptional), (In, posWeightOptional), (Int, reduction), (Out, gradTarget)) {
  const Arguments a{gradOutput, self, target, weightOptional, posWeightOptional, gradTarget};
  // CANN's comparison of chips holds for all of them.
  const aclDataType dtype =
      check_arguments(check, a, reduction, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  if (self.is_empty()) return;
  if (dtype == ACL_BF16 && !config().has_bf16())
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: %s has no kernel for bfloat16", plan.api(),
         config().soc_name.c_str());
  stage_arguments(plan, a, dtype);
  const float scale = loss_scale(reduction, self.elements());
  if (weightOptional.given() && posWeightOptional.given()) {
    elementwise_cast(
        plan, gradTarget, dtype,
        [scale](float g, float x, float w, float p) { return target_slope(x, p) * g * w * scale; },
        gradOutput, self, weightOptional, posWeightOptional);
  } else if (weightOptional.given()) {
    elementwise_cast(
        plan, gradTarget, dtype, [scale](float g, float x, float w) { return -x * g * w * scale; },
        gradOutput, self, weightOptional);
  } else if (posWeightOptional.given()) {
    elementwise_cast(
        plan, gradTarget, dtype,
        [scale](float g, float x, float p) { return target_slope(x, p) * g * scale; }, gradOutput,
        self, posWeightOptional);
  } else {
    elementwise_cast(
        plan, gradTarget, dtype, [scale](float g, float x) { return -x * g * scale; }, gradOutput,
        self);
  }
}
