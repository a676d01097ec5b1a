// Piecewise linear activations: the gradient passes, or it does not.
// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_hardshrink_backward.h"
#include "aclnnop/aclnn_hardsigmoid_backward.h"
#include "aclnnop/aclnn_hardtanh_backward.h"
#include "opapi/activation/activation.hpp"
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/common/vecmath.hpp"

using namespace pyaclnn::sim;

// gradInput = |self| <= lambd ? 0 : gradOutput; a lambd below 0 counts as 0.
OPERATOR(HardshrinkBackward, (In, gradOutput), (In, self), (ScalarIn, lambd), (Out, gradInput)) {
  check.not_null(gradOutput, self, lambd, gradInput);
  check.dtype_in(activation_dtypes(), gradOutput, self, gradInput);
  check.rank_at_most(8, gradOutput, self, gradInput);
  const aclDataType dtype = promoted(check, gradOutput, self);
  check_castable(check, dtype, gradInput);
  // Shapes are not looked at where there is nothing to compute.
  if (gradOutput.is_empty() || self.is_empty()) return;
  const Dims shape = check.broadcast(gradOutput, self);
  check.shape_is(gradInput, shape, "the broadcast shape of gradOutput and self");
  plan.stage(self).contiguous().broadcast_to(shape).cast_to(dtype);
  plan.stage(gradOutput).contiguous().broadcast_to(shape).cast_to(dtype);
  plan.result(dtype, shape).cast_to(gradInput.dtype()).copy_to(gradInput);
  const float given = lambd->to_float();
  const float limit = given < 0 ? 0.0f : given;
  elementwise_cast(
      plan, gradInput, dtype,
      [limit](float g, float x) { return vec::select(vec::abs(x) <= limit, 0.0f, g); }, gradOutput,
      self);
}

// out = -3 < self < 3 ? gradOutput / 6 : 0.
OPERATOR(HardsigmoidBackward, (In, gradOutput), (In, self), (Out, out)) {
  check.not_null(gradOutput, self, out);
  check.dtype_in(activation_dtypes(), gradOutput, self);
  const aclDataType dtype = promoted(check, gradOutput, self);
  check_castable(check, dtype, out);
  check.rank_at_most(8, gradOutput, self, out);
  check.same_shape(self, gradOutput, out);
  if (gradOutput.is_empty()) return;
  plan.stage(gradOutput).contiguous().cast_to(dtype);
  plan.stage(self).contiguous().cast_to(dtype);
  plan.result(dtype, self.shape()).cast_to(out.dtype()).copy_to(out);
  elementwise_cast(
      plan, out, dtype,
      [](float g, float x) { return vec::select(vec::abs(x) < 3.0f, g * (1.0f / 6.0f), 0.0f); },
      gradOutput, self);
}

// out = self <= min or self >= max ? 0 : gradOutput. A NaN in self lets the gradient through.
OPERATOR(HardtanhBackward, (In, gradOutput), (In, self), (ScalarIn, min), (ScalarIn, max),
         (Out, out)) {
  check.not_null(self, gradOutput, out, min, max);
  check.dtype_in(activation_dtypes(), gradOutput, self, out);
  check.same_dtype(self, gradOutput);
  check.rank_at_most(8, gradOutput, self);
  check.same_shape(self, gradOutput);
  if (gradOutput.is_empty()) return;
  plan.stage(out).contiguous();
  stage_pair(plan, gradOutput, self, out);
  const float low = min->to_float();
  const float high = max->to_float();
  elementwise<float>(
      plan, out,
      [=](float g, float x) {
        const float inside = vec::select(x <= low, 0.0f, g);
        return vec::select(x >= high, 0.0f, inside);
      },
      gradOutput, self);
}
