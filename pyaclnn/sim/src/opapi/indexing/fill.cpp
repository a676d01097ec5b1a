// SPDX-License-Identifier: MIT
#include "opapi/indexing/fill.hpp"

#include "opapi/common/kernel_checks.hpp"
#include "opapi/indexing/scatter.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim {
namespace {

std::int64_t extent_of(const TensorArgument& self, std::size_t axis) {
  return self.rank() == 0 ? 1 : self.shape()[axis];
}

}  // namespace

void check_fill_numbers(const Check& check, const TensorArgument& self, std::size_t axis,
                        const std::vector<std::int64_t>& numbers) {
  const std::int64_t extent = extent_of(self, axis);
  for (std::int64_t number : numbers)
    check.that((number < 0 ? ~number : number) < extent,
               "index has %lld, the dimension %lld places", static_cast<long long>(number),
               static_cast<long long>(extent));
}

void fill_slices(Plan& plan, const TensorArgument& self, std::size_t axis,
                 const std::vector<std::int64_t>& numbers, const ScalarIn& value,
                 const TensorArgument& out) {
  copy_self(plan, self, out);
  const View whole = listed(plan.writes(out));
  for (std::int64_t number : numbers) {
    View slice = whole;
    slice.offset += (number < 0 ? number + whole.shape[axis] : number) * whole.strides[axis];
    slice.shape.set(axis, 1);
    launch_pointwise(plan, formulas::fill, self.dtype(), self.dtype(), slice, {}, {Number(value)});
  }
}

void fill_slices(Plan& plan, const TensorArgument& self, std::size_t axis,
                 const TensorArgument& numbers, const ScalarIn& value, const TensorArgument& out) {
  plan.stage(numbers).contiguous();
  copy_self(plan, self, out);
  const View table = listed(plan.writes(out));
  const View index = listed(plan.reads(numbers));
  Chosen chosen = chosen_slices(table, axis, index, table, true);
  Dims shape = index.shape;
  for (std::size_t slice : chosen.slice_axes) shape.push_back(table.shape[slice]);
  chosen.ignores_outside = true;
  set_constant(chosen, value, self.dtype(), shape);
  launch_scatter(plan, chosen, Combine::kReplace);
}

std::size_t check_index_copy(const Check& check, const TensorArgument& self, std::int64_t dim,
                             const TensorArgument& index, const TensorArgument& source,
                             const TensorArgument& out) {
  check.rank_at_most(8, self, source);
  check.rank_at_most(1, index);
  check.shape_is(out, self.shape(), "self");
  check.that(source.rank() > 0 || index.elements() == 1,
             "source is a scalar, index has %lld numbers",
             static_cast<long long>(index.elements()));
  check.that(self.rank() == source.rank() || self.rank() == 0 || source.rank() == 0,
             "self has %zu dimensions, source has %zu", self.rank(), source.rank());
  const std::size_t axis = check.dim_of(self, dim);
  for (std::size_t i = 0; i < self.rank(); ++i) {
    const std::int64_t own = i < source.rank() ? source.shape()[i] : 1;
    check.that(i == axis || own == self.shape()[i], "source has shape %s, self %s",
               source.shape().text().c_str(), self.shape().text().c_str());
  }
  // CANN counts from the end of source, which beside a scalar has any number of dimensions.
  const std::size_t place = dim < 0 ? source.rank() - std::size_t(-dim) : axis;
  const std::int64_t slices = source.rank() > 0 ? source.shape()[place] : 1;
  check.that(slices == index.elements(), "index has %lld numbers, source %lld slices",
             static_cast<long long>(index.elements()), static_cast<long long>(slices));
  return axis;
}

void copy_slices(Plan& plan, const TensorArgument& self, std::size_t axis,
                 const TensorArgument& index, const TensorArgument& source,
                 const TensorArgument& out) {
  check_inside(plan, self.rank() > 0 || source.rank() <= 1, "self is a scalar, source has shape %s",
               source.shape().text().c_str());
  plan.stage(index).contiguous();
  plan.stage(source).contiguous();
  copy_self(plan, self, out);
  View other = listed(plan.reads(source));
  // A scalar for the only element of each dimension.
  for (std::size_t i = other.shape.size(); i < self.rank(); ++i) {
    other.shape.push_back(1);
    other.strides.push_back(1);
  }
  const View table = listed(plan.writes(out));
  launch_scatter(plan, chosen_slices(table, axis, listed(plan.reads(index)), other, true),
                 Combine::kReplace);
}

}  // namespace pyaclnn::sim
