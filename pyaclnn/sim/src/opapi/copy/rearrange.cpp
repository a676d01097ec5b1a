// SPDX-License-Identifier: MIT
#include "opapi/copy/rearrange.hpp"

#include <algorithm>
#include <cmath>

#include "core/thread_pool.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/copy/cast.hpp"

namespace pyaclnn::sim {
namespace {

/// The view as one of another shape, whose axes are split out of its own: strides of a contiguous
/// part each.
View split_axis(const View& view, std::size_t axis, const Dims& extents) {
  View result = view;
  result.shape = result.strides = Dims();
  for (std::size_t i = 0; i < view.shape.size(); ++i) {
    if (i != axis) {
      result.shape.push_back(view.shape[i]);
      result.strides.push_back(view.strides[i]);
      continue;
    }
    const Dims steps = contiguous_strides(extents);
    for (std::size_t k = 0; k < extents.size(); ++k) {
      result.shape.push_back(extents[k]);
      result.strides.push_back(steps[k] * view.strides[i]);
    }
  }
  return result;
}

void swap_axes(View& view, std::size_t a, std::size_t b) {
  const std::int64_t extent = view.shape[a];
  const std::int64_t stride = view.strides[a];
  view.shape.set(a, view.shape[b]);
  view.strides.set(a, view.strides[b]);
  view.shape.set(b, extent);
  view.strides.set(b, stride);
}

aclDataType part_of(aclDataType complex) {
  if (complex == ACL_COMPLEX32) return ACL_FLOAT16;
  return complex == ACL_COMPLEX128 ? ACL_DOUBLE : ACL_FLOAT;
}

/// One of the two parts of a complex view.
View part_view(const View& view, std::int64_t which) {
  View part = view;
  part.dtype = part_of(view.dtype);
  part.offset = 2 * view.offset + which;
  for (std::size_t i = 0; i < part.strides.size(); ++i) part.strides.set(i, 2 * view.strides[i]);
  return part;
}

}  // namespace

Dims expanded_shape(const Check& check, const TensorArgument& self,
                    const std::vector<std::int64_t>& size) {
  check.that(size.size() >= self.rank(), "size has %zu numbers, self has %zu dimensions",
             size.size(), self.rank());
  Dims shape;
  const std::size_t more = size.size() - self.rank();
  for (std::size_t i = 0; i < size.size(); ++i) {
    const std::int64_t own = i < more ? 1 : self.shape()[i - more];
    check.that(own == 1 || own == size[i], "size[%zu] is %lld, self of shape %s has %lld there", i,
               static_cast<long long>(size[i]), self.shape().text().c_str(),
               static_cast<long long>(own));
    check.that(size[i] >= 0, "size[%zu] is %lld", i, static_cast<long long>(size[i]));
    shape.push_back(size[i]);
  }
  return shape;
}

void expand(Plan& plan, const TensorArgument& self, const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.result(self.dtype(), out.shape()).copy_to(out);
  const View to = plan.writes(out);
  launch_cast(plan, to, plan.reads(self));
}

Dims flattened_shape(const Check& check, const TensorArgument& self, std::int64_t axis) {
  const auto rank = std::int64_t(self.rank());
  const std::int64_t place = axis < 0 ? axis + std::max<std::int64_t>(rank, 1) : axis;
  check.that(place >= 0 && (rank > 1 ? place < rank : place == 0),
             "axis is %lld, self has %lld dimensions", static_cast<long long>(axis),
             static_cast<long long>(rank));
  std::int64_t extents[2] = {1, 1};
  for (std::int64_t i = 0; i < rank; ++i) {
    std::int64_t& extent = extents[i < place ? 0 : 1];
    check.that(!__builtin_mul_overflow(extent, self.shape()[std::size_t(i)], &extent),
               "self of shape %s is larger than any memory", self.shape().text().c_str());
  }
  return {extents[0], extents[1]};
}

void flatten(Plan& plan, const TensorArgument& self, const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.result(self.dtype(), out.shape()).copy_to(out);
  const View to = plan.writes(out);
  launch_flat_copy(plan, to, 0, plan.reads(self), 0, self.elements());
}

void channel_shuffle(Plan& plan, const TensorArgument& self, std::int64_t groups,
                     const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.reserve(self.elements(), self.dtype());
  plan.result(self.dtype(), out.shape()).copy_to(out);
  const std::int64_t each = self.shape()[1] / groups;
  const View to = split_axis(plan.writes(out), 1, {each, groups});
  View from = split_axis(plan.reads(self), 1, {groups, each});
  swap_axes(from, 1, 2);
  launch_cast(plan, to, from);
}

SliceRanges check_slices(const Check& check, const TensorArgument& self,
                         const std::vector<std::int64_t>& starts,
                         const std::vector<std::int64_t>& ends,
                         const std::vector<std::int64_t>& axes,
                         const std::vector<std::int64_t>& steps, const TensorArgument& out) {
  SliceRanges ranges;
  std::vector<bool> seen(self.rank() + 1);
  for (std::int64_t axis : axes) {
    check.that(self.rank() > 0, "self has no dimensions");
    const std::size_t place = check.dim_of(self, axis);
    check.that(!seen[place], "axes names dimension %zu twice", place);
    seen[place] = true;
    ranges.axes.push_back(place);
  }
  check.that(
      starts.size() == axes.size() && ends.size() == axes.size() && steps.size() == axes.size(),
      "starts has %zu numbers, ends %zu, axes %zu, steps %zu: they must have as many",
      starts.size(), ends.size(), axes.size(), steps.size());
  Dims shape = self.shape();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    check.that(steps[i] > 0, "steps[%zu] is %lld, it must be above 0", i,
               static_cast<long long>(steps[i]));
    const std::int64_t extent = std::max<std::int64_t>(shape[ranges.axes[i]], 0);
    const auto from_front = [=](std::int64_t n) { return n < 0 ? n + extent : n; };
    const std::int64_t start = std::clamp<std::int64_t>(from_front(starts[i]), 0, extent);
    const std::int64_t end = std::clamp<std::int64_t>(from_front(ends[i]), start, extent);
    // Beyond the extent a step is never taken.
    ranges.starts.push_back(start);
    ranges.steps.push_back(std::min(steps[i], std::max<std::int64_t>(extent, 1)));
    shape.set(ranges.axes[i], (end - start) / steps[i] + ((end - start) % steps[i] != 0 ? 1 : 0));
  }
  check.shape_is(out, shape, "the slice");
  return ranges;
}

