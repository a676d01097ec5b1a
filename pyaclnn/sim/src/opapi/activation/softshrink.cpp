// SPDX-License-Identifier: MIT
#include <cmath>

#include "aclnnop/aclnn_softshrink_backward.h"
#include "opapi/common/elementwise.hpp"
#include "opapi/common/operator.hpp"

using namespace pyaclnn::sim;

// gradInput = |self| <= lambd ? 0 : gradOutput. A selection: NaN in self lets the gradient through.
OPERATOR(SoftshrinkBackward, (In, gradOutput), (In, self), (ScalarIn, lambd), (Out, gradInput)) {
  check.not_null(gradOutput, self, lambd, gradInput);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(), gradOutput, self, gradInput);
  check.rank_at_most(8, gradOutput, self);
  const Dims shape = check.broadcast(gradOutput, self);
  check.shape_is(gradInput, shape, "the broadcast shape of gradOutput and self");
  const float limit = lambd->to_float();
  check.that(!(limit < 0), "lambd is %g, it must not be below 0", double(limit));
  if (gradOutput.is_empty() || gradInput.is_empty()) return;

  const aclDataType dtype = gradOutput.dtype() == self.dtype() ? self.dtype() : ACL_FLOAT;
  plan.stage(gradOutput).contiguous().broadcast_to(shape).cast_to(dtype);
  plan.stage(self).contiguous().broadcast_to(shape).cast_to(dtype);
  plan.result(dtype, shape).copy_to(gradInput);
  elementwise<float>(
      plan, gradInput, [limit](float g, float x) { return std::fabs(x) <= limit ? 0.0f : g; },
      gradOutput, self);
}
