// Gated linear units: one half of the input along an axis gates the other.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <utility>

#include "aclnnop/aclnn_geglu_backward.h"
#include "aclnnop/aclnn_glu_backward.h"
#include "aclnnop/aclnn_swi_glu_grad.h"
#include "opapi/activation/activation.hpp"
#include "opapi/activation/slopes.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/elementwise_views.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/pointwise/gated.hpp"

using namespace pyaclnn::sim;

namespace {

/// The operands in halves: `first` and `second` as the input stores them.
struct Halves {
  View grad;
  View first;
  View second;
  View first_out;
  View second_out;
};

Halves halves_of(Plan& plan, const TensorArgument& grad, const TensorArgument& whole,
                 const TensorArgument& out, std::size_t axis) {
  const View input = plan.reads(whole);
  const View output = plan.writes(out);
  return {plan.reads(grad), half_view(input, axis, false), half_view(input, axis, true),
          half_view(output, axis, false), half_view(output, axis, true)};
}

/// The intermediate tensors of the chain of small kernels that CANN runs.
void stage_glu(Plan& plan, const TensorArgument& grad, const TensorArgument& self,
               const TensorArgument& out) {
  const aclDataType dtype = self.dtype() == ACL_FLOAT16 ? ACL_FLOAT : self.dtype();
  plan.stage(self).contiguous().cast_to(dtype);
  plan.stage(grad).contiguous().cast_to(dtype);
  constexpr int kHalves = 7;  // two of the input, the gate, three products, a difference
  if (!has_950_kernels() || dtype == ACL_DOUBLE) {
    for (int i = 0; i < kHalves; ++i) plan.reserve(grad.elements(), dtype);
  }
  plan.result(dtype, self.shape()).cast_to(self.dtype()).copy_to(out);
}

void launch_glu(Plan& plan, const Halves& at) {
  elementwise_views<float>(
      plan, at.first_out, [](float g, float b) { return g * vec::sigmoid(b); }, at.grad, at.second);
  elementwise_views<float>(
      plan, at.second_out,
      [](float g, float a, float b) {
        const float gate = vec::sigmoid(b);
        return a * (gate * vec::sigmoid(-b)) * g;
      },
      at.grad, at.first, at.second);
}

void launch_glu_double(Plan& plan, const Halves& at) {
  elementwise_views<double>(
      plan, at.first_out, [](double g, double b) { return g / (1 + std::exp(-b)); }, at.grad,
      at.second);
  elementwise_views<double>(
      plan, at.second_out,
      [](double g, double a, double b) {
        const double e = std::exp(-std::fabs(b));
        return a * e / ((1 + e) * (1 + e)) * g;
      },
      at.grad, at.first, at.second);
}

void check_geglu(const Check& check, const TensorArgument& grad, const TensorArgument& self,
                 const TensorArgument& gelu, std::int64_t dim, std::int64_t approximate,
                 const TensorArgument& out) {
  check.not_null(grad, self, gelu, out);
  check.dtype_in(activation_dtypes(), grad);
  check.same_dtype(grad, self, gelu, out);
  check.same_shape(grad, gelu);
  check.same_shape(self, out);
  check_half(check, grad, self, check.dim_of(self, dim));
  check.that(approximate == 0 || approximate == 1,
             "approximate is %lld, it must be 0 (erf) or 1 (tanh)",
             static_cast<long long>(approximate));
}

/// `at` with the activated half first.
void launch_geglu(Plan& plan, const Halves& at, const View& gelu, bool tanh) {
  elementwise_views<float>(
      plan, at.second_out, [](float g, float y) { return g * y; }, at.grad, gelu);
  if (tanh) {
    elementwise_views<float>(
        plan, at.first_out, [](float g, float a, float b) { return g * b * gelu_tanh_slope(a); },
        at.grad, at.first, at.second);
  } else {
    elementwise_views<float>(
        plan, at.first_out, [](float g, float a, float b) { return g * b * gelu_slope(a); },
        at.grad, at.first, at.second);
  }
}

void plan_geglu(const Check& check, Plan& plan, const TensorArgument& grad,
                const TensorArgument& self, const TensorArgument& gelu, std::int64_t dim,
                std::int64_t approximate, bool activate_left, const TensorArgument& out) {
  check_geglu(check, grad, self, gelu, dim, approximate, out);
  if (grad.is_empty()) return;
  const bool tanh = approximate == 1;
  check_kernel_exists(plan, config().has_bf16() || (on_310p() && tanh));
  plan.stage(grad).contiguous();
  plan.stage(self).contiguous();
  plan.stage(gelu).contiguous();
  plan.result(self.dtype(), self.shape()).copy_to(out);
  Halves at = halves_of(plan, grad, self, out, check.dim_of(self, dim));
  if (!activate_left) {
    std::swap(at.first, at.second);
    std::swap(at.first_out, at.second_out);
  }
  launch_geglu(plan, at, plan.reads(gelu), tanh);
}

/// Refuses what the kernel cannot divide, and returns the axis to halve.
std::size_t check_swi_glu(const Plan& plan, const TensorArgument& grad, const TensorArgument& x,
                          std::int64_t dim, const TensorArgument& out) {
  const std::size_t axis = swi_glu_axis(plan, x, dim);
  Dims half = x.shape();
  half.set(axis, half[axis] / 2);
  check_tiling(plan, grad.shape() == half && out.shape() == x.shape(),
               "yGrad has shape %s and out %s, they must be %s and %s", grad.shape().text().c_str(),
               out.shape().text().c_str(), half.text().c_str(), x.shape().text().c_str());
  return axis;
}

}  // namespace

