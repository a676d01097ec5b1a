// SPDX-License-Identifier: MIT
#include "opapi/indexing/index_add.hpp"

#include <cstring>
#include <unordered_map>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "check/undefined.hpp"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/complex.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/indexing/scatter.hpp"

namespace pyaclnn::sim {
namespace {

/// Of a scalar that stands for a list of one.
std::int64_t extent_of(const TensorArgument& tensor, std::size_t axis) {
  return tensor.rank() == 0 ? 1 : tensor.shape()[axis];
}

/// Elements in row-major order as values of T.
template <class T>
std::vector<T> values_of(const KernelMemory& memory, const FlatView& view, aclDataType dtype) {
  std::vector<T> values(std::size_t(view.count()));
  const LoadFn load = loader<T>(dtype);
  for (std::int64_t i = 0; i < view.count();) {
    const std::int64_t run = std::min(view.left_in_run(i), view.count() - i);
    load(view.at(memory, i), view.step() / view.element_size(), run, &values[std::size_t(i)]);
    i += run;
  }
  return values;
}

template <class T>
T sum(T a, T b) {
  return a + b;
}
template <>
std::int64_t sum(std::int64_t a, std::int64_t b) {
  return std::int64_t(std::uint64_t(a) + std::uint64_t(b));
}
template <>
Complex<double> sum(Complex<double> a, Complex<double> b) {
  return {a.re + b.re, a.im + b.im};
}

/// Adds at these places, each of which is one; what is added to is rounded once.
template <class T>
void add_at(const KernelMemory& memory, const FlatView& self, aclDataType dtype,
            const std::vector<std::int64_t>& places, const FlatView& source) {
  std::vector<T> sums = values_of<T>(memory, self, dtype);
  const std::vector<T> terms = values_of<T>(memory, source, dtype);
  const StoreFn store = storer<T>(dtype, Rounding::kTruncate);
  for (std::size_t i = 0; i < places.size(); ++i) {
    T& target = sums[std::size_t(places[i])];
    target = sum(target, terms[i]);
  }
  for (std::int64_t place : places) store(&sums[std::size_t(place)], 1, self.at(memory, place), 1);
}

/// How many bytes the kernel of aclnnInplaceScatterUpdate holds its indices in.
std::int64_t local_memory() {
  switch (chip().soc) {
    case Soc::kAscend910B:
    case Soc::kAscend910_93:
      return 192 * 1024;
    case Soc::kAscend950:
      return 248 * 1024;
    default:
      return 256 * 1024;
  }
}

}  // namespace

std::size_t check_index_add(const Check& check, const TensorArgument& self, std::int64_t dim,
                            const TensorArgument& index, const TensorArgument& source,
                            const TensorArgument& out) {
  check.rank_at_most(8, self, source);
  const std::size_t axis = check.dim_of(self, dim);
  check.that(self.rank() == std::max<std::size_t>(source.rank(), 1) ||
                 (self.rank() == 0 && source.rank() <= 1),
             "self has %zu dimensions, source has %zu", self.rank(), source.rank());
  for (std::size_t i = 0; i < self.rank(); ++i)
    check.that(i == axis || self.shape()[i] == extent_of(source, i),
               "source has shape %s, self %s: they may differ along dim only",
               source.shape().text().c_str(), self.shape().text().c_str());
  check.that(index.rank() <= 1, "index has %zu dimensions, it must have one", index.rank());
  check.that(
      extent_of(index, 0) == extent_of(source, axis), "index has %lld numbers, source %lld slices",
      static_cast<long long>(extent_of(index, 0)), static_cast<long long>(extent_of(source, axis)));
  check.shape_is(out, self.shape(), "self");
  return axis;
}

void index_add(Plan& plan, const TensorArgument& self, std::size_t axis,
               const TensorArgument& index, const TensorArgument& source, const ScalarIn* alpha,
               const TensorArgument& out) {
  plan.stage(source).contiguous();
  plan.stage(index).contiguous();
  const Table table = table_of(plan, self, out);
  Chosen chosen =
      chosen_slices(table.view, axis, listed(plan.reads(index)), listed(plan.reads(source)), false);
  chosen.before = table.before;
  // bfloat16 is added as float: so is what it is multiplied by.
  const aclDataType type = self.dtype() == ACL_BF16 ? ACL_FLOAT : self.dtype();
  if (alpha != nullptr) set_factor(chosen, *alpha, type);
  launch_scatter(plan, chosen, Combine::kAdd);
}

void check_fast_index_add(const Plan& plan, const TensorArgument& self, std::int64_t dim) {
  const DtypeSet fast{ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT16, ACL_BF16};
  if (self.rank() == 2 && (dim == 0 || dim == -2) && fast.contains(self.dtype())) return;
  fail(ACLNN_ERR_INNER_NULLPTR,
       "%s: mode 0 is for matrices of float, float16, bfloat16, int32 or int16 and dim 0; self has "
       "shape %s, dim is %lld",
       plan.api(), self.shape().text().c_str(), static_cast<long long>(dim));
}

namespace {

void tell_of_repeats(const char* api, const KernelMemory& memory,
                     const std::vector<std::int64_t>& places, const FlatView& from) {
  const auto size = std::size_t(from.element_size());
  std::unordered_map<std::int64_t, std::int64_t> first;  // place -> whose value goes there
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto value = std::int64_t(i);
    const auto [known, is_new] = first.emplace(places[i], value);
    if (is_new || std::memcmp(from.at(memory, value), from.at(memory, known->second), size) == 0)
      continue;
    return undefined::tell_of_repeat(api, places[i]);
  }
}

}  // namespace