void slice(Plan& plan, const TensorArgument& self, const SliceRanges& ranges,
           const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.result(self.dtype(), out.shape()).copy_to(out);
  const View to = plan.writes(out);
  View from = plan.reads(self);
  for (std::size_t i = 0; i < ranges.axes.size(); ++i) {
    const std::size_t axis = ranges.axes[i];
    from.offset += ranges.starts[i] * from.strides[axis];
    from.strides.set(axis, from.strides[axis] * ranges.steps[i]);
  }
  from.shape = out.shape();
  launch_cast(plan, to, from);
}

Dims interleaved_shape(const Check& check, const TensorArgument& self, std::int64_t repeats,
                       std::size_t axis) {
  check.that(repeats >= 0, "repeats is %lld, it must not be below 0",
             static_cast<long long>(repeats));
  Dims shape = self.shape();
  std::int64_t extent = shape[axis];
  check.that(!__builtin_mul_overflow(extent, repeats, &extent),
             "the repeated tensor is larger than any memory");
  shape.set(axis, extent);
  return shape;
}

Dims interleaved_shape(const Check& check, const TensorArgument& self, std::int64_t repeats) {
  check.that(repeats >= 0, "repeats is %lld, it must not be below 0",
             static_cast<long long>(repeats));
  std::int64_t count = self.elements();
  check.that(!__builtin_mul_overflow(count, repeats, &count),
             "the repeated tensor is larger than any memory");
  return {count};
}

void repeat_interleave(Plan& plan, const TensorArgument& self, std::int64_t repeats,
                       std::size_t axis, const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.result(self.dtype(), out.shape()).copy_to(out);
  const View to = split_axis(plan.writes(out), axis, {self.shape()[axis], repeats});
  View from = split_axis(plan.reads(self), axis, {self.shape()[axis], 1});
  from.shape = to.shape;
  from.strides.set(axis + 1, 0);
  launch_cast(plan, to, from);
}

void repeat_interleave(Plan& plan, const TensorArgument& self, std::int64_t repeats,
                       const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.result(self.dtype(), out.shape()).copy_to(out);
  // The result with the axes of self, and one more for the repetitions.
  Dims extents = self.shape();
  extents.push_back(repeats);
  const View to = split_axis(plan.writes(out), 0, extents);
  View from = plan.reads(self);
  from.shape.push_back(repeats);
  from.strides.push_back(0);
  launch_cast(plan, to, from);
}

bool are_parts(aclDataType real, aclDataType complex) {
  return (real == ACL_FLOAT16 && complex == ACL_COMPLEX32) ||
         (real == ACL_FLOAT && complex == ACL_COMPLEX64) ||
         (real == ACL_DOUBLE && complex == ACL_COMPLEX128);
}

void make_complex(Plan& plan, const TensorArgument& real, const TensorArgument& imaginary,
                  const TensorArgument& out) {
  plan.stage(real).contiguous();
  plan.stage(imaginary).contiguous();
  plan.result(out.dtype(), out.shape()).copy_to(out);
  const View to = plan.writes(out);
  launch_cast(plan, part_view(to, 0), plan.reads(real));
  launch_cast(plan, part_view(to, 1), plan.reads(imaginary));
}

void real_part(Plan& plan, const TensorArgument& self, const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.result(out.dtype(), out.shape()).copy_to(out);
  const View to = plan.writes(out);
  const View from = plan.reads(self);
  launch_cast(plan, to, are_parts(out.dtype(), self.dtype()) ? part_view(from, 0) : from);
}

void magnitudes(Plan& plan, const TensorArgument& self, const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.result(out.dtype(), out.shape()).copy_to(out);
  const RowMajor to(plan.writes(out));
  const View from = plan.reads(self);
  const RowMajor real(part_view(from, 0)), imaginary(part_view(from, 1));
  plan.launch([=, count = out.elements()](const KernelMemory& memory) {
    constexpr float kMost = 65504;
    constexpr std::int64_t kGrain = 4096;
    parallel_for((count + kGrain - 1) / kGrain, 1, [&](std::int64_t begin, std::int64_t end) {
      float x[kGrain], y[kGrain], sizes[kGrain];
      for (std::int64_t part = begin; part < end; ++part) {
        const std::int64_t first = part * kGrain, length = std::min(kGrain, count - first);
        const float* const a = RowMajorAccess(real, memory).read(first, length, x);
        const float* const b = RowMajorAccess(imaginary, memory).read(first, length, y);
        for (std::int64_t i = 0; i < length; ++i) {
          const float size = std::sqrt(a[i] * a[i] + b[i] * b[i]);
          sizes[i] = std::isfinite(size) ? std::min(size, kMost) : size;
        }
        RowMajorAccess(to, memory).write(first, length, sizes);
      }
    });
  });
}

}  // namespace pyaclnn::sim
