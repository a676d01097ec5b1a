// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_tanh_backward.h"

#include "aclnnop/aclnn_mish_backward.h"
#include "opapi/activation/activation.hpp"
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/common/vecmath.hpp"

using namespace pyaclnn::sim;

namespace {

/// d/dx x tanh(softplus(x)), in e = exp(-|x|): neither overflows nor cancels.
inline float mish_slope(float x) {
  const float e = vec::exp_of_negative(-vec::abs(x));
  const float twice = 2.0f * e;
  const float square = e * e;
  const bool negative = x < 0.0f;
  const float above = vec::select(negative, square + twice, 1.0f + twice);
  const float below = above + 2.0f * vec::select(negative, 1.0f, square);
  // x sigmoid(x) (1 - tanh^2), the denominators taken together.
  const float rest = 4.0f * x * (1.0f + e) * vec::select(negative, e, square);
  return (above + rest / below) / below;
}

}  // namespace

// gradInput = gradOutput * (1 - output^2).
OPERATOR(TanhBackward, (In, gradOutput), (In, output), (Out, gradInput)) {
  check.not_null(gradOutput, output, gradInput);
  check.dtype_in(activation_dtypes_with_double(), gradOutput, output, gradInput);
  check.same_dtype(gradOutput, output, gradInput);
  check.rank_at_most(8, gradOutput, output);
  const Dims shape = check.broadcast(gradOutput, output);
  check.shape_is(gradInput, shape, "the broadcast shape of gradOutput and output");
  if (gradOutput.is_empty() || output.is_empty()) return;
  plan.stage(gradOutput).contiguous();
  plan.stage(output).contiguous();
  plan.result(gradOutput.dtype(), shape).copy_to(gradInput);
  if (gradOutput.dtype() == ACL_DOUBLE) {
    elementwise<double>(
        plan, gradInput, [](double g, double y) { return g * ((1 - y) * (1 + y)); }, gradOutput,
        output);
  } else {
    elementwise<float>(
        plan, gradInput, [](float g, float y) { return g * ((1.0f - y) * (1.0f + y)); }, gradOutput,
        output);
  }
}

// gradInput = gradOutput * (t + self * sigmoid(self) * (1 - t^2)), t = tanh(softplus(self)).
OPERATOR(MishBackward, (In, gradOutput), (In, self), (Out, gradInput)) {
  check.not_null(gradOutput, self, gradInput);
  check_castable(check, self.dtype(), gradInput);
  check.dtype_in(activation_dtypes(), gradOutput, self, gradInput);
  check.rank_at_most(8, gradOutput, self, gradInput);
  const Dims shape = check.broadcast(self, gradOutput);
  check.shape_is(gradInput, shape, "the broadcast shape of gradOutput and self");
  if (self.is_empty() || gradOutput.is_empty() || gradInput.is_empty()) return;
  const aclDataType dtype = promoted(check, self, gradOutput);
  plan.stage(gradOutput).contiguous().cast_to(dtype).broadcast_to(shape);
  plan.stage(self).contiguous().cast_to(dtype).broadcast_to(shape);
  plan.result(dtype, shape).cast_to(gradInput.dtype()).copy_to(gradInput);
  elementwise_cast(
      plan, gradInput, dtype, [](float g, float x) { return g * mish_slope(x); }, gradOutput, self);
}
