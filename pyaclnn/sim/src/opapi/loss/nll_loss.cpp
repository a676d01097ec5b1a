// SPDX-License-Identifier: MIT
#include "opapi/common/chip_family.hpp"
#include "opapi/loss/loss.hpp"
#include "opapi/loss/nll_loss_kernel.hpp"

namespace pyaclnn::sim {
namespace {

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

}  // namespace

aclDataType nll_loss_result(aclDataType dtype) {
  return dtype == ACL_FLOAT16 && !on_950() ? ACL_FLOAT : dtype;
}

void check_nll_loss_gradient(const Check& check, const NllLossGrad& a, const TensorArgument& self) {
  check.that(self.rank() == 1 || self.rank() == 2, "self has %zu dimensions, it must have 1 or 2",
             self.rank());
  check.that(a.target.rank() <= 1, "target has %zu dimensions, it must have 0 or 1",
             a.target.rank());
  const bool one_row = self.rank() == 1 && a.target.rank() == 0;
  check.that(one_row || (a.target.rank() == 1 && a.target.shape()[0] == self.shape()[0]),
             "target has shape %s, self has shape %s: the first extents must be equal",
             a.target.shape().text().c_str(), self.shape().text().c_str());
  check_weights(check, a, self.shape().back());
  if (a.reduction == kNone && self.rank() == 2) {
    check.shape_is(a.grad, Dims{self.shape()[0]}, "one gradient for each row of self");
  } else {
    check_single_grad(check, a.grad);
  }
}

void check_nll_loss2d_gradient(const Check& check, const NllLossGrad& a,
                               const TensorArgument& self) {
  check.that(a.target.rank() == 3, "target has %zu dimensions, it must have 3", a.target.rank());
  check.that(self.rank() == 4, "self has %zu dimensions, it must have 4", self.rank());
  const Dims& shape = self.shape();
  check.shape_is(a.target, Dims{shape[0], shape[2], shape[3]}, "the shape of self but its classes");
  check_weights(check, a, shape[1]);
  if (a.reduction == kNone) {
    check.same_shape(a.target, a.grad);
  } else {
    check_single_grad(check, a.grad);
  }
}

}  // namespace pyaclnn::sim
