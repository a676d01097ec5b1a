// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "aclnnop/aclnn_logit_grad.h"
#include "opapi/activation/activation.hpp"
#include "opapi/common/elementwise.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/vecmath.hpp"

using namespace pyaclnn::sim;

namespace {

/// What dy is multiplied by, if x does not matter: eps beyond the sensible range. 0 if it does.
float factor_of(float eps) {
  if (std::isnan(eps)) return eps;
  if (std::isinf(eps) || eps < 1) return 0;
  constexpr float kInf = std::numeric_limits<float>::infinity();
  return eps == 1 ? kInf : std::numeric_limits<float>::quiet_NaN();
}

}  // namespace

// out = dy / (x (1 - x)) where eps <= x <= 1 - eps. Elsewhere 0; with eps < 0, which means no
// limits, NaN outside of 0 to 1. Its document sets NaN for eps > 1, infinity for eps = 1 and 0 for
// an infinite eps.
OPERATOR(LogitGrad, (In, x), (In, dy), (Double, eps), (ConstOut, out)) {
  check.not_null(x, dy, out);
  check_kernel_exists(plan, config().has_bf16());
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, x, dy, out);
  check.same_dtype(x, dy, out);
  check_formats(check, x, dy, out);
  check.rank_at_most(8, x);
  check.same_shape(x, dy, out);
  if (x.is_empty()) return;
  stage_pair(plan, x, dy, out);
  const auto limit = static_cast<float>(eps.value);
  const float factor = factor_of(limit);
  if (factor != 0) {
    elementwise<float>(plan, out, [factor](float, float g) { return g * factor; }, x, dy);
    return;
  }
  const bool limited = !(limit < 0);
  const float low = limited ? limit : 0.0f;
  const float high = limited ? 1.0f - limit : 1.0f;
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
