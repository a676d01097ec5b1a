// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_avgpool3d_backward.h"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/pooling/avg_pool_grad.hpp"

using namespace pyaclnn::sim;

// output = sum of gradOutput / divisor over the windows that cover a place.
OPERATOR(AvgPool3dBackward, (In, gradOutput), (In, self), (IntArrayIn, kernelSize),
         (IntArrayIn, stride), (IntArrayIn, padding), (Flag, ceilMode), (Flag, countIncludePad),
         (Int, divisorOverride), (Out, output)) {
  check.not_null(gradOutput, self, kernelSize, stride, padding, output);
  check.dtype_in(config().has_bf16() ? DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16} : DtypeSet{},
                 gradOutput, self, output);
  check.that(gradOutput.rank() == 4 || gradOutput.rank() == 5,
             "gradOutput has %zu dimensions, it must have 4 or 5", gradOutput.rank());
  check.that(self.rank() == gradOutput.rank(), "self has %zu dimensions, gradOutput has %zu",
             self.rank(), gradOutput.rank());
  check.same_shape(self, output);
  check_length(check, kernelSize, 3, false);
  check_length(check, padding, 3, false);
  check_length(check, stride, 3, true);
  check_formats(check, gradOutput, output);
  if (gradOutput.is_empty()) return;

  plan.stage(gradOutput).contiguous();
  plan.stage(self).contiguous();
  check_at_least(check, kernelSize, 1);
  check_at_least(check, stride, 1);
  const std::vector<Window> all = windows(3, kernelSize, stride, padding);
  for (const Window& window : all)
    check.that(window.padding >= 0 && window.padding <= window.kernel / 2,
               "padding is %lld, it must be from 0 to half of the kernel's size %lld",
               static_cast<long long>(window.padding), static_cast<long long>(window.kernel));
  check.shape_is(gradOutput, pooled_shape(self.shape(), all, ceilMode), "the pooled shape of self");
  plan.result(gradOutput.dtype(), output.shape()).copy_to(output);
  if (output.is_empty()) return;
  Divisor divisor;
  divisor.include_padding = countIncludePad;
  divisor.fixed = divisorOverride;
  launch_avg_pool_grad(plan, gradOutput, output, all, divisor);
}
