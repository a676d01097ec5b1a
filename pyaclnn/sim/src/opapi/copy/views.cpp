// SPDX-License-Identifier: MIT
#include "opapi/copy/views.hpp"

#include <algorithm>

#include "opapi/copy/cast.hpp"

namespace pyaclnn::sim {
namespace {

/// What CANN needs as workspace for a kernel that gives the whole result, and the copy itself.
void copy_view(Plan& plan, const TensorArgument& self, const View& in, const TensorArgument& out,
               const View& to) {
  plan.stage(self).contiguous();
  plan.result(out.dtype(), out.shape()).copy_to(out);
  launch_cast(plan, to, in);
}

std::int64_t from_the_front(std::int64_t dim, std::size_t rank) {
  return dim < 0 ? dim + std::int64_t(rank) : dim;
}

}  // namespace

void check_permutation(const Check& check, const TensorArgument& self,
                       const std::vector<std::int64_t>& dims) {
  check.that(dims.size() == self.rank(), "dims names %zu dimensions, self has %zu", dims.size(),
             self.rank());
  std::vector<bool> seen(self.rank());
  for (std::int64_t dim : dims) {
    const std::size_t place = check.dim_of(self, dim);
    check.that(!seen[place], "dims names dimension %zu twice", place);
    seen[place] = true;
  }
}

Dims permuted_shape(const Dims& shape, const std::vector<std::int64_t>& dims) {
  Dims result;
  for (std::int64_t dim : dims)
    result.push_back(shape[std::size_t(from_the_front(dim, shape.size()))]);
  return result;
}

void permute(Plan& plan, const TensorArgument& self, const std::vector<std::int64_t>& dims,
             const TensorArgument& out) {
  View in = plan.reads(self);
  const View original = in;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const auto from = std::size_t(from_the_front(dims[i], dims.size()));
    in.shape.set(i, original.shape[from]);
    in.strides.set(i, original.strides[from]);
  }
  copy_view(plan, self, in, out, plan.writes(out));
}

void flip(const Check& check, Plan& plan, const TensorArgument& self,
          const std::vector<std::int64_t>& dims, const TensorArgument& out) {
  std::vector<bool> seen(std::max<std::size_t>(self.rank(), 1));
  for (std::int64_t dim : dims) {
    const std::size_t place = check.dim_of(self, dim);
    check.that(!seen[place], "dims names dimension %zu twice", place);
    seen[place] = true;
  }
  if (self.is_empty()) return;
  View in = plan.reads(self);
  for (std::size_t i = 0; i < in.shape.size(); ++i) {
    if (!seen[i]) continue;
    in.offset += (in.shape[i] - 1) * in.strides[i];
    in.strides.set(i, -in.strides[i]);
  }
  copy_view(plan, self, in, out, plan.writes(out));
}

SliceRange check_slice(const Check& check, const TensorArgument& self, std::int64_t dim,
                       std::int64_t start, std::int64_t end, std::int64_t step,
                       const TensorArgument& out) {
  check.that(self.rank() > 0, "self has no dimensions");
  const std::size_t axis = check.dim_of(self, dim);
  check.that(step > 0, "step is %lld, it must be above 0", static_cast<long long>(step));
  const std::int64_t extent = self.shape()[axis];
  check.that(extent >= 0, "self has the negative extent %lld", static_cast<long long>(extent));
  start = std::clamp<std::int64_t>(start < 0 ? start + extent : start, 0, extent);
  end = std::clamp<std::int64_t>(end < 0 ? end + extent : end, start, extent);
  Dims shape = self.shape();
  shape.set(axis, (end - start) / step + ((end - start) % step != 0 ? 1 : 0));
  check.shape_is(out, shape, "the slice");
  return {axis, start, step};
}

void slice(Plan& plan, const TensorArgument& self, const SliceRange& range,
           const TensorArgument& out) {
  View in = plan.reads(self);
  in.offset += range.start * in.strides[range.dim];
  // Beyond the extent a step is never taken.
  const std::int64_t step = std::min(range.step, std::max<std::int64_t>(in.shape[range.dim], 1));
  in.shape = out.shape();
  in.strides.set(range.dim, in.strides[range.dim] * step);
  copy_view(plan, self, in, out, plan.writes(out));
}

Dims repeated_shape(const Check& check, const TensorArgument& self,
                    const std::vector<std::int64_t>& repeats) {
  check.that(repeats.size() >= self.rank(), "repeats has %zu numbers, self %zu dimensions",
             repeats.size(), self.rank());
  check.that(repeats.size() <= 8, "repeats has %zu numbers, at most 8 are allowed", repeats.size());
  Dims shape;
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    check.that(repeats[i] >= 0, "repeats[%zu] is %lld, it must not be below 0", i,
               static_cast<long long>(repeats[i]));
    const std::size_t missing = repeats.size() - self.rank();
    std::int64_t extent = i < missing ? 1 : self.shape()[i - missing];
    check.that(!__builtin_mul_overflow(extent, repeats[i], &extent),
               "the repeated tensor is larger than any memory");
    shape.push_back(extent);
  }
  return shape;
}

void repeat(Plan& plan, const TensorArgument& self, const std::vector<std::int64_t>& repeats,
            const TensorArgument& out) {
  const View in = plan.reads(self);
  const View to = plan.writes(out);
  // Every dimension as two: which copy, and where in it.
  View from = in;
  View place = to;
  from.shape = from.strides = place.shape = place.strides = Dims();
  const std::size_t missing = repeats.size() - self.rank();
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    const std::int64_t extent = i < missing ? 1 : in.shape[i - missing];
    const std::int64_t stride = i < missing ? 0 : in.strides[i - missing];
    for (View* view : {&from, &place}) {
      view->shape.push_back(repeats[i]);
      view->shape.push_back(extent);
    }
    from.strides.push_back(0);
    from.strides.push_back(stride);
    place.strides.push_back(extent * to.strides[i]);
    place.strides.push_back(to.strides[i]);
  }
  copy_view(plan, self, from, out, place);
}

}  // namespace pyaclnn::sim
