// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_logsoftmax_backward.h"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/softmax/softmax_grad_kernel.hpp"

using namespace pyaclnn::sim;

// out = gradOutput - exp(output) * sum(gradOutput), the sum over dim; rounded to the inputs' type,
// then cast to the output's.
OPERATOR(LogSoftmaxBackward, (In, gradOutput), (In, output), (Int, dim), (Out, out)) {
  check.not_null(output, gradOutput, out);
  // Empty tensors are not looked at any further, except on the 950.
  const bool empty = gradOutput.is_empty() || output.is_empty();
  if (empty && !on_950()) return;
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(), output, gradOutput);
  check.same_dtype(output, gradOutput);
  check.rank_at_most(8, gradOutput, output);
  check.same_shape(gradOutput, output, out);
  const std::size_t axis = check.dim_of(gradOutput, dim);
  if (empty) return;

  plan.stage(gradOutput).contiguous();
  plan.stage(output).contiguous();
  plan.result(gradOutput.dtype(), gradOutput.shape()).cast_to(out.dtype()).copy_to(out);
  launch_softmax_grad(plan, SoftmaxKind::kLog, gradOutput, output, axis, out);
}
