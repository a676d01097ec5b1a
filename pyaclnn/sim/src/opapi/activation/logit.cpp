// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "opapi/activation/activation.hpp"
#include "opapi/common/elementwise.hpp"
#include "opapi/common/vecmath.hpp"

namespace pyaclnn::sim {
namespace {

/// What dy is multiplied by, if x does not matter: eps beyond the sensible range. 0 if it does.
float factor_of(float eps) {
  if (std::isnan(eps)) return eps;
  if (std::isinf(eps) || eps < 1) return 0;
  constexpr float kInf = std::numeric_limits<float>::infinity();
  return eps == 1 ? kInf : std::numeric_limits<float>::quiet_NaN();
}

}  // namespace

// Elsewhere 0; with eps < 0, which means no limits, NaN outside of 0 to 1. Its document sets NaN
// for eps > 1, infinity for eps = 1 and 0 for an infinite eps.
void logit_gradient(Plan& plan, const TensorArgument& x, const TensorArgument& dy, float eps,
                    const TensorArgument& out) {
  const float factor = factor_of(eps);
  if (factor != 0) {
    elementwise<float>(plan, out, [factor](float, float g) { return g * factor; }, x, dy);
    return;
  }
  const bool limited = !(eps < 0);
  const float low = limited ? eps : 0.0f;
  const float high = limited ? 1.0f - eps : 1.0f;
  const float outside = limited ? 0.0f : std::numeric_limits<float>::quiet_NaN();
  elementwise<float>(
      plan, out,
      [=](float p, float g) {
        const float inside = g / (p * (1.0f - p));
        const float above = vec::select(p < low, outside, inside);
        return vec::select(p > high, outside, above);
      },
      x, dy);
}

}  // namespace pyaclnn::sim
