// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_sigmoid_backward.h"
#include "opapi/common/complex.hpp"
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/promote.hpp"

using namespace pyaclnn::sim;

namespace {

DtypeSet sigmoid_dtypes() {
  return DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128}.with_bf16();
}

template <class C>
void launch_sigmoid_grad(Plan& plan, const TensorArgument& out, const TensorArgument& grad,
                         const TensorArgument& y) {
  elementwise<C>(plan, out, [](C g, C value) { return g * (1 - value) * value; }, grad, y);
}

}  // namespace

// gradInput = gradOutput * output * (1 - output), of complex numbers too: nothing is conjugated.
OPERATOR(SigmoidBackward, (In, gradOutput), (In, output), (Out, gradInput)) {
  check.not_null(gradOutput, output, gradInput);
  check.dtype_in(sigmoid_dtypes(), gradOutput, output, gradInput);
  check.rank_at_most(8, gradOutput, output);
  const aclDataType dtype = promoted(check, gradOutput, output);
  check_castable(check, dtype, gradInput);
  const Dims shape = check.broadcast(gradOutput, output);
  check.shape_is(gradInput, shape, "the broadcast shape of gradOutput and output");
  if (gradOutput.is_empty() || output.is_empty()) return;
  plan.stage(gradOutput).contiguous().broadcast_to(shape).cast_to(dtype);
  plan.stage(output).contiguous().broadcast_to(shape).cast_to(dtype);
  plan.result(dtype, shape).cast_to(gradInput.dtype()).copy_to(gradInput);
  if (dtype == ACL_COMPLEX64) {
    launch_sigmoid_grad<Complex<float>>(plan, gradInput, gradOutput, output);
  } else if (dtype == ACL_COMPLEX128) {
    launch_sigmoid_grad<Complex<double>>(plan, gradInput, gradOutput, output);
  } else if (dtype == ACL_DOUBLE) {
    launch_sigmoid_grad<double>(plan, gradInput, gradOutput, output);
  } else {
    elementwise_cast(
        plan, gradInput, dtype, [](float g, float y) { return g * (1.0f - y) * y; }, gradOutput,
        output);
  }
}