void put(Plan& plan, const TensorArgument& self, const TensorArgument& index,
         const TensorArgument& source, bool accumulate) {
  plan.stage(self).contiguous();
  plan.stage(index).contiguous();
  plan.stage(source).contiguous();
  plan.result(self.dtype(), self.shape()).copy_to(self);
  const FlatView to(plan.writes(self));
  const FlatView numbers(plan.reads(index));
  const FlatView from(plan.reads(source));
  plan.launch([=, dtype = self.dtype(), index_dtype = index.dtype(),
               api = plan.api()](const KernelMemory& memory) {
    const auto places = values_of<std::int64_t>(memory, numbers, index_dtype);
    for (std::int64_t place : places)
      if (place < 0 || place >= to.count()) refuse_index(api, to.count());
    if (!accumulate && undefined::enabled()) tell_of_repeats(api, memory, places, from);
    if (!accumulate) {
      for (std::size_t i = 0; i < places.size(); ++i)
        std::memmove(to.at(memory, places[i]), from.at(memory, std::int64_t(i)),
                     std::size_t(to.element_size()));
    } else if (dtype == ACL_COMPLEX64 || dtype == ACL_COMPLEX128) {
      add_at<Complex<double>>(memory, to, dtype, places, from);
    } else if (is_integral(dtype)) {
      add_at<std::int64_t>(memory, to, dtype, places, from);
    } else {
      add_at<double>(memory, to, dtype, places, from);
    }
  });
}

void scatter_update(Plan& plan, const TensorArgument& data, const TensorArgument& indices,
                    const TensorArgument& updates, std::int64_t axis) {
  const auto rank = std::int64_t(data.rank());
  const std::int64_t along = axis < 0 ? axis + rank : axis;
  check_tiling(plan, along > 0 && along < rank,
               "axis is %lld, data has %lld dimensions, of which the first is the batch",
               static_cast<long long>(axis), static_cast<long long>(rank));
  const bool pairs = indices.rank() == 2;
  check_tiling(plan, !pairs || indices.shape()[1] == 2, "indices has shape %s, not pairs",
               indices.shape().text().c_str());
  check_tiling(plan,
               updates.shape()[0] == extent_of(indices, 0) &&
                   (pairs || updates.shape()[0] <= data.shape()[0]),
               "updates has shape %s, indices %s and data %s", updates.shape().text().c_str(),
               indices.shape().text().c_str(), data.shape().text().c_str());
  for (std::int64_t i = 1; i < rank; ++i) {
    const std::int64_t own = updates.shape()[std::size_t(i)];
    const std::int64_t there = data.shape()[std::size_t(i)];
    check_tiling(plan, own == there || (i == along && own < there),
                 "updates has shape %s, data %s: it may be shorter along axis only",
                 updates.shape().text().c_str(), data.shape().text().c_str());
  }
  const std::int64_t size = indices.dtype() == ACL_INT64 ? 8 : 4;
  check_tiling(plan, indices.elements() <= (local_memory() - 224) / size,
               "indices has %lld numbers, which are more than the local memory holds",
               static_cast<long long>(indices.elements()));
  plan.stage(data).contiguous();
  plan.stage(indices).contiguous();
  plan.stage(updates).contiguous();
  plan.result(data.dtype(), data.shape()).copy_to(data);

  Chosen chosen;
  chosen.table = plan.writes(data);
  chosen.other = plan.reads(updates);
  const auto place = std::size_t(along);
  // A block must fit: its first number is one of so many.
  chosen.table.shape.set(place, data.shape()[place] - updates.shape()[place] + 1);
  chosen.positions = 1;
  chosen.position_axes = {pairs ? Chosen::kNone : 0};
  for (std::size_t i = 1; i < data.rank(); ++i) chosen.slice_axes.push_back(i);
  View numbers = listed(plan.reads(indices));
  if (pairs) {
    const std::int64_t step = numbers.strides[1];
    numbers.shape = Dims({numbers.shape[0]});
    numbers.strides = Dims({numbers.strides[0]});
    chosen.choices.push_back({numbers, 0, false});
    numbers.offset += step;
  }
  chosen.choices.push_back({numbers, place, false});
  launch_scatter(plan, chosen, Combine::kReplace);
}

}  // namespace pyaclnn::sim
