// SPDX-License-Identifier: MIT
#include "opapi/loss/reduced.hpp"

#include <limits>
#include <vector>

#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/elementwise_sum.hpp"
#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "opapi/pointwise/narrow.hpp"

namespace pyaclnn::sim {
namespace m {
namespace {

template <class T>
SIM_ALWAYS_INLINE T distance(T a, T b) {
  const T difference = sub(a, b);
  return select<T>(difference < T(0), sub(T(0), difference), difference);
}

/// ln(1 + e^x)
template <class T>
SIM_ALWAYS_INLINE T softplus(T x) {
  return maximum<T>(x, T(0)) + log1p(exp(-std::fabs(x)));
}

template <class T>
SIM_ALWAYS_INLINE T smooth_distance(T a, T b, T beta) {
  const T d = distance(a, b);
  return select<T>(d < beta, T(0.5) * d * d / beta, d - T(0.5) * beta);
}

/// Logarithms stop at -100, so that a certainty that is right costs nothing.
template <class T>
SIM_ALWAYS_INLINE T cross_entropy(T p, T y) {
  const T yes = maximum<T>(log(p), T(-100));
  const T no = maximum<T>(log1p(-p), T(-100));
  return (y - T(1)) * no - y * yes;
}

template <class T>
SIM_ALWAYS_INLINE T divergence(T x, T y, T in_logarithms) {
  const T plain = select<T>(y > T(0), y * (log(y) - x), std::numeric_limits<T>::quiet_NaN());
  return select<T>(in_logarithms != T(0), exp(y) * (y - x), plain);
}

}  // namespace
}  // namespace m

namespace formulas {

FORMULA(mse_loss, kFloats, SIM_3(a, b, factor), 2, (a - b) * (a - b) * factor)
FORMULA(l1_loss, kReals, SIM_3(a, b, factor), 2, m::mul(m::distance(a, b), factor))
FORMULA(smooth_l1_loss, kFloats, SIM_4(a, b, beta, factor), 2,
        m::smooth_distance(a, b, beta) * factor)
FORMULA(soft_margin_loss, kFloats, SIM_3(x, y, factor), 2, m::softplus(-x* y) * factor)
FORMULA(kl_div, kFloats, SIM_4(x, y, in_logarithms, factor), 2,
        m::divergence(x, y, in_logarithms) * factor)
// A weight that is not given is any other operand, and not used.
FORMULA(binary_cross_entropy, kFloats, SIM_5(p, y, weight, weighted, factor), 3,
        m::cross_entropy(p, y) * m::select<T>(weighted != T(0), weight, T(1)) * factor)
FORMULA(binary_cross_entropy_with_logits, kFloats,
        SIM_7(x, y, weight, positive, weighted, positively, factor), 4,
        ((T(1) - y) * x +
         (T(1) + (m::select<T>(positively != T(0), positive, T(1)) - T(1)) * y) * m::softplus(-x)) *
            m::select<T>(weighted != T(0), weight, T(1)) * factor)

}  // namespace formulas

Number loss_factor(std::int64_t reduction, std::int64_t parts) {
  const bool mean = reduction == kMean || reduction == kBatchMean;
  return Number(mean ? 1.0 / double(parts) : 1.0);
}

bool loss_of_nothing(Plan& plan, bool empty, std::int64_t reduction, const TensorArgument& out) {
  if (!empty) return false;
  if (reduction == kNone) return true;
  const double value = reduction == kMean ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  pointwise(plan, formulas::fill, ACL_FLOAT, out.dtype(), out, {}, {Number(value)});
  return true;
}

bool filled_loss_of_nothing(Plan& plan, const TensorArgument& self, std::int64_t reduction,
                            const TensorArgument& out) {
  return loss_of_nothing(plan, self.is_empty(), reduction == kNone ? kSum : reduction, out);
}

bool kl_div_of_nothing(Plan& plan, const TensorArgument& self, const TensorArgument& target,
                       std::int64_t reduction, const TensorArgument& out) {
  if (!self.is_empty() && !target.is_empty()) return false;
  const std::int64_t kind = kl_div_reduction(self, reduction);
  if (out.is_empty() || (kind != kMean && kind != kSum && kind != kBatchMean)) return true;
  const double value = kind == kMean ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  pointwise(plan, formulas::fill, out.dtype(), out.dtype(), out, {}, {Number(value)});
  return true;
}

std::int64_t kl_div_reduction(const TensorArgument& self, std::int64_t reduction) {
  return reduction == kBatchMean && batch_of(self) == 0 ? kMean : reduction;
}

std::int64_t kl_div_parts(const TensorArgument& self, std::int64_t reduction, const Dims& shape) {
  return reduction == kBatchMean ? batch_of(self) : shape.product();
}

void loss(Plan& plan, const PointwiseFormula& formula, aclDataType compute, std::int64_t reduction,
          const TensorArgument& out, const Dims& shape,
          std::initializer_list<const TensorArgument*> inputs,
          std::initializer_list<Number> scalars) {
  if (reduction == kNone) {
    pointwise(plan, formula, compute, compute, out, inputs, scalars);
    return;
  }
  ElementwiseKernel kernel;
  for (const TensorArgument* input : inputs)
    plan.stage(*input).contiguous().cast_to(compute).broadcast_to(shape);
  plan.result(compute, out.shape()).cast_to(out.dtype()).copy_to(out);
  kernel.views.push_back(plan.writes(out));
  if (out.elements() == 1) {  // () or (1,)
    kernel.views[0].shape = Dims();
    kernel.views[0].strides = Dims();
  }
  for (const TensorArgument* input : inputs) {
    kernel.views.push_back(broadcast_view(plan.reads(*input), shape));
    kernel.loads.push_back(narrowing_loader(input->dtype(), compute));
  }
  kernel.store = storer_via(compute, out.dtype());
  kernel.compute_size = sizeof(float);
  kernel.compute_dtype = ACL_FLOAT;
  kernel.block = formula.loops[static_cast<int>(ComputeType::kFloat)];
  const auto values = std::make_shared<std::vector<float>>();
  for (const Number& number : scalars) values->push_back(static_cast<float>(number.value.real()));
  kernel.function = std::shared_ptr<const void>(values, values->data());
  launch_elementwise_sum(plan, std::move(kernel), shape);
}

}  // namespace pyaclnn::sim
