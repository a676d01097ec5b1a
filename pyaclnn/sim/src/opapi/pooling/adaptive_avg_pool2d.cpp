// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_adaptive_avg_pool2d_backward.h"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/pooling/avg_pool_grad.hpp"

using namespace pyaclnn::sim;

namespace {

void check_not_negative(const Check& check, const TensorArgument& tensor) {
  for (std::int64_t extent : tensor.shape())
    check.that(extent >= 0, "%s has the negative extent %lld", tensor.name(),
               static_cast<long long>(extent));
}

/// Whether the leading axes, which number the images, agree.
bool same_images(const TensorArgument& a, const TensorArgument& b) {
  for (std::size_t i = 0; i + 2 < a.rank(); ++i) {
    if (a.shape()[i] != b.shape()[i]) return false;
  }
  return true;
}

}  // namespace

// out = sum of gradOutput / elements(window) over the windows that cover a place.
OPERATOR(AdaptiveAvgPool2dBackward, (In, gradOutput), (In, self), (Out, out)) {
  check.not_null(gradOutput, self, out);
  check.that(gradOutput.rank() == self.rank(), "gradOutput has %zu dimensions, self has %zu",
             gradOutput.rank(), self.rank());
  check_not_negative(check, self);
  check_not_negative(check, gradOutput);
  check.that(out.rank() == 3 || out.rank() == 4, "out has %zu dimensions, it must have 3 or 4",
             out.rank());
  check.that(out.rank() == self.rank(), "out has %zu dimensions, self has %zu", out.rank(),
             self.rank());
  check.that(same_images(out, self), "out has shape %s, self has %s", out.shape().text().c_str(),
             self.shape().text().c_str());
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(), gradOutput, self);
  check.same_dtype(self, gradOutput);
  check_formats(check, self, gradOutput);
  if (self.is_empty() || gradOutput.is_empty()) return;

  // CANN leaves this one to its kernel.
  check.that(same_images(gradOutput, self), "gradOutput has shape %s, self has %s",
             gradOutput.shape().text().c_str(), self.shape().text().c_str());
  plan.stage(gradOutput).contiguous();
  plan.stage(self).contiguous();
  plan.result(gradOutput.dtype(), self.shape()).copy_to(out);
  launch_adaptive_avg_pool_grad(plan, gradOutput, out, 2);
}
