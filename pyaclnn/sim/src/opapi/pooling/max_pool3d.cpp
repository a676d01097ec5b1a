// SPDX-License-Identifier: MIT
#include <limits>

#include "aclnnop/aclnn_max_pool3d_with_argmax_backward.h"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/pooling/indexed.hpp"
#include "opapi/pooling/window.hpp"

using namespace pyaclnn::sim;

namespace {

void check_rank(const Check& check, const TensorArgument& tensor) {
  check.that(tensor.rank() == 4 || tensor.rank() == 5, "%s has %zu dimensions, it must have 4 or 5",
             tensor.name(), tensor.rank());
}

std::vector<Window> check_windows(const Check& check, const IntArrayIn& kernel,
                                  const IntArrayIn& stride, const IntArrayIn& padding,
                                  const IntArrayIn& dilation) {
  check_length(check, kernel, 3, false);
  check_at_least(check, kernel, 1);
  check_length(check, stride, 3, true);
  check_at_least(check, stride, 1);
  check_length(check, padding, 3, false);
  check_at_least(check, padding, 0);
  std::vector<Window> all = windows(3, kernel, stride, padding);
  for (const Window& window : all)
    check.that(window.padding <= window.kernel / 2,
               "padding is %lld, it must be at most half of the kernel's size %lld",
               static_cast<long long>(window.padding), static_cast<long long>(window.kernel));
  check_length(check, dilation, 3, false);
  check_at_least(check, dilation, 1);
  for (std::size_t i = 0; i < 3; ++i) all[i].dilation = attribute(dilation, i);
  return all;
}

}  // namespace

// gradInput[indices] += gradOutput in every channel.
OPERATOR(MaxPool3dWithArgmaxBackward, (In, gradOutput), (In, self), (In, indices),
         (IntArrayIn, kernelSize), (IntArrayIn, stride), (IntArrayIn, padding),
         (IntArrayIn, dilation), (Flag, ceilMode), (Out, gradInput)) {
  check.not_null(gradOutput, self, indices, kernelSize, stride, padding, dilation, gradInput);
  check.dtype_in(config().has_bf16() ? DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16} : DtypeSet{},
                 self);
  check.dtype_in(on_950() ? DtypeSet{ACL_INT32, ACL_INT64} : DtypeSet{ACL_INT32}, indices);
  check.same_dtype(self, gradOutput, gradInput);
  check_formats(check, self, gradOutput, gradInput, indices);
  check_rank(check, gradOutput);
  check_rank(check, gradInput);
  check_rank(check, indices);
  check_rank(check, self);
  const std::vector<Window> all = check_windows(check, kernelSize, stride, padding, dilation);
  double size = 1;
  for (std::size_t i = self.rank() - 3; i < self.rank(); ++i) size *= double(self.shape()[i]);
  check.that(on_950() || size <= double(std::numeric_limits<std::int32_t>::max()),
             "a volume of self has %.0f elements, at most 2^31 - 1 are allowed", size);
  check.same_shape(gradOutput, indices);
  check.same_shape(self, gradInput);
  if (gradOutput.is_empty() || self.is_empty()) return;

  plan.stage(indices).contiguous();
  plan.stage(self).contiguous();
  plan.stage(gradOutput).contiguous();
  // CANN leaves this one to its kernel.
  check.that(gradOutput.rank() == self.rank(), "gradOutput has %zu dimensions, self has %zu",
             gradOutput.rank(), self.rank());
  check.shape_is(gradOutput, pooled_shape(self.shape(), all, ceilMode), "the pooled shape of self");
  plan.result(self.dtype(), self.shape()).copy_to(gradInput);
  launch_scatter_sums(plan, gradOutput, plan.reads(indices), gradInput, 3);
}
