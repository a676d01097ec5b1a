// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_soft_margin_loss_backward.h"
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/loss/loss.hpp"

using namespace pyaclnn::sim;

// out = -target / (1 + exp(target self)) gradOutput, divided by the number of elements for the
// mean. CANN does not check the reduction and reads beyond a table; here it is refused.
OPERATOR(SoftMarginLossBackward, (In, gradOutput), (In, self), (In, target), (Int, reduction),
         (Out, out)) {
  check.not_null(gradOutput, self, target, out);
  check.dtype_in(loss_dtypes(), gradOutput, self, target, out);
  check.rank_at_most(8, gradOutput, self, target);
  const Dims shape = broadcast_all(check, gradOutput, self, target);
  check.shape_is(out, shape, "the broadcast shape of gradOutput, self and target");
  check_reduction(check, reduction);
  if (self.is_empty()) return;

  const aclDataType dtype = promoted(check, gradOutput, self, target);
  plan.stage(gradOutput).contiguous().cast_to(dtype).broadcast_to(shape);
  plan.stage(self).contiguous().cast_to(dtype).broadcast_to(shape);
  plan.stage(target).contiguous().cast_to(dtype).broadcast_to(shape);
  plan.result(dtype, shape).cast_to(out.dtype()).copy_to(out);
  const float scale = loss_scale(reduction, shape.product());
  elementwise_cast(
      plan, out, dtype,
      [scale](float g, float x, float t) { return -t * vec::sigmoid(-t * x) * scale * g; },
      gradOutput, self, target);
}
