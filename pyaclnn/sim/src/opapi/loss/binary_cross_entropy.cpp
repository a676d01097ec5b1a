// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_binary_cross_entropy_backward.h"
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/loss/loss.hpp"

using namespace pyaclnn::sim;

namespace {

constexpr float kSmallest = 1e-12f;  // of the denominator

/// d/dx of -(t ln x + (1 - t) ln(1 - x)).
inline float slope(float x, float t) {
  const float denominator = x * (1.0f - x);
  return (x - t) / (denominator > kSmallest ? denominator : kSmallest);
}

void check_shapes(const Check& check, const TensorArgument& gradOutput, const TensorArgument& self,
                  const TensorArgument& target, const TensorArgument& weight,
                  const TensorArgument& out) {
  if (self.is_empty()) return;
  check.same_shape(self, out);
  check_broadcasts_to(check, target, self.shape(), "the shape of self");
  if (weight.given()) check_broadcasts_to(check, weight, self.shape(), "the shape of self");
  check_broadcasts_to(check, gradOutput, self.shape(), "the shape of self");
}

}  // namespace

// out = weight (self - target) / max(self (1 - self), 1e-12) gradOutput, divided by the number of
// elements for the mean.
OPERATOR(BinaryCrossEntropyBackward, (In, gradOutput), (In, self), (In, target),
         (In, weightOptional), (Int, reduction), (Out, out)) {
  check.not_null(gradOutput, self, target, out);
  check.rank_at_most(8, gradOutput, self, target);
  if (weightOptional.given()) check.rank_at_most(8, weightOptional);
  check.rank_at_most(8, out);
  check.dtype_in(loss_dtypes(), self, gradOutput, target, out);
  if (weightOptional.given()) check.dtype_in(loss_dtypes(), weightOptional);
  check_formats(check, self, target, weightOptional);
  check_shapes(check, gradOutput, self, target, weightOptional, out);
  check_reduction(check, reduction);
  const aclDataType dtype = weightOptional.given()
                                ? promoted(check, self, target, gradOutput, weightOptional)
                                : promoted(check, self, target, gradOutput);
  if (self.is_empty()) return;

  plan.stage(gradOutput).contiguous().cast_to(dtype);
  plan.stage(self).contiguous().cast_to(dtype);
  plan.stage(target).contiguous().cast_to(dtype);
  stage_weight(plan, weightOptional, self, dtype);
  plan.result(dtype, self.shape()).cast_to(out.dtype()).copy_to(out);
  const float scale = loss_scale(reduction, self.elements());
  if (weightOptional.given()) {
    elementwise_cast(
        plan, out, dtype,
        [scale](float g, float x, float t, float w) { return slope(x, t) * w * g * scale; },
        gradOutput, self, target, weightOptional);
  } else {
    elementwise_cast(
        plan, out, dtype, [scale](float g, float x, float t) { return slope(x, t) * g * scale; },
        gradOutput, self, target);
  }
}
