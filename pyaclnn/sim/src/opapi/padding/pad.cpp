// SPDX-License-Identifier: MIT
#include "opapi/padding/pad.hpp"

#include <algorithm>
#include <limits>

#include "objects/dtype.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/narrow_scalar.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/copy/halves.hpp"
#include "opapi/copy/runs.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "parameters/ConstantPadNd.hpp"

namespace pyaclnn::sim {
namespace {

using Numbers = std::vector<std::int64_t>;

/// The numbers before and after an axis that is counted from the front.
std::int64_t before(const Numbers& padding, std::size_t axis, std::size_t rank) {
  const std::size_t place = 2 * (rank - 1 - axis);
  return place < padding.size() ? padding[place] : 0;
}
std::int64_t after(const Numbers& padding, std::size_t axis, std::size_t rank) {
  const std::size_t place = 2 * (rank - 1 - axis) + 1;
  return place < padding.size() ? padding[place] : 0;
}

/// The pieces of a padded axis whose padding copies its own elements. Negative numbers cut off.
AxisRuns copied_runs(std::int64_t extent, std::int64_t front, std::int64_t back, PadMode mode) {
  const std::int64_t skipped = std::max<std::int64_t>(0, -front);
  const std::int64_t left = std::max<std::int64_t>(0, front);
  const std::int64_t right = std::max<std::int64_t>(0, back);
  const AxisRun middle{extent - skipped - std::max<std::int64_t>(0, -back), skipped, 1};
  switch (mode) {
    case PadMode::kReflect:
      return {{left, left, -1}, middle, {right, extent - 2, -1}};
    case PadMode::kEdge:
      return {{left, 0, 0}, middle, {right, extent - 1, 0}};
    default:
      return {{left, extent - left, 1}, middle, {right, 0, 1}};
  }
}

/// Refuses a number of the padding of an axis that CANN refuses: reflections end before the
/// farthest element, and what is wrapped goes around once.
void check_amount(const Check& check, std::size_t place, std::int64_t number, std::int64_t extent,
                  PadMode mode) {
  const bool none = number == 0 && extent == 0;
  const bool least = mode != PadMode::kCircular || number >= 0;
  const bool most = mode == PadMode::kEdge || number < extent || none;
  check.that(least && most,
             "padding[%zu] is %lld, it must be %sbelow the %lld places of its dimension", place,
             static_cast<long long>(number), mode == PadMode::kCircular ? "from 0 to " : "",
             static_cast<long long>(extent));
}

bool is_float6(aclDataType dtype) { return dtype == ACL_FLOAT6_E3M2 || dtype == ACL_FLOAT6_E2M3; }

/// The axis whose padding comes last, of some.
std::size_t last_padded(const Numbers& front, const Numbers& back) {
  std::size_t axis = front.size() - 1;
  while (front[axis] == 0 && back[axis] == 0) --axis;
  return axis;
}

/// Refuses padding that the kernel does not write as pairs of numbers of 4 bits.
void check_whole_bytes(const Plan& plan, const Dims& shape, const Numbers& front,
                       const Numbers& back) {
  const std::size_t axis = last_padded(front, back);
  const std::int64_t inner = shape.product(axis + 1);
  check_tiling_inside(plan,
                      (shape[axis] * inner) % 2 == 0 && (front[axis] * inner) % 2 == 0 &&
                          (back[axis] * inner) % 2 == 0,
                      "self has shape %s: its last axis and the padding of it must be even",
                      shape.text().c_str());
}

}  // namespace

Dims padded_shape(const Check& check, const TensorArgument& self, const Numbers& padding) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  for (std::int64_t number : padding)
    check.that(number >= -kMost && number <= kMost,
               "the padding contains %lld, which no tensor has", static_cast<long long>(number));
  Dims shape = self.shape();
  for (std::size_t i = 0; i < self.rank(); ++i) {
    const std::int64_t extent = shape[i];
    check.that(extent >= 0 && extent <= std::numeric_limits<std::int64_t>::max() - 2 * kMost,
               "self has the extent %lld", static_cast<long long>(extent));
    const std::int64_t front = before(padding, i, self.rank());
    const std::int64_t back = after(padding, i, self.rank());
    const std::int64_t least = std::min({front, back, front + back});
    check.that(extent + least >= 0,
               "dimension %zu has %lld places: padding of %lld and %lld leaves less than none", i,
               static_cast<long long>(extent), static_cast<long long>(front),
               static_cast<long long>(back));
    shape.set(i, extent + front + back);
  }
  return shape;
}

