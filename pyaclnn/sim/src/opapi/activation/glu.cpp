// Gradients of gated linear units: one half of the input along an axis gates the other.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <utility>

#include "opapi/activation/activation.hpp"
#include "opapi/activation/slopes.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/elementwise_views.hpp"
#include "opapi/common/kernel_checks.hpp"

namespace pyaclnn::sim {
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

}  // namespace

void glu_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& whole,
                  std::size_t axis, const TensorArgument& out) {
  stage_glu(plan, grad, whole, out);
  const Halves at = halves_of(plan, grad, whole, out, axis);
  whole.dtype() == ACL_DOUBLE ? launch_glu_double(plan, at) : launch_glu(plan, at);
}

void check_swi_glu_gradient(const Plan& plan, const TensorArgument& grad, const TensorArgument& x,
                            std::size_t axis, const TensorArgument& out) {
  Dims half = x.shape();
  half.set(axis, half[axis] / 2);
  check_tiling(plan, grad.shape() == half && out.shape() == x.shape(),
               "%s has shape %s and %s %s, they must be %s and %s", grad.name(),
               grad.shape().text().c_str(), out.name(), out.shape().text().c_str(),
               half.text().c_str(), x.shape().text().c_str());
}

void swi_glu_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& x,
                      std::size_t axis, const TensorArgument& out) {
  plan.stage(x).contiguous();
  plan.stage(grad).contiguous();
  plan.result(x.dtype(), x.shape()).copy_to(out);
  const Halves at = halves_of(plan, grad, x, out, axis);
  elementwise_views<float>(
      plan, at.first_out, [](float g, float a, float b) { return g * gate_slope(a, a) * b; },
      at.grad, at.first, at.second);
  elementwise_views<float>(
      plan, at.second_out, [](float g, float a) { return g * a * vec::sigmoid(a); }, at.grad,
      at.first);
}

void geglu_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& self,
                    const TensorArgument& gelu, std::size_t axis, bool tanh, bool left,
                    const TensorArgument& out) {
  plan.stage(grad).contiguous();
  plan.stage(self).contiguous();
  plan.stage(gelu).contiguous();
  plan.result(self.dtype(), self.shape()).copy_to(out);
  Halves at = halves_of(plan, grad, self, out, axis);
  if (!left) {
    std::swap(at.first, at.second);
    std::swap(at.first_out, at.second_out);
  }
  launch_geglu(plan, at, plan.reads(gelu), tanh);
}

}  // namespace pyaclnn::sim
