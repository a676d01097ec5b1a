// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_kl_div_backward.h"
#include "aclnnop/aclnn_kl_div_target_backward.h"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/elementwise_sum.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/loss/loss.hpp"

using namespace pyaclnn::sim;

namespace {

/// Checks what both gradients check; returns the shape that everything broadcasts to.
Dims check_arguments(const Check& check, const TensorArgument& grad, const TensorArgument& self,
                     const TensorArgument& target, const TensorArgument& out) {
  check.rank_at_most(8, grad, self, target, out);
  const Dims shape = check.broadcast(self, target);
  check_broadcasts_to(check, grad, shape, "the broadcast shape of self and target");
  return shape;
}

/// 1 / elements for mean, 1 / first extent for batchmean; any other number counts as none.
float scale_of(std::int64_t reduction, const Dims& shape) {
  if (reduction == kBatchMean) return shape.empty() ? 1.0f : 1.0f / static_cast<float>(shape[0]);
  return loss_scale(reduction, shape.product());
}

void stage_arguments(Plan& plan, const TensorArgument& grad, const TensorArgument& self,
                     const TensorArgument& target, const Dims& shape, const TensorArgument& out) {
  plan.stage(grad).contiguous().cast_to(ACL_FLOAT);
  plan.stage(self).contiguous().cast_to(ACL_FLOAT).broadcast_to(shape);
  plan.stage(target).contiguous().cast_to(ACL_FLOAT);
  if (shape != out.shape()) plan.reserve(shape.product(), ACL_FLOAT);
  plan.result(ACL_FLOAT, out.shape()).cast_to(out.dtype()).copy_to(out);
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

// out = -target gradOutput, with exp(target) for logTarget; divided by the number of elements of
// the broadcast shape for mean, by its first extent for batchmean; summed over the dimensions that
// self lacks. Computed in float32 whatever the element types.
OPERATOR(KlDivBackward, (In, gradOutput), (In, self), (In, target), (Int, reduction),
         (Flag, logTarget), (Out, out)) {
  check.not_null(gradOutput, self, target, out);
  check_castable(check, self.dtype(), out);
  check.dtype_in(loss_dtypes(), gradOutput, self, target, out);
  const Dims shape = check_arguments(check, gradOutput, self, target, out);
  check.same_shape(self, out);
  if (self.is_empty()) return;

  stage_arguments(plan, gradOutput, self, target, shape, out);
  const float scale = scale_of(reduction, shape);
  if (logTarget) {
    launch(
        plan, out, shape, [scale](float t, float g) { return -(vec::exp(t) * g) * scale; }, target,
        gradOutput);
  } else {
    launch(
        plan, out, shape, [scale](float t, float g) { return -(t * g) * scale; }, target,
        gradOutput);
  }
}

// gradTarget = (ln target + 1 - self) gradOutput, for logTarget exp(target) (target + 1 - self)
// gradOutput; reduced as above, summed over the dimensions that target lacks.
OPERATOR(KlDivTargetBackward, (In, gradOutput), (In, self), (In, target), (Int, reduction),
         (Flag, logTarget), (Out, gradTarget)) {
  check.since_cann_9_0();
  check.not_null(gradOutput, self, target, gradTarget);
  check_castable(check, self.dtype(), gradTarget);
  // Only A2 and A3 have this operator.
  const bool known = on_a2_or_a3();
  check.dtype_in(known ? loss_dtypes() : DtypeSet{}, gradOutput, self, target, gradTarget);
  check.same_dtype(target, gradTarget);
  const Dims shape = check_arguments(check, gradOutput, self, target, gradTarget);
  check.same_shape(target, gradTarget);
  check_formats(check, gradOutput, self, target, gradTarget);
  if (self.is_empty()) return;

  stage_arguments(plan, gradOutput, self, target, shape, gradTarget);
  const float scale = scale_of(reduction, shape);
  if (logTarget) {
    launch(
        plan, gradTarget, shape,
        [scale](float x, float t, float g) { return (g * scale) * vec::exp(t) * (t + 1.0f - x); },
        self, target, gradOutput);
  } else {
    launch(
        plan, gradTarget, shape,
        [scale](float x, float t, float g) { return (g * scale) * (vec::log(t) + 1.0f - x); }, self,
        target, gradOutput);
  }
}
