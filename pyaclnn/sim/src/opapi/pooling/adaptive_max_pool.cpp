// SPDX-License-Identifier: MIT
#include <limits>

#include "aclnnop/aclnn_adaptive_max_pool2d_backward.h"
#include "aclnnop/aclnn_adaptive_max_pool3d_backward.h"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/pooling/indexed.hpp"

using namespace pyaclnn::sim;

namespace {

/// The checks that both operators begin with.
void check_common(const Check& check, const In& grad_output, const In& self, const In& indices,
                  const Out& grad_input) {
  check.not_null(grad_output, self, indices, grad_input);
  check.same_dtype(self, grad_output, grad_input);
  check.dtype_in(config().has_bf16() ? DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16} : DtypeSet{},
                 self);
  check.dtype_in({ACL_INT32, ACL_INT64}, indices);
  for (const TensorArgument* tensor : {static_cast<const TensorArgument*>(&grad_output),
                                       static_cast<const TensorArgument*>(&indices),
                                       static_cast<const TensorArgument*>(&grad_input)})
    check.that(tensor->rank() == self.rank(), "%s has %zu dimensions, self has %zu", tensor->name(),
               tensor->rank(), self.rank());
  check.same_shape(grad_output, indices);
  check.same_shape(self, grad_input);
}

void check_format(const Check& check, const In& grad_output, const In& self, const In& indices,
                  const Out& grad_input, std::size_t axes) {
  check_same_format(check, self, grad_output, grad_input, indices);
  check_plain_format(check, self);
  check.that(self.rank() == axes + 1 || self.rank() == axes + 2,
             "self has %zu dimensions, it must have %zu or %zu", self.rank(), axes + 1, axes + 2);
}

/// Planes are counted in int32 before the 950.
void check_plane_size(const Check& check, const In& self, std::size_t axes) {
  if (config().soc == Soc::kAscend950) return;
  double size = 1;
  for (std::size_t i = self.rank() - std::min(axes, self.rank()); i < self.rank(); ++i)
    size *= double(self.shape()[i]);
  check.that(size <= double(std::numeric_limits<std::int32_t>::max()),
             "a plane of self has %.0f elements, at most 2^31 - 1 are allowed", size);
}

void plan_scatter(const Check& check, Plan& plan, const In& grad_output, const In& self,
                  const In& indices, const Out& grad_input, std::size_t axes) {
  if (grad_output.is_empty() || self.is_empty() || indices.is_empty()) return;
  // CANN leaves this one to its kernel.
  for (std::size_t i = 0; i + axes < self.rank(); ++i)
    check.that(grad_output.shape()[i] == self.shape()[i],
               "gradOutput has shape %s, self has %s: they differ before the pooled axes",
               grad_output.shape().text().c_str(), self.shape().text().c_str());
  plan.stage(grad_output).contiguous();
  plan.stage(self).contiguous();
  plan.stage(indices).contiguous().cast_to(config().soc == Soc::kAscend950 ? indices.dtype()
                                                                           : ACL_INT32);
  plan.result(self.dtype(), self.shape()).copy_to(grad_input);
  launch_scatter_sums(plan, grad_output, plan.reads(indices), grad_input, axes);
}

}  // namespace

// gradInput[indices] += gradOutput in every channel.
OPERATOR(AdaptiveMaxPool2dBackward, (In, gradOutput), (In, self), (In, indices), (Out, gradInput)) {
  check.since_cann_9_0();
  check_common(check, gradOutput, self, indices, gradInput);
  check_format(check, gradOutput, self, indices, gradInput, 2);
  check_plane_size(check, self, 2);
  plan_scatter(check, plan, gradOutput, self, indices, gradInput, 2);
}

// gradInput[indices] += gradOutput in every channel.
OPERATOR(AdaptiveMaxPool3dBackward, (In, gradOutput), (In, self), (In, indices), (Out, gradInput)) {
  check_common(check, gradOutput, self, indices, gradInput);
  check_plane_size(check, self, 3);
  check_format(check, gradOutput, self, indices, gradInput, 3);
  check.dtype_in(
      config().soc == Soc::kAscend950 ? DtypeSet{ACL_INT32, ACL_INT64} : DtypeSet{ACL_INT32},
      indices);
  plan_scatter(check, plan, gradOutput, self, indices, gradInput, 3);
}
