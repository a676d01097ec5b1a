// SPDX-License-Identifier: MIT
#include "core/release.hpp"
#include "objects/half.hpp"
#include "opapi/activation/activation.hpp"
#include "opapi/activation/slopes.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/elementwise.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim {
namespace {

SIM_ALWAYS_INLINE float to_half(float value) { return half_to_float(float_to_half(value)); }

/// Every step rounded to float16, the constants too.
SIM_ALWAYS_INLINE float selu_in_half(float g, float r) {
  const float below = to_half(g * to_half(r + to_half(float(kSeluScaleAlpha))));
  const float above = to_half(g * to_half(kSeluScale));
  return r < 0.0f ? below : above;
}

/// float16 on the way in and out, float32 in between, as the 950 treats integers.
SIM_ALWAYS_INLINE float selu_of_integers_on_950(float g, float r) {
  return to_half(to_half(g) * selu_slope(to_half(r), to_half(r) <= 0.0f));
}

}  // namespace

// Where result is 0 the kernel of the 950 (CANN 9.0) takes the lower branch, every other one the
// upper. CANN 8.1 computes float16 in float16, 9.0 in float32; int8 is computed in float16 and
// int32 in float32, both truncated, but on the 950 both pass through float16 and are rounded.
void selu_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& result,
                   const TensorArgument& grad_input) {
  const aclDataType dtype = grad.dtype();
  const bool on_newest = has_950_kernels();
  const bool integer = dtype == ACL_INT32 || dtype == ACL_INT8;
  const bool in_half =
      dtype == ACL_INT8 || (dtype == ACL_FLOAT16 && !behaves(Behaviour::kSeluInFloat32));
  // Lambdas, not function pointers: each must be compiled into its own loop.
  if (on_newest && integer)
    return elementwise<float>(
        plan, grad_input, Rounding::kNearestEven,
        [](float g, float r) { return selu_of_integers_on_950(g, r); }, grad, result);
  if (in_half && !on_newest)
    return elementwise<float>(
        plan, grad_input, Rounding::kTruncate, [](float g, float r) { return selu_in_half(g, r); },
        grad, result);
  if (integer)
    return elementwise<float>(
        plan, grad_input, Rounding::kTruncate,
        [](float g, float r) { return g * selu_slope(r, r < 0.0f); }, grad, result);
  const View to = plan.writes(grad_input);
  launch_pointwise(plan, on_newest ? formulas::selu_backward_950 : formulas::selu_backward, dtype,
                   grad_input.dtype(), to, {plan.reads(grad), plan.reads(result)}, {});
}

}  // namespace pyaclnn::sim
