// SPDX-License-Identifier: MIT
#include "opapi/copy/strided.hpp"

#include <algorithm>

#include "opapi/common/flat.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/cast.hpp"
#include "parameters/ConfusionTranspose.hpp"

namespace pyaclnn::sim {
namespace {

/// Bits of a mask, and entries that CANN's shapes hold.
constexpr std::size_t kMost = Dims::kCapacity;

bool has_bit(std::uint64_t mask, std::size_t bit) { return ((mask >> bit) & 1) != 0; }

/// The slice of one axis, and the view it is taken from.
class Slicer {
 public:
  Slicer(const Plan& plan, const View& whole) : plan_(plan), from_(whole), result_(whole) {
    result_.shape = result_.strides = Dims();
  }

  std::size_t axis() const { return axis_; }
  const View& result() const { return result_; }

  void take_all() {
    result_.shape.push_back(from_.shape[axis_]);
    result_.strides.push_back(from_.strides[axis_]);
    ++axis_;
  }

  void add_axis() {
    result_.shape.push_back(1);
    result_.strides.push_back(0);
  }

  void take_place(std::int64_t place) {
    const std::int64_t extent = from_.shape[axis_];
    const std::int64_t from_front = place < 0 ? place + extent : place;
    check_inside(plan_, from_front >= 0 && from_front < extent,
                 "place %lld is not in dimension %zu of %lld places", static_cast<long long>(place),
                 axis_, static_cast<long long>(extent));
    result_.offset += from_front * from_.strides[axis_];
    ++axis_;
  }

  void take_range(std::int64_t begin, bool from_start, std::int64_t end, bool to_end,
                  std::int64_t step) {
    const std::int64_t extent = from_.shape[axis_];
    const std::int64_t first = step > 0 ? 0 : -1;
    const std::int64_t last = step > 0 ? extent : extent - 1;
    const auto placed = [&](std::int64_t x) {
      return std::clamp(x < 0 ? x + extent : x, first, last);
    };
    const std::int64_t start = from_start ? (step > 0 ? first : last) : placed(begin);
    const std::int64_t stop = to_end ? (step > 0 ? last : first) : placed(end);
    const std::int64_t length = stop - start;
    const bool is_none = length == 0 || (length < 0) != (step < 0);
    const std::int64_t count = is_none ? 0 : length / step + (length % step != 0 ? 1 : 0);
    if (count > 0) result_.offset += start * from_.strides[axis_];
    result_.shape.push_back(count);
    // A step is taken between two places only.
    result_.strides.push_back(count > 1 ? from_.strides[axis_] * step : 0);
    ++axis_;
  }

