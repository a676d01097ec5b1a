// SPDX-License-Identifier: MIT
#include "opapi/pointwise/affine.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/channel_views.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/elementwise_views.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "parameters/Scale.hpp"

namespace pyaclnn::sim {
namespace formulas {

FORMULA(square, kReals, SIM_1(a), 1, m::mul(a, a))
FORMULA(xlog1py, kFloats, SIM_2(x, y), 2,
        m::select<T>(y != y, y, m::select<T>(x == T(0), T(0), x* m::log1p(y))))

namespace {

FORMULA(scaled_and_moved, kFloats, SIM_3(x, scale, bias), 3, x* scale + bias)
FORMULA(modulated, kFloats, SIM_3(x, scale, shift), 3, x*(T(1) + scale) + shift)
FORMULA(modulated_scale, kFloats, SIM_2(x, scale), 2, x*(T(1) + scale))
FORMULA(fatrelu, kFloats, SIM_3(a, b, threshold), 3, m::select<T>(a < threshold, T(0), a) * b)

}  // namespace
}  // namespace formulas

namespace {

View placed_at(const View& view, std::size_t axis, std::size_t rank) {
  View placed = view;
  placed.shape = Dims();
  placed.strides = Dims();
  const std::size_t own = view.shape.size();
  for (std::size_t i = 0; i < rank; ++i) {
    const bool is_own = i >= axis && i - axis < own;
    placed.shape.push_back(is_own ? view.shape[i - axis] : 1);
    placed.strides.push_back(is_own ? view.strides[i - axis] : 0);
  }
  return placed;
}

/// A view of [batch, hidden] as [batch, 1, hidden].
View with_sequence(const View& view) {
  if (view.shape.size() == 3) return view;
  View result = view;
  result.shape = Dims({view.shape[0], 1, view.shape[1]});
  result.strides = Dims({view.strides[0], 0, view.strides[1]});
  return result;
}

void check_modulator(const Check& check, const TensorArgument& self,
                     const TensorArgument& modulator) {
  if (!modulator.given()) return;
  const std::size_t rank = modulator.rank();
  check.that(rank == 2 || rank == 3, "%s has %zu dimensions, it must have 2 or 3", modulator.name(),
             rank);
  const Dims& shape = modulator.shape();
  check.that(shape[0] == self.shape()[0] && shape[rank - 1] == self.shape()[2] &&
                 (rank == 2 || shape[1] == 1),
             "%s has shape %s, beside self of shape %s it must be [%lld, 1, %lld] or [%lld, %lld]",
             modulator.name(), shape.text().c_str(), self.shape().text().c_str(),
             static_cast<long long>(self.shape()[0]), static_cast<long long>(self.shape()[2]),
             static_cast<long long>(self.shape()[0]), static_cast<long long>(self.shape()[2]));
}

}  // namespace

void check_broadcast_inside(const Plan& plan, const TensorArgument& a, const TensorArgument& b,
                            const TensorArgument& out) {
  const std::size_t rank = std::max(a.rank(), b.rank());
  const auto extent = [rank](const TensorArgument& tensor, std::size_t i) {
    return i + tensor.rank() < rank ? 1 : tensor.shape()[i + tensor.rank() - rank];
  };
  Dims shape;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t x = extent(a, i);
    const std::int64_t y = extent(b, i);
    check_inside(plan, x == y || x == 1 || y == 1, "%s of shape %s does not broadcast with %s (%s)",
                 a.name(), a.shape().text().c_str(), b.name(), b.shape().text().c_str());
    shape.push_back(x == 1 ? y : x);
  }
  check_inside(plan, out.shape() == shape, "%s has shape %s, the result %s", out.name(),
               out.shape().text().c_str(), shape.text().c_str());
}

void check_modulation(const Check& check, const TensorArgument& self, const TensorArgument& scale,
                      const TensorArgument& shift, const TensorArgument& out) {
  check.that(self.rank() == 3, "self has %zu dimensions, it must have 3", self.rank());
  const auto is_nothing = [](const TensorArgument& tensor) {
    return !tensor.given() || tensor.is_empty();
  };
  check.that(!self.is_empty() || (is_nothing(scale) && is_nothing(shift)),
             "self is empty, scaleOptional and shiftOptional must be, too");
  check.same_shape(self, out);
  check_modulator(check, self, scale);
  check_modulator(check, self, shift);
}