// With self = (a, b) and s = sigmoid(b): out = (gradOut s, gradOut a s (1 - s)).
OPERATOR(GluBackward, (In, gradOut), (In, self), (Int, dim), (ConstOut, out)) {
  check.not_null(self, gradOut, out);
  check.dtype_in(activation_dtypes_with_double(), self);
  check.same_dtype(self, gradOut, out);
  check.rank_at_most(8, self, out, gradOut);
  check.that(self.rank() > 0, "self has no dimension to halve");
  const std::size_t axis = check.dim_of(self, dim);
  check_half(check, gradOut, self, axis);
  check.same_shape(self, out);
  if (self.is_empty()) return;
  stage_glu(plan, gradOut, self, out);
  const Halves at = halves_of(plan, gradOut, self, out, axis);
  self.dtype() == ACL_DOUBLE ? launch_glu_double(plan, at) : launch_glu(plan, at);
}

// With x = (a, b) and s = sigmoid(a): out = (yGrad b (s + a s (1 - s)), yGrad a s).
OPERATOR(SwiGluGrad, (In, yGrad), (In, x), (Int, dim), (ConstOut, out)) {
  check.not_null(yGrad, x, out);
  check_kernel_exists(plan, config().soc != Soc::kAscend910);
  check.dtype_in(activation_dtypes(), yGrad, x, out);
  check.same_dtype(x, yGrad, out);
  check_formats(check, yGrad, x, out);
  const std::size_t axis = check_swi_glu(plan, yGrad, x, dim, out);
  if (x.is_empty()) return;
  stage_pair(plan, x, yGrad, out);
  const Halves at = halves_of(plan, yGrad, x, out, axis);
  elementwise_views<float>(
      plan, at.first_out, [](float g, float a, float b) { return g * gate_slope(a, a) * b; },
      at.grad, at.first, at.second);
  elementwise_views<float>(
      plan, at.second_out, [](float g, float a) { return g * a * vec::sigmoid(a); }, at.grad,
      at.first);
}

// With self = (b, a) and gelu = gelu(a): gradInput = (gradOutput gelu, gradOutput b gelu'(a)).
OPERATOR(GeGluBackward, (In, gradOutput), (In, self), (In, gelu), (Int, dim), (Int, approximate),
         (Out, gradInput)) {
  plan_geglu(check, plan, gradOutput, self, gelu, dim, approximate, false, gradInput);
}

// As GeGluBackward; activateLeft says that the activated half is the first.
OPERATOR(GeGluV3Backward, (In, gradOutput), (In, self), (In, gelu), (Int, dim), (Int, approximate),
         (Flag, activateLeft), (Out, gradInput)) {
  plan_geglu(check, plan, gradOutput, self, gelu, dim, approximate, activateLeft, gradInput);
}