void check_constant_pad(const Check& check, const TensorArgument& self, const Numbers& padding,
                        const TensorArgument& out) {
  check.that(self.rank() == out.rank(), "self has %zu dimensions, out has %zu", self.rank(),
             out.rank());
  check.that(padding.size() % 2 == 0, "pad has %zu numbers, it takes two for each dimension",
             padding.size());
  check.that(padding.size() <= 2 * self.rank(), "pad has %zu numbers, self only %zu dimensions",
             padding.size(), self.rank());
  const Dims shape = padded_shape(check, self, padding);
  check.shape_is(out, shape, "self with the padding");
  const bool grows = std::any_of(padding.begin(), padding.end(), [](auto n) { return n > 0; });
  for (std::size_t i = self.rank() - padding.size() / 2; i < self.rank(); ++i)
    check.that(!grows || shape[i] != 0, "the result of shape %s has no elements",
               shape.text().c_str());
  check.that(NarrowFormat::of(self.dtype()) == nullptr ||
                 std::all_of(padding.begin(), padding.end(), [](auto n) { return n >= 0; }),
             "pad has a number below 0, and self is %s", dtype_name(self.dtype()));
}

void check_zero_bits(const Check& check, const TensorArgument& self, const Numbers& padding,
                     const ScalarIn& value) {
  const bool grows = std::any_of(padding.begin(), padding.end(), [](auto n) { return n > 0; });
  const auto& bytes = value->bytes();
  check.that(!grows || NarrowFormat::of(self.dtype()) == nullptr ||
                 std::all_of(bytes.begin(), bytes.end(), [](auto b) { return b == std::byte(0); }),
             "value must have no bit set, as self is %s", dtype_name(self.dtype()));
}

void constant_pad(const Check&, Plan& plan, const ConstantPadNdParameters& given) {
  const std::size_t rank = given.self.rank();
  Numbers front(rank), back(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    front[i] = before(given.pad.values(), i, rank);
    back[i] = after(given.pad.values(), i, rank);
  }
  const auto has = [&](bool positive) {
    const auto is_one = [=](std::int64_t n) { return positive ? n > 0 : n < 0; };
    return std::any_of(front.begin(), front.end(), is_one) ||
           std::any_of(back.begin(), back.end(), is_one);
  };
  const aclDataType dtype = given.self.dtype();
  const bool narrow = NarrowFormat::of(dtype) != nullptr, half = is_float4(dtype);
  plan.stage(given.self)
      .contiguous()
      .cast_to(dtype == ACL_BOOL && (has(true) || has(false)) ? ACL_INT8 : dtype);
  if (narrow && is_float6(given.value->dtype())) fail_not_simulated(plan, "a value of float6");
  if (half && has(true)) check_whole_bytes(plan, given.self.shape(), front, back);
  if (half && !(are_dense_halves(given.self) && are_dense_halves(given.out)))
    fail_not_simulated(plan, "float4 with gaps");
  if (has(true) && has(false)) plan.reserve(given.out.elements(), dtype);
  plan.result(dtype, given.out.shape()).copy_to(given.out);
  View to = plan.writes(given.out), from = plan.reads(given.self);
  if (narrow) to.dtype = from.dtype = ACL_UINT8;
  if (half) {
    const std::size_t axis = has(true) ? last_padded(front, back) : 0;
    to = bytes_of_halves(to, axis);
    from = bytes_of_halves(from, axis);
    const std::int64_t inner = has(true) ? given.self.shape().product(axis + 1) : 0;
    front.resize(axis + 1);
    back.resize(axis + 1);
    front[axis] = front[axis] * inner / 2;
    back[axis] = back[axis] * inner / 2;
  }
  if (has(true)) {
    const unsigned bits = narrow ? narrow_bits(given.value, dtype) : 0;
    const Number number =
        narrow ? Number(std::int64_t(half ? bits << 4 | bits : bits)) : Number(given.value);
    launch_pointwise(plan, formulas::fill, to.dtype, to.dtype, to, {}, {number});
  }
  if (given.self.is_empty()) return;
  for (std::size_t i = 0; i < from.shape.size(); ++i) {
    const std::int64_t skipped = std::max<std::int64_t>(0, -front[i]);
    const std::int64_t kept = from.shape[i] - skipped - std::max<std::int64_t>(0, -back[i]);
    if (kept <= 0) return;
    from.offset += skipped * from.strides[i];
    to.offset += std::max<std::int64_t>(0, front[i]) * to.strides[i];
    from.shape.set(i, kept);
    to.shape.set(i, kept);
  }
  launch_cast(plan, to, from);
}

