// SPDX-License-Identifier: MIT
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/release.hpp"
#include "objects/dtype.hpp"
#include "objects/half.hpp"
#include "opapi/activation/activation.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/elementwise.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "opapi/pointwise/pointwise.hpp"
#include "parameters/ThresholdBackward.hpp"

namespace pyaclnn::sim {
namespace {

/// self <= threshold ? 0 : grad, in an integer type.
template <class T>
void select_integers(Plan& plan, const TensorArgument& out, const TensorArgument& grad,
                     const TensorArgument& self, float threshold) {
  using Limits = std::numeric_limits<T>;
  const double whole = std::floor(double(threshold));
  // The smallest value that passes; -inf and NaN let everything pass.
  const bool none = whole >= double(Limits::max());
  const bool all = !(whole >= double(Limits::min()));
  const T first = none || all ? Limits::min() : static_cast<T>(static_cast<T>(whole) + 1);
  elementwise<T>(
      plan, out, [=](T g, T x) { return static_cast<T>(x >= first && !none ? g : T(0)); }, grad,
      self);
}

void launch_integers(Plan& plan, const TensorArgument& out, const TensorArgument& grad,
                     const TensorArgument& self, float threshold) {
  switch (self.dtype()) {
    case ACL_INT8:
      return select_integers<std::int8_t>(plan, out, grad, self, threshold);
    case ACL_UINT8:
      return select_integers<std::uint8_t>(plan, out, grad, self, threshold);
    case ACL_INT32:
      return select_integers<std::int32_t>(plan, out, grad, self, threshold);
    default:
      return select_integers<std::int64_t>(plan, out, grad, self, threshold);
  }
}

}  // namespace

bool is_relu_threshold(const ScalarIn& threshold) {
  return std::fabs(threshold->to_float()) <= FLT_EPSILON;
}

// CANN's ReLU gradient is a selection for float32 and float16 on A2 and A3, and a product with a
// mask of 0 and 1 for bfloat16, on the first generation and in the kernels of the 950: there an
// infinite or NaN gradient times 0 is NaN. Other thresholds select everywhere. A NaN in self counts
// as above, but below on the first generation, which asks for "greater". In CANN 8.1, int32 goes
// through float32 and float16 is compared in float16; since 9.0 both are exact here.
/// out = self <= threshold ? 0 : grad.
void threshold_gradient(const Check&, Plan& plan, const ThresholdBackwardParameters& given) {
  float limit = given.threshold->to_float();
  const bool relu = is_relu_threshold(given.threshold);
  const bool rounds = !behaves(Behaviour::kComparesExactly);
  const bool is_float = given.self.dtype() == ACL_FLOAT || is_16_bit_float(given.self.dtype());
  if (!is_float && !(rounds && given.self.dtype() == ACL_INT32 && !relu))
    return launch_integers(plan, given.out, given.gradOutput, given.self, relu ? 0.0f : limit);
  if (!is_float)
    return elementwise<float>(
        plan, given.out, [limit](float g, float x) { return x <= limit ? 0.0f : g; },
        given.gradOutput, given.self);
  const aclDataType dtype = given.self.dtype();
  const auto launch = [&](const PointwiseFormula& formula, std::initializer_list<Number> numbers) {
    const View to = plan.writes(given.out);
    launch_pointwise(plan, formula, dtype, dtype, to,
                     {plan.reads(given.gradOutput), plan.reads(given.self)}, numbers);
  };
  if (relu) {
    const bool multiplies = dtype == ACL_BF16 || on_first_generation() || has_950_kernels();
    if (multiplies) return launch(formulas::relu_backward_by_mask, {});
    return launch(formulas::threshold_backward, {Number::unrounded(0)});
  }
  if (rounds && dtype == ACL_FLOAT16) limit = half_to_float(float_to_half(limit));
  launch(on_first_generation() ? formulas::threshold_backward_above : formulas::threshold_backward,
         {Number::unrounded(limit)});
}

}  // namespace pyaclnn::sim
