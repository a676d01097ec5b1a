// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_l1_loss_backward.h"
#include "aclnnop/aclnn_mse_loss_backward.h"
#include "aclnnop/aclnn_smooth_l1_loss_backward.h"
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/loss/loss.hpp"

using namespace pyaclnn::sim;

// out = 2 (self - target) gradOutput, divided by the number of elements of self for the mean.
OPERATOR(MseLossBackward, (In, gradOutput), (In, self), (In, target), (Int, reduction),
         (Out, out)) {
  check.not_null(gradOutput, self, target, out);
  check.same_dtype(self, gradOutput, target);
  check.dtype_in(loss_dtypes(), self, out);
  check_reduction(check, reduction);
  check.rank_at_most(8, gradOutput, self, target);
  const Dims shape = broadcast_all(check, gradOutput, self, target);
  check.shape_is(out, shape, "the broadcast shape of gradOutput, self and target");
  if (self.is_empty() || gradOutput.is_empty() || target.is_empty()) return;

  plan.stage(gradOutput).contiguous();
  plan.stage(self).contiguous();
  plan.stage(target).contiguous();
  plan.result(self.dtype(), shape).cast_to(out.dtype()).copy_to(out);
  const float scale = 2.0f * loss_scale(reduction, self.elements());
  elementwise_cast(
      plan, out, self.dtype(), [scale](float g, float x, float t) { return (x - t) * scale * g; },
      gradOutput, self, target);
}

// gradInput = sign(self - target) gradOutput, divided by the number of elements for the mean.
// Where one of two equal values is NaN, so is no sign: the result is 0.
OPERATOR(L1LossBackward, (In, gradOutput), (In, self), (In, target), (Int, reduction),
         (Out, gradInput)) {
  check.not_null(gradOutput, self, target, gradInput);
  check_reduction(check, reduction);
  const aclDataType dtype = promoted(check, gradOutput, self, target);
  check_castable(check, dtype, gradInput);
  check.that(loss_dtypes().contains(dtype),
             "gradOutput, self and target have element type %d in common; it must be one of %s",
             int(dtype), loss_dtypes().text().c_str());
  check.rank_at_most(8, self, target, gradOutput, gradInput);
  const Dims shape = broadcast_all(check, self, gradOutput, target);
  check.shape_is(gradInput, shape, "the broadcast shape of gradOutput, self and target");
  if (self.is_empty() || gradOutput.is_empty() || target.is_empty()) return;

  plan.stage(gradOutput).contiguous().broadcast_to(shape).cast_to(dtype);
  plan.stage(self).contiguous().broadcast_to(shape).cast_to(dtype);
  plan.stage(target).contiguous().broadcast_to(shape).cast_to(dtype);
  plan.result(dtype, shape).cast_to(gradInput.dtype()).copy_to(gradInput);
  const float scale = loss_scale(reduction, shape.product());
  elementwise_cast(
      plan, gradInput, dtype,
      [scale](float g, float x, float t) {
        const float positive = vec::select(x > t, scale, 0.0f);
        return vec::select(x < t, -scale, positive) * g;
      },
      gradOutput, self, target);
}

// gradInput = gradOut * (|d| < beta ? d / beta : sign(d)) with d = self - target, divided by the
// number of elements of self for the mean. With beta 0 this is the gradient of the L1 loss.
OPERATOR(SmoothL1LossBackward, (In, gradOut), (In, self), (In, target), (Int, reduction),
         (Float, beta), (Out, gradInput)) {
  check.not_null(gradOut, self, target, gradInput);
  check.dtype_in(loss_dtypes(), gradOut, self, target, gradInput);
  check.rank_at_most(8, gradOut, self, target);
  check_reduction(check, reduction);
  check.that(beta >= 0, "beta is %g, it must not be below 0", double(beta));
  const aclDataType dtype = promoted(check, gradOut, self, target);
  const Dims shape = broadcast_all(check, gradOut, self, target);
  check.shape_is(gradInput, shape, "the broadcast shape of gradOut, self and target");
  if (gradOut.is_empty() || self.is_empty() || target.is_empty()) return;

  plan.stage(gradOut).contiguous().cast_to(dtype);
  plan.stage(self).contiguous().cast_to(dtype);
  plan.stage(target).contiguous().cast_to(dtype);
  plan.result(dtype, shape).cast_to(gradInput.dtype()).copy_to(gradInput);
  const float scale = loss_scale(reduction, self.elements());
  elementwise_cast(
      plan, gradInput, dtype,
      [scale, limit = float(beta)](float g, float x, float t) {
        const float d = x - t;
        const float inside = d / limit;
        const float above = vec::select(d >= limit, 1.0f, 0.0f);
        const float below = vec::select(d <= -limit, 1.0f, 0.0f);
        const float slope = vec::select(vec::abs(d) >= limit, above - below, inside);
        return slope * scale * g;
      },
      gradOut, self, target);
}