void modulate(Plan& plan, const TensorArgument& self, const TensorArgument& scale,
              const TensorArgument& shift, const TensorArgument& out) {
  if (!scale.given() && !shift.given()) return copy(plan, self, out);
  const aclDataType dtype = self.dtype();
  std::vector<View> views;
  for (const TensorArgument* tensor : {&self, &scale, &shift}) {
    if (!tensor->given()) continue;
    plan.stage(*tensor).contiguous();
    const View view = plan.reads(*tensor);
    views.push_back(tensor == &self ? view : with_sequence(view));
  }
  plan.result(dtype, out.shape()).copy_to(out);
  const PointwiseFormula& one = scale.given() ? formulas::modulated_scale : formulas::add;
  const PointwiseFormula& formula = views.size() == 3 ? formulas::modulated : one;
  // Of the two only the sum has a scalar: the factor of its second operand.
  launch_pointwise(plan, formula, dtype, dtype, plan.writes(out), views, {Number(1.0)});
}

void check_scale(const Check& check, const TensorArgument& x, const TensorArgument& scale,
                 std::int64_t axis, std::int64_t axes, bool from_blob) {
  const auto rank = static_cast<std::int64_t>(x.rank());
  check.that(axis >= -rank && axis < rank, "axis is %lld, x has %lld dimensions",
             static_cast<long long>(axis), static_cast<long long>(rank));
  check.that(axes >= -1, "numAxes is %lld, it must not be less than -1",
             static_cast<long long>(axes));
  const std::int64_t first = axis < 0 ? axis + rank : axis;
  const auto own = static_cast<std::int64_t>(scale.rank());
  std::int64_t count = own;
  if (from_blob && axes == 0) {
    return check.that(scale.elements() == 1, "scale has %lld elements; with numAxes 0 it has one",
                      static_cast<long long>(scale.elements()));
  }
  if (from_blob) count = axes == -1 ? rank - first : axes;
  check.that(count <= rank - first,
             "x has %lld dimensions from axis %lld on, scale belongs to %lld",
             static_cast<long long>(rank - first), static_cast<long long>(axis),
             static_cast<long long>(count));
  if (!from_blob && scale.elements() == 1 && own <= 1) return;
  bool fits = count == own;
  for (std::int64_t i = 0; fits && i < count; ++i)
    fits = scale.shape()[std::size_t(i)] == x.shape()[std::size_t(first + i)];
  check.that(fits, "scale has shape %s, which is not that of %lld axes of x, %s, from %lld on",
             scale.shape().text().c_str(), static_cast<long long>(count), x.shape().text().c_str(),
             static_cast<long long>(first));
}

/// Plans y = x scale + bias, where scale and bias belong to the axes of x from `axis` on.
void scale_along(const Check&, Plan& plan, const ScaleParameters& given) {
  const std::size_t rank = given.x.rank();
  const std::size_t first =
      std::size_t(given.axis < 0 ? given.axis + std::int64_t(rank) : given.axis);
  const auto along = [&](const TensorArgument& tensor) {
    const View view = plan.reads(tensor);
    return tensor.elements() == 1 ? single_view(view) : placed_at(view, first, rank);
  };
  for (const TensorArgument* tensor : {&given.x, &given.scale, &given.bias})
    if (tensor->given()) plan.stage(*tensor).contiguous();
  plan.result(given.x.dtype(), given.y.shape()).copy_to(given.y);
  std::vector<View> views{plan.reads(given.x), along(given.scale)};
  if (given.bias.given()) views.push_back(along(given.bias));
  const PointwiseFormula& formula = given.bias.given() ? formulas::scaled_and_moved : formulas::mul;
  launch_pointwise(plan, formula, given.x.dtype(), given.x.dtype(), plan.writes(given.y), views,
                   {});
}

void check_fatrelu(const Plan& plan, const TensorArgument& input, const TensorArgument& threshold) {
  check_tiling(plan, input.rank() >= 2, "input has %zu dimensions, it must have 2 or more",
               input.rank());
  const std::int64_t last = input.shape().back();
  check_tiling(plan, last != 0, "input has rows of no elements");
  check_tiling(plan, threshold.elements() == 1, "threshold has %lld elements, it must have one",
               static_cast<long long>(threshold.elements()));
  check_tiling(plan, last <= 1024, "input has rows of %lld elements, at most 1024 are allowed",
               static_cast<long long>(last));
  check_tiling(plan, last % 2 == 0, "input has rows of %lld elements, an odd number",
               static_cast<long long>(last));
  check_tiling(plan, input.elements() / last <= 200000,
               "input has %lld rows, at most 200000 are allowed",
               static_cast<long long>(input.elements() / last));
}

void fatrelu_mul(Plan& plan, const TensorArgument& input, const TensorArgument& threshold,
                 const TensorArgument& out) {
  const std::size_t axis = input.rank() - 1;
  plan.stage(input).contiguous();
  plan.stage(threshold).contiguous();
  plan.result(input.dtype(), out.shape()).copy_to(out);
  const View whole = plan.reads(input);
  launch_pointwise(plan, formulas::fatrelu, input.dtype(), input.dtype(), plan.writes(out),
                   {half_view(whole, axis, false), half_view(whole, axis, true),
                    single_view(plan.reads(threshold))},
                   {});
}

}  // namespace pyaclnn::sim
