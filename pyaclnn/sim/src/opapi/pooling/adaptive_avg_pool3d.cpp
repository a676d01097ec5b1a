// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_adaptive_avg_pool3d_backward.h"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/pooling/avg_pool_grad.hpp"

using namespace pyaclnn::sim;

namespace {

void check_extents(const Check& check, const TensorArgument& grad_output,
                   const TensorArgument& self, const TensorArgument& out) {
  const std::size_t rank = self.rank();
  // A batch of none is accepted by the 950 only.
  for (std::size_t i = on_950() ? 1 : 0; i < rank; ++i) {
    check.that(self.shape()[i] > 0, "extent %zu of self is %lld, it must be positive", i,
               static_cast<long long>(self.shape()[i]));
    check.that(self.shape()[i] == out.shape()[i], "out has shape %s, it must be %s as self has it",
               out.shape().text().c_str(), self.shape().text().c_str());
  }
  for (std::size_t i = 0; i + 3 < rank; ++i)
    check.that(self.shape()[i] == grad_output.shape()[i],
               "extent %zu of gradOutput is %lld, it must be %lld as self has it", i,
               static_cast<long long>(grad_output.shape()[i]),
               static_cast<long long>(self.shape()[i]));
  for (std::size_t i = rank - 3; i < rank; ++i)
    check.that(grad_output.shape()[i] > 0, "extent %zu of gradOutput is %lld, it must be positive",
               i, static_cast<long long>(grad_output.shape()[i]));
}

}  // namespace

// out = sum of gradOutput / elements(window) over the windows that cover a place.
OPERATOR(AdaptiveAvgPool3dBackward, (In, gradOutput), (In, self), (Out, out)) {
  check.not_null(gradOutput, self, out);
  check.that(self.rank() == 4 || self.rank() == 5, "self has %zu dimensions, it must have 4 or 5",
             self.rank());
  check.that(gradOutput.rank() == self.rank() && out.rank() == self.rank(),
             "gradOutput has %zu dimensions and out %zu, self has %zu", gradOutput.rank(),
             out.rank(), self.rank());
  check_extents(check, gradOutput, self, out);
  bool is_global = true;
  for (std::size_t i = self.rank() - 3; i < self.rank(); ++i)
    is_global = is_global && gradOutput.shape()[i] == 1;
  const DtypeSet accepted = is_global || !config().has_bf16()
                                ? DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}.with_bf16()
                                : DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
  check.dtype_in(accepted, gradOutput, self);
  check.same_dtype(gradOutput, self);
  check.same_dtype(self, out);
  check_formats(check, self, gradOutput, out);
  check.that(is_global || config().soc != Soc::kAscend910,
             "gradOutput has shape %s, %s takes depth, height and width of 1 only",
             gradOutput.shape().text().c_str(), config().soc_name.c_str());
  if (self.is_empty() || gradOutput.is_empty()) return;

  plan.stage(gradOutput).contiguous();
  plan.stage(self).contiguous();
  plan.result(self.dtype(), self.shape()).copy_to(out);
  launch_adaptive_avg_pool_grad(plan, gradOutput, out, 3);
}
