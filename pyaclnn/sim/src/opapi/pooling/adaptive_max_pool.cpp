// SPDX-License-Identifier: MIT
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_adaptive_max_pool2d_backward.h"
#include "aclnnop/aclnn_adaptive_max_pool3d_backward.h"
#include "core/status.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/pooling/indexed.hpp"

using namespace pyaclnn::sim;

namespace {

/// The checks that both operators begin with.
void check_common(const Check& check, const In& grad_output, const In& self, const In& indices,
                  const Out& grad_input) {
  // CANN answers null with the code for an invalid argument here.
  for (const TensorArgument* tensor :
       {static_cast<const TensorArgument*>(&grad_output), static_cast<const TensorArgument*>(&self),
        static_cast<const TensorArgument*>(&indices),
        static_cast<const TensorArgument*>(&grad_input)})
    check.that(tensor->given(), "%s is null", tensor->name());
  check.same_dtype(self, grad_output, grad_input);
  const bool known = on_a2_or_a3();
  check.dtype_in(known ? DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16} : DtypeSet{}, self);
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
  check_formats(check, self, grad_output, grad_input, indices);
  check.that(self.rank() == axes + 1 || self.rank() == axes + 2,
             "self has %zu dimensions, it must have %zu or %zu", self.rank(), axes + 1, axes + 2);
}

/// Planes are counted in int32.
void check_plane_size(const Check& check, const In& self, std::size_t axes) {
  double size = 1;
  for (std::size_t i = self.rank() - std::min(axes, self.rank()); i < self.rank(); ++i)
    size *= double(self.shape()[i]);
  check.that(size <= double(std::numeric_limits<std::int32_t>::max()),
             "a plane of self has %.0f elements, at most 2^31 - 1 are allowed", size);
}

void plan_scatter(Plan& plan, const In& grad_output, const In& self, const In& indices,
                  const Out& grad_input, std::size_t axes) {
  if (grad_output.is_empty() || self.is_empty() || indices.is_empty()) return;
  plan.stage(grad_output).contiguous();
  plan.stage(self).contiguous();
  plan.stage(indices).contiguous().cast_to(ACL_INT32);
  for (std::size_t i = 0; i + axes < self.rank(); ++i) {
    if (grad_output.shape()[i] != self.shape()[i])
      fail(ACLNN_ERR_INNER_NULLPTR,
           "%s: gradOutput has shape %s, self has %s: they differ before the pooled axes",
           plan.api(), grad_output.shape().text().c_str(), self.shape().text().c_str());
  }
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
  plan_scatter(plan, gradOutput, self, indices, gradInput, 2);
}

// gradInput[indices] += gradOutput in every channel.
OPERATOR(AdaptiveMaxPool3dBackward, (In, gradOutput), (In, self), (In, indices), (Out, gradInput)) {
  check_common(check, gradOutput, self, indices, gradInput);
  check_plane_size(check, self, 3);
  check_format(check, gradOutput, self, indices, gradInput, 3);
  check.dtype_in({ACL_INT32}, indices);
  plan_scatter(plan, gradOutput, self, indices, gradInput, 3);
}
