// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_elu_backward.h"
#include "opapi/activation/activation.hpp"
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/common/vecmath.hpp"

using namespace pyaclnn::sim;

// Above 0: gradInput = gradOutput * scale. Else, with x the forward function's input or its result:
//   input:  gradInput = gradOutput * inputScale * alpha * scale * exp(inputScale * x)
//   result: gradInput = gradOutput * inputScale * (x + alpha * scale)
OPERATOR(EluBackward, (In, gradOutput), (ScalarIn, alpha), (ScalarIn, scale),
         (ScalarIn, inputScale), (Flag, isResult), (In, selfOrResult), (Out, gradInput)) {
  check.not_null(gradOutput, alpha, scale, inputScale, selfOrResult, gradInput);
  check.same_dtype(gradOutput, selfOrResult);
  check.dtype_in(activation_dtypes(), gradOutput);
  check_real(check, alpha);
  check_real(check, scale);
  check_real(check, inputScale);
  check_castable(check, gradOutput.dtype(), gradInput);
  check.same_shape(gradOutput, selfOrResult, gradInput);
  check.rank_at_most(8, gradOutput);
  check.that(!isResult || !(alpha->to_float() < 0),
             "alpha is %g; the gradient from the result needs alpha >= 0",
             double(alpha->to_float()));
  if (gradOutput.is_empty()) return;

  const aclDataType dtype = gradOutput.dtype();
  plan.stage(gradOutput).contiguous();
  plan.stage(selfOrResult).contiguous();
  plan.result(dtype, gradOutput.shape()).cast_to(gradInput.dtype()).copy_to(gradInput);
  const float above = scale->to_float();
  const float inner = inputScale->to_float();
  const float height = alpha->to_float() * above;
  if (isResult) {
    elementwise_cast(
        plan, gradInput, dtype,
        [=](float g, float x) { return g * vec::select(x > 0.0f, above, inner * (x + height)); },
        gradOutput, selfOrResult);
  } else {
    const float factor = inner * height;
    elementwise_cast(
        plan, gradInput, dtype,
        [=](float g, float x) {
          const float below = factor * vec::exp(inner * x);
          return g * vec::select(x > 0.0f, above, below);
        },
        gradOutput, selfOrResult);
  }
}
