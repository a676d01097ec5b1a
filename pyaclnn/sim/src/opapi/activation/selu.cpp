// SPDX-License-Identifier: MIT
#include "core/release.hpp"
#include "objects/half.hpp"
#include "opapi/activation/activation.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/elementwise.hpp"

namespace pyaclnn::sim {
namespace {

constexpr float kScale = 1.0507009873554804934f;
constexpr double kScaleAlpha = 1.7580993408473768599;
constexpr float kScaleAlphaHigh = static_cast<float>(kScaleAlpha);
constexpr float kScaleAlphaLow = static_cast<float>(kScaleAlpha - kScaleAlphaHigh);

SIM_ALWAYS_INLINE float to_half(float value) { return half_to_float(float_to_half(value)); }

/// result + 1.758..., which is near 0 for strongly negative inputs: all digits of the constant
/// count.
SIM_ALWAYS_INLINE float distance(float r) { return (r + kScaleAlphaHigh) + kScaleAlphaLow; }

SIM_ALWAYS_INLINE float selu_grad(float g, float r) {
  const float below = g * distance(r);
  const float above = g * kScale;
  return r < 0.0f ? below : above;
}

/// Every step rounded to float16, the constants too.
SIM_ALWAYS_INLINE float selu_grad_half(float g, float r) {
  const float below = to_half(g * to_half(r + to_half(kScaleAlphaHigh)));
  const float above = to_half(g * to_half(kScale));
  return r < 0.0f ? below : above;
}

/// The kernel of the 950: 0 belongs to the lower branch.
SIM_ALWAYS_INLINE float selu_grad_950(float g, float r) {
  const float below = g * distance(r);
  const float above = g * kScale;
  return r <= 0.0f ? below : above;
}

/// float16 on the way in and out, float32 in between, as the 950 treats integers.
SIM_ALWAYS_INLINE float selu_grad_950_integer(float g, float r) {
  return to_half(selu_grad_950(to_half(g), to_half(r)));
}

}  // namespace

// Where result is 0 the kernel of the 950 (CANN 9.0) takes the lower branch, every other one the
// upper. CANN 8.1 computes float16 in float16, 9.0 in float32; int8 is computed in float16 and
// int32 in float32, both truncated, but on the 950 both pass through float16 and are rounded.
void selu_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& result,
                   const TensorArgument& grad_input) {
  const aclDataType dtype = grad.dtype();
  const bool integer = dtype == ACL_INT32 || dtype == ACL_INT8;
  const bool in_half =
      dtype == ACL_INT8 || (dtype == ACL_FLOAT16 && !behaves(Behaviour::kSeluInFloat32));
  const Rounding rounding = has_950_kernels() ? Rounding::kNearestEven : Rounding::kTruncate;
  const auto launch_with = [&](auto function) {
    elementwise<float>(plan, grad_input, rounding, function, grad, result);
  };
  // Lambdas, not function pointers: each must be compiled into its own loop.
  if (has_950_kernels() && integer) {
    launch_with([](float g, float r) { return selu_grad_950_integer(g, r); });
  } else if (has_950_kernels()) {
    launch_with([](float g, float r) { return selu_grad_950(g, r); });
  } else if (in_half) {
    launch_with([](float g, float r) { return selu_grad_half(g, r); });
  } else {
    launch_with([](float g, float r) { return selu_grad(g, r); });
  }
}

}  // namespace pyaclnn::sim
