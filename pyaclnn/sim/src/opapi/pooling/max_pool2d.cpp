// SPDX-License-Identifier: MIT
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "core/status.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/pooling/indexed.hpp"
#include "opapi/pooling/window.hpp"

using namespace pyaclnn::sim;

namespace {

/// The arguments that both operators have.
struct Call {
  const In& grad_output;
  const In& self;
  const In& indices;
  const IntArrayIn& kernel;
  const IntArrayIn& stride;
  const IntArrayIn& padding;
  const IntArrayIn& dilation;
  bool ceil_mode;
  const Out& grad_input;
};

void check_tensors(const Check& check, const Call& call, const DtypeSet& dtypes,
                   const DtypeSet& index_dtypes) {
  check.dtype_in(dtypes, call.self);
  check.same_dtype(call.self, call.grad_output, call.grad_input);
  check.dtype_in(index_dtypes, call.indices);
  check_formats(check, call.self, call.grad_output, call.grad_input, call.indices);
  const TensorArgument* tensors[] = {&call.self, &call.grad_input, &call.grad_output,
                                     &call.indices};
  for (const TensorArgument* tensor : tensors)
    check.that(tensor->rank() == 3 || tensor->rank() == 4,
               "%s has %zu dimensions, it must have 3 or 4", tensor->name(), tensor->rank());
}

std::vector<Window> check_windows(const Check& check, const Call& call) {
  check_length(check, call.kernel, 2, false);
  check_length(check, call.stride, 2, true);
  check_length(check, call.padding, 2, false);
  check_length(check, call.dilation, 2, false);
  check_at_least(check, call.kernel, 1);
  check_at_least(check, call.stride, 1);
  check_at_least(check, call.dilation, 1);
  std::vector<Window> all = windows(2, call.kernel, call.stride, call.padding);
  for (std::size_t i = 0; i < 2; ++i) {
    Window& window = all[i];
    check.that(window.padding >= 0 && window.padding <= window.kernel / 2,
               "padding is %lld, it must be from 0 to half of the kernel's size %lld",
               static_cast<long long>(window.padding), static_cast<long long>(window.kernel));
    window.dilation = attribute(call.dilation, i);
    check.that(window.dilation == 1 || on_950(), "dilation is %lld, it must be 1 on %s",
               static_cast<long long>(window.dilation), config().soc_name.c_str());
  }
  return all;
}

/// Returns the shape of the pooled image.
Dims check_shapes(const Check& check, const Call& call, const std::vector<Window>& all) {
  check.same_shape(call.self, call.grad_input);
  for (std::size_t i = call.self.rank() - 3; i < call.self.rank(); ++i)
    check.that(call.self.shape()[i] != 0, "self has shape %s: only the batch may be empty",
               call.self.shape().text().c_str());
  const Dims pooled = pooled_shape(call.self.shape(), all, call.ceil_mode);
  for (std::size_t i = pooled.size() - 2; i < pooled.size(); ++i)
    check.that(pooled[i] > 0, "self of shape %s is too small for the kernel",
               call.self.shape().text().c_str());
  check.shape_is(call.grad_output, pooled, "the pooled shape of self");
  return pooled;
}

/// Stages all operands.
void plan_operands(Plan& plan, const Call& call) {
  plan.stage(call.self).contiguous();
  plan.stage(call.grad_output).contiguous();
  plan.stage(call.indices).contiguous();
  plan.result(call.self.dtype(), call.self.shape()).copy_to(call.grad_input);
}

[[noreturn]] void fail_not_simulated(const Plan& plan, const char* what) {
  fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: %s is not simulated", plan.api(), what);
}

}  // namespace

// gradInput[indices] += gradOutput in every channel.
OPERATOR(MaxPool2dWithIndicesBackward, (In, gradOutput), (In, self), (In, indices),
         (IntArrayIn, kernelSize), (IntArrayIn, stride), (IntArrayIn, padding),
         (IntArrayIn, dilation), (Flag, ceilMode), (Out, gradInput)) {
  check.not_null(gradOutput, self, indices, kernelSize, stride, padding, dilation, gradInput);
  const Call call{gradOutput, self,     indices,  kernelSize, stride,
                  padding,    dilation, ceilMode, gradInput};
  const bool is_950 = on_950();
  const DtypeSet dtypes = is_950                ? DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}
                          : config().has_bf16() ? DtypeSet{ACL_FLOAT}
                                                : DtypeSet{};
  check_tensors(check, call, dtypes,
                is_950 ? DtypeSet{ACL_INT32, ACL_INT64} : DtypeSet{ACL_INT32, ACL_INT8});
  if (self.meta().format == ACL_FORMAT_NHWC) fail_not_simulated(plan, "format NHWC");
  check_shapes(check, call, check_windows(check, call));
  if (self.is_empty()) return;
  plan_operands(plan, call);
  if (indices.dtype() == ACL_INT8)
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: the kernel takes no int8 indices", plan.api());
  // CANN's own comparison goes unheeded; that of its kernel does not.
  if (indices.shape() != gradOutput.shape())
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: indices has shape %s, it must be %s as gradOutput has it",
         plan.api(), indices.shape().text().c_str(), gradOutput.shape().text().c_str());
  launch_scatter_sums(plan, gradOutput, plan.reads(indices), gradInput, 2);
}

// gradInput[indices] += gradOutput in every channel. What is called indices are bytes with room for
// a bit mask. On A2 and A3 the forward operator puts int32 indices at their start instead, except
// for a kernel of 1 by 1.
OPERATOR(MaxPool2dWithMaskBackward, (In, gradOutput), (In, self), (In, indices),
         (IntArrayIn, kernelSize), (IntArrayIn, stride), (IntArrayIn, padding),
         (IntArrayIn, dilation), (Flag, ceilMode), (Out, gradInput)) {
  check.that(!on_950(), "use aclnnMaxPool2dWithIndicesBackward on %s", config().soc_name.c_str());
  check.not_null(kernelSize, self, gradOutput);
  // CANN answers a wrong length with the code of a null pointer here.
  if (kernelSize.values().empty() || kernelSize.values().size() > 2)
    fail(ACLNN_ERR_PARAM_NULLPTR, "%s: kernelSize has %zu entries, it takes 1 or 2", plan.api(),
         kernelSize.values().size());
  check.not_null(indices, stride, padding, dilation, gradInput);
  const Call call{gradOutput, self,     indices,  kernelSize, stride,
                  padding,    dilation, ceilMode, gradInput};
  const DtypeSet dtypes = on_310p() ? DtypeSet{} : DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16();
  check_tensors(check, call, dtypes, {ACL_INT8});
  const std::vector<Window> all = check_windows(check, call);
  const Dims pooled = check_shapes(check, call, all);
  // The shape of the mask is compared, but what comes of it goes unheeded.
  if (self.is_empty()) return;
  if (!config().has_bf16() || (all[0].kernel == 1 && all[1].kernel == 1))
    fail_not_simulated(plan, "a mask of bits");
  plan_operands(plan, call);
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
  launch_scatter_sums(plan, gradOutput, view, gradInput, 2);
}
