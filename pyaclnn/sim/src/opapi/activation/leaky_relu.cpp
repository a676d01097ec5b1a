// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_leaky_relu_backward.h"
#include "objects/dtype.hpp"
#include "opapi/activation/activation.hpp"
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/common/vecmath.hpp"

using namespace pyaclnn::sim;

namespace {

DtypeSet slope_dtypes() {
  return DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT32, ACL_INT64,
                  ACL_INT8,  ACL_UINT8,   ACL_BOOL,   ACL_INT16}
      .with_bf16();
}

}  // namespace

// out = self > 0 ? gradOutput : gradOutput * negativeSlope, self being the forward function's input
// or, where the slope is not negative, its result.
OPERATOR(LeakyReluBackward, (In, gradOutput), (In, self), (ScalarIn, negativeSlope),
         (Flag, selfIsResult), (Out, out)) {
  check.not_null(gradOutput, self, negativeSlope, out);
  check.dtype_in(activation_dtypes_with_double(), gradOutput, self);
  check.that(slope_dtypes().contains(negativeSlope->dtype()), "negativeSlope is %s; allowed: %s",
             dtype_name(negativeSlope->dtype()), slope_dtypes().text().c_str());
  check.rank_at_most(8, gradOutput, self);
  const Dims shape = check.broadcast(gradOutput, self);
  check.shape_is(out, shape, "the broadcast shape of gradOutput and self");
  check.that(!selfIsResult || !(negativeSlope->to_double() < 0),
             "negativeSlope is %g; the gradient from the result needs a slope >= 0",
             negativeSlope->to_double());
  const aclDataType dtype = promoted(check, gradOutput, self);
  check_castable(check, dtype, out);
  if (self.is_empty()) return;
  plan.stage(gradOutput).contiguous().cast_to(dtype);
  plan.stage(self).contiguous().cast_to(dtype);
  plan.result(dtype, shape).cast_to(out.dtype()).copy_to(out);
  const float slope = negativeSlope->to_float();
  if (dtype == ACL_DOUBLE) {
    const double factor = slope;
    elementwise<double>(
        plan, out, [factor](double g, double x) { return x > 0 ? g : g * factor; }, gradOutput,
        self);
  } else {
    elementwise_cast(
        plan, out, dtype, [slope](float g, float x) { return vec::select(x > 0.0f, g, g * slope); },
        gradOutput, self);
  }
}