 private:
  const Plan& plan_;
  View from_;
  View result_;
  std::size_t axis_ = 0;
};

/// The view of self that the entries mean.
View sliced(const Plan& plan, const View& self, const SliceEntries& entries,
            const SliceMasks& masks) {
  const std::size_t count = entries.begin.size();
  check_inside(plan, count <= kMost, "there are %zu entries, at most %zu are allowed", count,
               kMost);
  Slicer slicer(plan, self);
  const std::size_t rank = self.shape.size();
  const auto takes_axis = [&](std::size_t i) {
    return !has_bit(masks.ellipsis, i) && !has_bit(masks.new_axis, i);
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (has_bit(masks.ellipsis, i)) {
      std::size_t behind = 0;
      for (std::size_t k = i + 1; k < count; ++k) behind += takes_axis(k) ? 1 : 0;
      while (slicer.axis() + behind < rank) slicer.take_all();
    } else if (has_bit(masks.new_axis, i)) {
      slicer.add_axis();
    } else {
      check_inside(plan, slicer.axis() < rank, "entry %zu has no dimension, self has %zu", i, rank);
      if (has_bit(masks.shrink, i))
        slicer.take_place(entries.begin[i]);
      else
        slicer.take_range(entries.begin[i], has_bit(masks.begin, i), entries.end[i],
                          has_bit(masks.end, i), entries.strides[i]);
    }
  }
  while (slicer.axis() < rank) slicer.take_all();
  return slicer.result();
}

Dims ordered(const Dims& values, const std::vector<std::int64_t>& order) {
  Dims result;
  for (std::int64_t axis : order) result.push_back(values[std::size_t(axis)]);
  return result;
}

Dims as_dims(const std::vector<std::int64_t>& values) { return {values.data(), values.size()}; }

}  // namespace

void check_entries(const Check& check, const SliceEntries& entries, const SliceMasks& masks) {
  check.that(
      entries.begin.size() == entries.end.size() && entries.end.size() == entries.strides.size(),
      "begin has %zu numbers, end %zu, strides %zu: they must have as many", entries.begin.size(),
      entries.end.size(), entries.strides.size());
  for (std::int64_t step : entries.strides) check.that(step != 0, "strides has a 0");
  check.that((masks.ellipsis & (masks.ellipsis - 1)) == 0, "ellipsisMask has several bits");
  for (std::size_t i = 0; i < std::min<std::size_t>(entries.strides.size(), 64); ++i)
    check.that(!has_bit(masks.shrink, i) || entries.strides[i] > 0,
               "strides[%zu] is %lld, of a single place it must be above 0", i,
               static_cast<long long>(entries.strides[i]));
}

void strided_slice(const Check& check, Plan& plan, const TensorArgument& self,
                   const SliceEntries& entries, const SliceMasks& masks,
                   const TensorArgument& out) {
  if (entries.begin.empty()) return cast(plan, self, self.dtype(), out);
  plan.stage(self).contiguous();
  const View from = sliced(plan, plan.reads(self), entries, masks);
  check.shape_is(out, from.shape, "the slice");
  plan.result(self.dtype(), from.shape).copy_to(out);
  if (out.is_empty()) return;
  launch_cast(plan, plan.writes(out), from);
}

void check_confusion(const Plan& plan, const TensorArgument& x,
                     const std::vector<std::int64_t>& order, const std::vector<std::int64_t>& shape,
                     bool order_first, const TensorArgument& out) {
  const auto fits = [](std::size_t rank) { return rank >= 1 && rank <= 8; };
  check_inside(plan, fits(x.rank()) && fits(out.rank()) && fits(shape.size()),
               "x has %zu dimensions, out %zu, shape %zu: 1 to 8 are allowed", x.rank(), out.rank(),
               shape.size());
  const std::size_t rank = order_first ? x.rank() : shape.size();
  check_inside(plan, order.size() == rank, "perm has %zu numbers, it must have %zu", order.size(),
               rank);
  std::uint32_t seen = 0;
  for (std::int64_t axis : order)
    if (axis >= 0 && axis < std::int64_t(rank)) seen |= std::uint32_t(1) << axis;
  check_inside(plan, seen == (std::uint32_t(1) << rank) - 1, "perm is no order of %zu dimensions",
               rank);
  const bool positive = std::all_of(shape.begin(), shape.end(), [](auto n) { return n > 0; });
  check_inside(plan, positive && as_dims(shape).product() == x.elements(),
               "shape is not one of the %lld elements of x", static_cast<long long>(x.elements()));
  const Dims expected = order_first ? as_dims(shape) : ordered(as_dims(shape), order);
  check_inside(plan, out.shape() == expected, "out has shape %s, the result %s",
               out.shape().text().c_str(), expected.text().c_str());
}

/// Plans out = x, its axes in another order and then as `shape`; or the other way round.
void confusion_transpose(const Check&, Plan& plan, const ConfusionTransposeParameters& given) {
  plan.stage(given.x).contiguous();
  View to = plan.writes(given.out);
  View from = plan.reads(given.x);
  if (given.transpose_first) {
    from.shape = ordered(from.shape, given.perm.values());
    from.strides = ordered(from.strides, given.perm.values());
  } else {
    // The result as it is before its axes are put in order.
    const View result = to;
    for (std::size_t i = 0; i < given.perm.values().size(); ++i) {
      to.shape.set(std::size_t(given.perm.values()[i]), result.shape[i]);
      to.strides.set(std::size_t(given.perm.values()[i]), result.strides[i]);
    }
  }
  launch_flat_copy(plan, to, 0, from, 0, given.x.elements());
}

}  // namespace pyaclnn::sim
