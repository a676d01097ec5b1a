// SPDX-License-Identifier: MIT
#include "opapi/pooling/max_pool_grad.hpp"

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/pooling/indexed.hpp"

namespace pyaclnn::sim {
namespace {

void stage_image(Plan& plan, const TensorArgument& grad_output, const TensorArgument& self,
                 const TensorArgument& indices, const TensorArgument& grad_input) {
  for (const TensorArgument* tensor : {&self, &grad_output, &indices})
    plan.stage(*tensor).contiguous();
  plan.result(self.dtype(), self.shape()).copy_to(grad_input);
}

}  // namespace

void check_pooled_gradient(const Check& check, const TensorArgument& grad_output,
                           const TensorArgument& self, const std::vector<Window>& windows,
                           bool ceil_mode) {
  for (std::size_t i = self.rank() - 3; i < self.rank(); ++i)
    check.that(self.shape()[i] != 0, "self has shape %s: only the batch may be empty",
               self.shape().text().c_str());
  const ChannelsFirst image(self), gradient(grad_output, self);
  check.shape_is(gradient.tensor(), check_pooled(check, image.tensor(), windows, ceil_mode),
                 "the pooled shape of self");
}

void max_pool2d_gradient(Plan& plan, const TensorArgument& grad_output, const TensorArgument& self,
                         const TensorArgument& indices, const TensorArgument& grad_input) {
  stage_image(plan, grad_output, self, indices, grad_input);
  check_inside(plan, indices.dtype() != ACL_INT8, "the kernel takes no int8 indices");
  // CANN's own comparison goes unheeded; that of its kernel does not.
  check_inside(plan, indices.shape() == grad_output.shape(),
               "indices has shape %s, it must be %s as gradOutput has it",
               indices.shape().text().c_str(), grad_output.shape().text().c_str());
  const ChannelsFirst from(grad_output, self), where(indices, self), to(grad_input, self);
  launch_scatter_sums(plan, from.tensor(), plan.reads(where.tensor()), to.tensor(), 2);
}

void check_mask_kernel_given(const Plan& plan, const IntArrayIn& kernel) {
  if (kernel.values().empty() || kernel.values().size() > 2)
    fail(ACLNN_ERR_PARAM_NULLPTR, "%s: kernelSize has %zu entries, it takes 1 or 2", plan.api(),
         kernel.values().size());
}

void max_pool2d_mask_gradient(Plan& plan, const TensorArgument& grad_output,
                              const TensorArgument& self, const TensorArgument& indices,
                              const TensorArgument& grad_input, const std::vector<Window>& windows,
                              const Dims& pooled) {
  if (!chip().has_bf16() || (windows[0].kernel == 1 && windows[1].kernel == 1))
    fail_not_simulated(plan, "a mask of bits");
  stage_image(plan, grad_output, self, indices, grad_input);
  constexpr std::int64_t kIndexSize = sizeof(std::int32_t);
  if (!indices.meta().is_contiguous() || indices.meta().offset % kIndexSize != 0)
    fail_not_simulated(plan, "a mask that is not contiguous");
  // As many bytes are read as there are indices, however large the mask is.
  TensorMeta read = indices.meta();
  read.dtype = ACL_INT32;
  read.offset /= kIndexSize;
  read.shape = pooled;
  read.strides = contiguous_strides(pooled);
  const View view = plan.reads(TensorArgument(indices.name(), indices.index(), &read));
  launch_scatter_sums(plan, grad_output, view, grad_input, 2);
}

void max_pool3d_gradient(const Check& check, Plan& plan, const TensorArgument& grad_output,
                         const TensorArgument& self, const TensorArgument& indices,
                         const TensorArgument& grad_input, const Dims& pooled) {
  for (const TensorArgument* tensor : {&indices, &self, &grad_output})
    plan.stage(*tensor).contiguous();
  // CANN leaves this one to its kernel.
  check.that(grad_output.rank() == self.rank(), "gradOutput has %zu dimensions, self has %zu",
             grad_output.rank(), self.rank());
  check.shape_is(grad_output, pooled, "the pooled shape of self");
  plan.result(self.dtype(), self.shape()).copy_to(grad_input);
  launch_scatter_sums(plan, grad_output, plan.reads(indices), grad_input, 3);
}

void adaptive_max_pool_gradient(Plan& plan, const TensorArgument& grad_output,
                                const TensorArgument& self, const TensorArgument& indices,
                                const TensorArgument& grad_input, std::size_t axes) {
  plan.stage(grad_output).contiguous();
  plan.stage(self).contiguous();
  plan.stage(indices).contiguous().cast_to(ACL_INT32);
  for (std::size_t i = 0; i + axes < self.rank(); ++i)
    check_inside(plan, grad_output.shape()[i] == self.shape()[i],
                 "gradOutput has shape %s, self has %s: they differ before the pooled axes",
                 grad_output.shape().text().c_str(), self.shape().text().c_str());
  plan.result(self.dtype(), self.shape()).copy_to(grad_input);
  launch_scatter_sums(plan, grad_output, plan.reads(indices), grad_input, axes);
}

void check_unpooled_size(const Check& check, const TensorArgument& grad_output,
                         const IntArrayIn& size) {
  const std::size_t axes = size.values().size();
  for (std::size_t i = 0; i < axes; ++i) {
    const std::int64_t extent = grad_output.shape()[grad_output.rank() - axes + i];
    check.that(extent == size.values()[i], "gradOutput has shape %s, outputSize has %lld at %zu",
               grad_output.shape().text().c_str(), static_cast<long long>(size.values()[i]), i);
  }
}

void check_unpooled_channels(const Check& check, const TensorArgument& grad_output,
                             const TensorArgument& self, std::size_t axes) {
  for (std::size_t i = 0; i + axes < self.rank(); ++i)
    check.that(grad_output.shape()[i] == self.shape()[i],
               "gradOutput has shape %s, self has %s: they differ in batch or channels",
               grad_output.shape().text().c_str(), self.shape().text().c_str());
}

void check_unpooled_room(const Check& check, const TensorArgument& self, const IntArrayIn& size) {
  double places = 1;
  double taken = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    places *= double(size.values()[i]);
    taken *= double(self.shape()[self.rank() - 3 + i]);
  }
  check.that(places >= taken, "outputSize has room for %.0f elements, a volume of self has %.0f",
             places, taken);
}

void max_unpool_gradient(Plan& plan, const TensorArgument& grad_output,
                         const TensorArgument& indices, const TensorArgument& out,
                         std::size_t axes) {
  plan.stage(grad_output).contiguous();
  plan.stage(indices).contiguous();
  plan.result(grad_output.dtype(), out.shape()).cast_to(out.dtype()).copy_to(out);
  launch_gather(plan, grad_output, indices, out, axes);
}

}  // namespace pyaclnn::sim
