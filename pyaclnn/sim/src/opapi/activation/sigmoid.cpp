// The sigmoid and what is made of it.
// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_sigmoid_backward.h"

#include "aclnnop/aclnn_logsigmoid_backward.h"
#include "aclnnop/aclnn_silu_backward.h"
#include "aclnnop/aclnn_softplus_backward.h"
#include "aclnnop/aclnn_swish_backward.h"
#include "opapi/activation/activation.hpp"
#include "opapi/activation/slopes.hpp"
#include "opapi/common/chip_family.hpp"
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

/// A kernel's compute type: its operands' own where both are small floats of one type.
aclDataType softplus_dtype(const TensorArgument& grad, const TensorArgument& self) {
  const bool own = grad.dtype() == self.dtype() && activation_dtypes().contains(grad.dtype());
  return own ? grad.dtype() : ACL_FLOAT;
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

// gradInput = gradOutput / (1 + exp(self)). The forward function's buffer is not read.
OPERATOR(LogSigmoidBackward, (In, gradOutput), (In, self), (In, buffer), (Out, gradInput)) {
  check.not_null(gradOutput, self, buffer, gradInput);
  check.dtype_in(activation_dtypes(), gradOutput, self);
  check.same_dtype(gradInput, gradOutput, self);
  check.same_shape(gradInput, gradOutput, self);
  if (gradOutput.is_empty() || self.is_empty()) return;
  stage_pair(plan, gradOutput, self, gradInput);
  elementwise<float>(
      plan, gradInput, [](float g, float x) { return g * vec::sigmoid(-x); }, gradOutput, self);
}

// gradInput = gradOutput * s * (1 + self * (1 - s)), s = sigmoid(self).
//
// The 950 broadcasts and mixes types; the result is then float32.
OPERATOR(SiluBackward, (In, gradOutput), (In, self), (Out, gradInput)) {
  check.not_null(gradOutput, self, gradInput);
  check.dtype_in(activation_dtypes(), gradOutput, self, gradInput);
  const bool is_950 = has_950_kernels();
  if (is_950 && gradOutput.dtype() != self.dtype()) {
    check.that(gradInput.dtype() == ACL_FLOAT,
               "gradInput must be float32 where gradOutput and self differ");
  } else {
    check.same_dtype(gradInput, gradOutput, self);
  }
  check.rank_at_most(8, gradOutput, self);
  if (is_950) {
    const Dims shape = check.broadcast(gradOutput, self);
    check.shape_is(gradInput, shape, "the broadcast shape of gradOutput and self");
  } else {
    check.same_shape(gradInput, gradOutput, self);
  }
  if (gradOutput.is_empty() || self.is_empty()) return;
  plan.stage(gradOutput).contiguous();
  plan.stage(self).contiguous();
  plan.result(gradInput.dtype(), gradInput.shape()).copy_to(gradInput);
  elementwise<float>(
      plan, gradInput, [](float g, float x) { return g * gate_slope(x, x); }, gradOutput, self);
}

// gradInput = gradOutput * s * (1 + z * (1 - s)), z = beta * self, s = sigmoid(z); beta is 1 where
// it is not given.
OPERATOR(SwishBackward, (In, gradOutput), (In, self), (ScalarIn, betaOptional), (Out, gradInput)) {
  check.not_null(gradOutput, self, gradInput);
  check.dtype_in(activation_dtypes(), gradOutput, self);
  if (betaOptional.given()) check_real(check, betaOptional);
  check.same_dtype(gradInput, gradOutput, self);
  check.rank_at_most(8, gradOutput, self, gradInput);
  check.same_shape(gradInput, gradOutput, self);
  if (gradOutput.is_empty() || self.is_empty()) return;
  stage_pair(plan, gradOutput, self, gradInput);
  const float beta = betaOptional.given() ? betaOptional->to_float() : 1.0f;
  elementwise<float>(
      plan, gradInput,
      [beta](float g, float x) {
        const float z = beta * x;
        return g * gate_slope(z, z);
      },
      gradOutput, self);
}

// gradInput = beta * self > threshold ? gradOutput : gradOutput * sigmoid(beta * self), in float32
// even where operands are float64.
OPERATOR(SoftplusBackward, (In, gradOutput), (In, self), (ScalarIn, beta), (ScalarIn, threshold),
         (Out, gradInput)) {
  check.not_null(gradOutput, self, gradInput, beta, threshold);
  const DtypeSet floats = activation_dtypes_with_double();
  const DtypeSet any = DtypeSet{ACL_INT8,    ACL_INT16, ACL_INT32,  ACL_INT64, ACL_UINT8,
                                ACL_FLOAT16, ACL_FLOAT, ACL_DOUBLE, ACL_BOOL}
                           .with_bf16();
  check.dtype_in(floats, gradOutput);
  check.dtype_in(any, self);
  check.dtype_in(floats, gradInput);
  check.rank_at_most(8, gradOutput, self, gradInput);
  check.same_shape(self, gradOutput, gradInput);
  if (self.is_empty()) return;
  const aclDataType dtype = softplus_dtype(gradOutput, self);
  plan.stage(gradOutput).contiguous().cast_to(dtype);
  plan.stage(self).contiguous().cast_to(dtype);
  plan.result(dtype, self.shape()).cast_to(gradInput.dtype()).copy_to(gradInput);
  const float slope = beta->to_float();
  const float limit = threshold->to_float();
  elementwise_cast(
      plan, gradInput, dtype,
      [=](float g, float x) {
        const float z = x * slope;
        return g * vec::select(z > limit, 1.0f, vec::sigmoid(z));
      },
      gradOutput, self);
}