void check_copied_pad(const Check& check, const TensorArgument& self, const Numbers& padding,
                      const TensorArgument& out, std::size_t axes, PadMode mode) {
  check.that(self.rank() == axes + 1 || self.rank() == axes + 2,
             "self has %zu dimensions, it must have %zu or %zu", self.rank(), axes + 1, axes + 2);
  check.that(padding.size() == 2 * axes, "padding has %zu numbers, it takes %zu", padding.size(),
             2 * axes);
  for (std::size_t i = 0; i < 2 * axes; ++i)
    check_amount(check, i, padding[i], self.shape()[self.rank() - 1 - i / 2], mode);
  // Of reflections, what is not padded is looked at later.
  if (mode != PadMode::kReflect) return check_padded(check, self, padding, out);
  const Dims padded = padded_shape(check, self, padding);
  bool fits = out.rank() == self.rank();
  for (std::size_t i = self.rank() - axes; fits && i < self.rank(); ++i)
    fits = out.shape()[i] == padded[i];
  check.that(fits, "out has shape %s, padded is self to %s", out.shape().text().c_str(),
             padded.text().c_str());
}

void check_padded(const Check& check, const TensorArgument& self, const Numbers& padding,
                  const TensorArgument& out) {
  check.shape_is(out, padded_shape(check, self, padding), "self with the padding");
}

bool is_empty_pad(const Check& check, const TensorArgument& self, const TensorArgument& out,
                  std::size_t axes) {
  if (!self.is_empty() && !out.is_empty()) return false;
  check.that(self.rank() == axes + 2, "self of shape %s is empty: that takes a batch dimension",
             self.shape().text().c_str());
  for (std::size_t i = 1; i < self.rank(); ++i)
    check.that(self.shape()[i] != 0, "self has shape %s: only the first extent may be 0",
               self.shape().text().c_str());
  return true;
}

void copied_pad(Plan& plan, const TensorArgument& self, const Numbers& padding,
                const TensorArgument& out, PadMode mode) {
  plan.stage(self).contiguous();
  plan.result(self.dtype(), out.shape()).copy_to(out);
  std::vector<AxisRuns> axes(self.rank());
  for (std::size_t i = self.rank() - padding.size() / 2; i < self.rank(); ++i)
    axes[i] = copied_runs(self.shape()[i], before(padding, i, self.rank()),
                          after(padding, i, self.rank()), mode);
  const View to = plan.writes(out);
  launch_runs(plan, to, plan.reads(self), axes);
}

}  // namespace pyaclnn::sim
