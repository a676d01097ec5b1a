// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_hardswish_backward.h"
#include "aclnnop/aclnn_hardswish_backward_v2.h"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/elementwise.hpp"
#include "opapi/common/operator.hpp"

using namespace pyaclnn::sim;

namespace {

/// The derivative between -3 and 3, x / 3 + 0.5; at these points themselves V1 gives -0.5 and 1.5.
/// Added first, so that no digits cancel near the zero at -1.5.
SIM_ALWAYS_INLINE float slope(float x) { return (x + 1.5f) * 0.33333334f; }

SIM_ALWAYS_INLINE float slope_v1(float x) {
  const float inside = slope(x);
  const float above = x < -3.0f ? 0.0f : inside;
  return x > 3.0f ? 1.0f : above;
}

void launch_v1(Plan& plan, const TensorArgument& out, const TensorArgument& grad,
               const TensorArgument& self) {
  if (has_950_kernels()) {
    elementwise<float>(
        plan, out,
        [](float g, float x) {
          const float product = g * slope_v1(x);
          return x == x ? product : g;
        },
        grad, self);
  } else if (self.dtype() == ACL_FLOAT16) {
    elementwise<float>(plan, out, [](float g, float x) { return g * slope_v1(x); }, grad, self);
  } else {
    elementwise<float>(
        plan, out,
        [](float g, float x) {
          const float product = g * slope_v1(x);
          return x == x ? product : 1.0f;
        },
        grad, self);
  }
}

void stage_all(Plan& plan, const TensorArgument& out, const TensorArgument& first,
               const TensorArgument& second) {
  plan.stage(first).contiguous();
  plan.stage(second).contiguous();
  plan.result(second.dtype(), second.shape()).copy_to(out);
}

}  // namespace

// out = gradOutput * (self < -3 ? 0 : self > 3 ? 1 : self / 3 + 0.5), in float32.
//
// Where self is NaN the kernels of 8.1, which also serve all chips but the 950 in 9.0, give the
// constant 1 for float32 and bfloat16 and NaN for float16; those of the 950 give the gradient.
OPERATOR(HardswishBackward, (In, gradOutput), (In, self), (Out, out)) {
  check.not_null(gradOutput, self, out);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(), self, gradOutput);
  check.same_dtype(self, gradOutput, out);
  check.rank_at_most(8, gradOutput, self);
  check.same_shape(self, gradOutput, out);
  if (gradOutput.is_empty() || self.is_empty()) return;
  stage_all(plan, out, self, gradOutput);
  launch_v1(plan, out, gradOutput, self);
}

// As above, but continuous in the points -3 and 3: there the factor is 0 and 1. Where self is NaN
// the factor is 1, on every chip.
OPERATOR(HardswishBackwardV2, (In, gradOutput), (In, self), (Out, out)) {
  check.since_cann_9_0();
  check.not_null(gradOutput, self, out);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(), gradOutput, self);
  check.same_dtype(self, gradOutput, out);
  check.rank_at_most(8, gradOutput, self);
  check.same_shape(self, gradOutput, out);
  if (gradOutput.is_empty() || self.is_empty()) return;
  stage_all(plan, out, gradOutput, self);
  elementwise<float>(
      plan, out,
      [](float g, float x) {
        const float inside = slope(x);
        const float below = x < 3.0f ? inside : 1.0f;
        return g * (x <= -3.0f ? 0.0f : below);
      },
      gradOutput, self);
}
