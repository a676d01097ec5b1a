// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_fast_gelu_backward.h"
#include "aclnnop/aclnn_gelu_backward.h"
#include "aclnnop/aclnn_gelu_backward_v2.h"
#include "opapi/activation/activation.hpp"
#include "opapi/activation/slopes.hpp"
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/promote.hpp"

using namespace pyaclnn::sim;

namespace {

aclDataType common_dtype(const Check& check, const TensorArgument& grad,
                         const TensorArgument& self) {
  const aclDataType dtype = promoted(check, grad, self);
  check.that(activation_dtypes().contains(dtype), "%s and %s meet in element type %d; allowed: %s",
             grad.name(), self.name(), int(dtype), activation_dtypes().text().c_str());
  return dtype;
}

void stage_all(Plan& plan, const TensorArgument& grad, const TensorArgument& self,
               const Dims& shape, aclDataType dtype) {
  plan.stage(grad).contiguous().broadcast_to(shape).cast_to(dtype);
  plan.stage(self).contiguous().broadcast_to(shape).cast_to(dtype);
}

}  // namespace

// The derivative of GELU's tanh approximation, which is what CANN's kernel of this name computes
// (the one of V2 has both).
OPERATOR(GeluBackward, (In, gradOutput), (In, self), (ConstOut, gradInput)) {
  check.not_null(gradOutput, self, gradInput);
  const aclDataType dtype = common_dtype(check, gradOutput, self);
  check.rank_at_most(8, gradOutput, self);
  const Dims shape = check.broadcast(gradOutput, self);
  check.shape_is(gradInput, shape, "the broadcast shape of gradOutput and self");
  if (self.is_empty() || gradOutput.is_empty()) return;
  stage_all(plan, gradOutput, self, shape, dtype);
  plan.stage(gradInput).contiguous().cast_to(dtype);
  plan.result(dtype, shape).cast_to(gradInput.dtype()).copy_to(gradInput);
  elementwise_cast(
      plan, gradInput, dtype, [](float g, float x) { return g * gelu_tanh_slope(x); }, gradOutput,
      self);
}

OPERATOR(GeluBackwardV2, (In, gradOutput), (In, self), (Text, approximate), (Out, gradInput)) {
  check.not_null(gradOutput, self, gradInput, approximate);
  const aclDataType dtype = common_dtype(check, gradOutput, self);
  check.that(gradInput.dtype() == dtype, "gradInput has element type %d, it must be %d",
             int(gradInput.dtype()), int(dtype));
  const Dims shape = check.broadcast(gradOutput, self);
  check.shape_is(gradInput, shape, "the broadcast shape of gradOutput and self");
  const bool tanh = approximate.text == "tanh";
  check.that(tanh || approximate.text == "none",
             "approximate is \"%s\", it must be \"none\" or \"tanh\"", approximate.text.c_str());
  if (self.is_empty() || gradOutput.is_empty()) return;
  stage_all(plan, gradOutput, self, shape, dtype);
  plan.result(dtype, shape).copy_to(gradInput);
  if (tanh) {
    elementwise<float>(
        plan, gradInput, [](float g, float x) { return g * gelu_tanh_slope(x); }, gradOutput, self);
  } else {
    elementwise<float>(
        plan, gradInput, [](float g, float x) { return g * gelu_slope(x); }, gradOutput, self);
  }
}

// The derivative of x sigmoid(1.702 x).
OPERATOR(FastGeluBackward, (In, gradOutput), (In, self), (Out, gradInput)) {
  check.since_cann_9_0();
  check.not_null(gradOutput, self, gradInput);
  check.same_dtype(self, gradOutput);
  check.same_dtype(gradOutput, gradInput);
  const DtypeSet accepted = config().has_bf16() ? activation_dtypes() : DtypeSet{};
  check.dtype_in(accepted, gradInput);
  check.same_shape(self, gradOutput, gradInput);
  check.rank_at_most(8, self);
  check_formats(check, self, gradInput, gradOutput);
  if (self.is_empty() || gradOutput.is_empty()) return;
  stage_pair(plan, gradOutput, self, gradInput);
  elementwise<float>(
      plan, gradInput,
      [](float g, float x) {
        const float z = 1.702f * x;
        return g * gate_slope(z, z);
      },
      gradOutput, self);
}
