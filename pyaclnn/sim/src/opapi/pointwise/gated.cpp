// SPDX-License-Identifier: MIT
#include "opapi/pointwise/gated.hpp"

#include "core/config.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/channel_views.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/elementwise_views.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim {
namespace formulas {

FORMULA(glu, kFloats | kQuick, SIM_2(a, b), 2, a / (T(1) + m::exp(-b)))
FORMULA(swi_glu, kFloats | kQuick, SIM_2(a, b), 2, a / (T(1) + m::exp(-a)) * b)
FORMULA(gelu_mul, kFloats, SIM_2(a, b), 2, m::gelu(a) * b)
FORMULA(gelu_tanh_mul, kFloats, SIM_2(a, b), 2,
        a / (T(1) + m::exp(T(-1.5957691216057308) * (a + T(0.044715) * a * a * a))) * b)
FORMULA(prelu, kFloats | kQuick, SIM_2(x, slope), 2, m::select<T>(x > T(0), x, x* slope))

}  // namespace formulas

void check_half(const Check& check, const TensorArgument& part, const TensorArgument& whole,
                std::size_t axis) {
  // A scalar has the extent 0 where it is looked at.
  if (whole.rank() == 0) return check.shape_is(part, Dims({0}), "half of a scalar");
  check.that(whole.shape()[axis] % 2 == 0, "%s has the odd extent %lld in dimension %zu",
             whole.name(), static_cast<long long>(whole.shape()[axis]), axis);
  Dims expected = whole.shape();
  expected.set(axis, expected[axis] / 2);
  check.shape_is(part, expected, "half of the input along dim");
}

std::size_t swi_glu_axis(const Plan& plan, const TensorArgument& x, std::int64_t dim) {
  const auto rank = static_cast<std::int64_t>(x.rank());
  check_tiling(plan, dim >= -rank && dim < rank, "dim is %lld, x has %lld dimensions",
               static_cast<long long>(dim), static_cast<long long>(rank));
  const auto axis = static_cast<std::size_t>(dim < 0 ? dim + rank : dim);
  const std::int64_t extent = x.shape()[axis];
  check_tiling(plan, extent % 2 == 0, "x has the odd extent %lld in dimension %zu",
               static_cast<long long>(extent), axis);
  Dims half;
  half.push_back(extent / 2);
  for (std::size_t i = axis + 1; i < x.rank(); ++i) half.push_back(x.shape()[i]);
  const std::int64_t row = half.product();
  const std::int64_t block = 64 / static_cast<std::int64_t>(dtype_size(x.dtype()));
  check_tiling(plan, !on_310p() || row % block == 0,
               "a half of x has rows of %lld elements, %s takes multiples of %lld",
               static_cast<long long>(row), chip().name, static_cast<long long>(block));
  return axis;
}

void check_half_inside(const Plan& plan, const TensorArgument& out, const TensorArgument& x,
                       std::size_t axis) {
  Dims half = x.shape();
  half.set(axis, half[axis] / 2);
  check_tiling(plan, out.shape() == half, "%s has shape %s, it must be %s", out.name(),
               out.shape().text().c_str(), half.text().c_str());
}

void gated(Plan& plan, const PointwiseFormula& formula, const TensorArgument& whole,
           std::size_t axis, bool swapped, const TensorArgument& out) {
  plan.stage(whole).contiguous();
  plan.result(whole.dtype(), out.shape()).cast_to(out.dtype()).copy_to(out);
  const View view = plan.reads(whole);
  launch_pointwise(plan, formula, whole.dtype(), whole.dtype(), plan.writes(out),
                   {half_view(view, axis, swapped), half_view(view, axis, !swapped)}, {});
}

void half_through(Plan& plan, const PointwiseFormula& formula, const TensorArgument& whole,
                  std::size_t axis, bool upper, const TensorArgument& out) {
  plan.result(whole.dtype(), out.shape()).copy_to(out);
  launch_pointwise(plan, formula, whole.dtype(), whole.dtype(), plan.writes(out),
                   {half_view(plan.reads(whole), axis, upper)}, {});
}

void prelu(Plan& plan, const TensorArgument& self, const TensorArgument& weight,
           aclDataType compute, const TensorArgument& out) {
  plan.stage(self).contiguous().cast_to(compute);
  plan.stage(weight).contiguous().cast_to(compute);
  plan.result(compute, out.shape()).cast_to(out.dtype()).copy_to(out);
  View x = plan.reads(self);
  View slopes = plan.reads(weight);
  View y = plan.writes(out);
  if (weight.elements() == 1) {
    slopes = single_view(slopes);
  } else {
    x = split_view(x, weight.shape());
    y = split_view(y, weight.shape());
    slopes = channel_view(slopes, self.rank(), weight.shape());
  }
  launch_pointwise(plan, formulas::prelu, compute, compute, y, {x, slopes}, {});
}

}  // namespace pyaclnn::sim
