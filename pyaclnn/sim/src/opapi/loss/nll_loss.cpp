// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_nll_loss2d_backward.h"
#include "aclnnop/aclnn_nll_loss_backward.h"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/loss/loss.hpp"
#include "opapi/loss/nll_loss_kernel.hpp"

using namespace pyaclnn::sim;

namespace {

constexpr DtypeSet kTargetDtypes{ACL_INT64, ACL_UINT8, ACL_INT32};

void check_dtypes(const Check& check, const NllLossGrad& a, const TensorArgument& self) {
  check.same_dtype(self, a.weight, a.grad, a.total_weight);
  check_castable(check, self.dtype(), a.out);
  check.dtype_in(loss_dtypes(), self);
  check.dtype_in(kTargetDtypes, a.target);
}

void check_weights(const Check& check, const NllLossGrad& a, std::int64_t classes) {
  check.that(a.weight.rank() == 1 && a.weight.shape()[0] == classes,
             "weight has shape %s, it must be [%lld], a value for each class",
             a.weight.shape().text().c_str(), static_cast<long long>(classes));
  check.that(a.total_weight.elements() == 1, "totalWeight has shape %s, it must have one element",
             a.total_weight.shape().text().c_str());
}

void check_single_grad(const Check& check, const TensorArgument& grad) {
  check.that(grad.rank() <= 1 && grad.elements() == 1,
             "gradOutput has shape %s, a reduced loss has one gradient",
             grad.shape().text().c_str());
}

/// float16 is computed and returned as float32, except on the 950.
aclDataType result_dtype(aclDataType dtype) {
  return dtype == ACL_FLOAT16 && !on_950() ? ACL_FLOAT : dtype;
}

void stage(Plan& plan, const NllLossGrad& a, const TensorArgument& self) {
  plan.stage(a.grad).contiguous().cast_to(a.result);
  plan.stage(self).contiguous().cast_to(a.result);
  plan.stage(a.weight).contiguous().cast_to(a.result);
  auto target = plan.stage(a.target).contiguous();
  if (!on_950()) target.cast_to(ACL_INT32);
  plan.stage(a.total_weight).contiguous().cast_to(a.result);
  plan.result(a.result, self.shape()).cast_to(a.out.dtype()).copy_to(a.out);
}

}  // namespace

// out[n, c] = c == target[n] ? -weight[c] gradOutput[n] : 0; a reduced loss has one gradient for
// all n, divided by totalWeight for the mean. A target of ignoreIndex gives a row of zeros, and so
// does here one that is no class, which CANN does not define.
OPERATOR(NLLLossBackward, (In, gradOutput), (In, self), (In, target), (In, weight),
         (Int, reduction), (Int, ignoreIndex), (In, totalWeight), (Out, out)) {
  check.not_null(gradOutput, self, target, weight, totalWeight, out);
  const NllLossGrad a{gradOutput, target,    weight,      totalWeight,
                      out,        reduction, ignoreIndex, result_dtype(self.dtype())};
  check_dtypes(check, a, self);
  check_reduction(check, reduction);
  check.that(self.rank() == 1 || self.rank() == 2, "self has %zu dimensions, it must have 1 or 2",
             self.rank());
  check.that(target.rank() <= 1, "target has %zu dimensions, it must have 0 or 1", target.rank());
  const bool one_row = self.rank() == 1 && target.rank() == 0;
  check.that(one_row || (target.rank() == 1 && target.shape()[0] == self.shape()[0]),
             "target has shape %s, self has shape %s: the first extents must be equal",
             target.shape().text().c_str(), self.shape().text().c_str());
  check_weights(check, a, self.shape().back());
  if (reduction == kNone && self.rank() == 2) {
    check.shape_is(gradOutput, Dims{self.shape()[0]}, "one gradient for each row of self");
  } else {
    check_single_grad(check, gradOutput);
  }
  check.same_shape(self, out);
  if (self.is_empty()) return;

  stage(plan, a, self);
  launch_nll_loss_grad(plan, a, self.rank() - 1);
}

// out[n, c, h, w] = c == target[n, h, w] ? -weight[c] gradOutput[n, h, w] : 0; otherwise as above.
OPERATOR(NLLLoss2dBackward, (In, gradOutput), (In, self), (In, target), (In, weight),
         (Int, reduction), (Int, ignoreIndex), (Out, totalWeight), (Out, out)) {
  check.not_null(gradOutput, self, target, weight, totalWeight, out);
  const NllLossGrad a{gradOutput, target,    weight,      totalWeight,
                      out,        reduction, ignoreIndex, result_dtype(self.dtype())};
  check_dtypes(check, a, self);
  check_reduction(check, reduction);
  check.that(target.rank() == 3, "target has %zu dimensions, it must have 3", target.rank());
  check.that(self.rank() == 4, "self has %zu dimensions, it must have 4", self.rank());
  const Dims& shape = self.shape();
  check.shape_is(target, Dims{shape[0], shape[2], shape[3]}, "the shape of self but its classes");
  check_weights(check, a, shape[1]);
  if (reduction == kNone) {
    check.same_shape(target, gradOutput);
  } else {
    check_single_grad(check, gradOutput);
  }
  check.same_shape(self, out);
  if (self.is_empty()) return;

  stage(plan, a, self);
  launch_nll_loss_grad(plan, a, 1);
}
