// SPDX-License-Identifier: MIT
#include "opapi/sorting/unique_slices.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "objects/dtype.hpp"
#include "objects/found_shapes.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/indexing/masked.hpp"
#include "opapi/sorting/keys.hpp"

namespace pyaclnn::sim {
namespace {

/// A tensor as slices of keys: outer blocks, places along the axis, inner elements.
struct Slices {
  std::int64_t outer = 1;
  std::int64_t count = 1;
  std::int64_t inner = 1;  // complex elements have two keys

  Slices(const Dims& shape, const SliceOptions& options) {
    const std::size_t from = options.flat ? 0 : options.axis;
    const std::size_t to = options.flat ? shape.size() : options.axis + 1;
    outer = shape.product(0, from);
    count = shape.product(from, to);
    inner = shape.product(to);
  }
};

/// Keys and their order; NaN is unlike itself.
class Comparison {
 public:
  Comparison(const Slices& slices, std::int64_t parts, aclDataType dtype,
             std::vector<std::uint64_t> keys)
      : slices_(slices), width_(slices.inner * parts), dtype_(dtype), keys_(std::move(keys)) {}

  int compare(std::int64_t a, std::int64_t b) const {
    for (std::int64_t block = 0; block < slices_.outer; ++block) {
      const std::uint64_t* x = at(block, a);
      const std::uint64_t* y = at(block, b);
      for (std::int64_t i = 0; i < width_; ++i)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    }
    return 0;
  }

  bool alike(std::int64_t a, std::int64_t b) const {
    for (std::int64_t block = 0; block < slices_.outer; ++block) {
      const std::uint64_t* x = at(block, a);
      const std::uint64_t* y = at(block, b);
      for (std::int64_t i = 0; i < width_; ++i)
        if (x[i] != y[i] || is_nan_key(dtype_, x[i])) return false;
    }
    return true;
  }

 private:
  const std::uint64_t* at(std::int64_t block, std::int64_t slice) const {
    return keys_.data() + (block * slices_.count + slice) * width_;
  }

  Slices slices_;
  std::int64_t width_;
  aclDataType dtype_;
  std::vector<std::uint64_t> keys_;
};

/// The type of the parts of a complex number, or the type itself.
aclDataType part_of(aclDataType dtype) {
  return dtype == ACL_COMPLEX64 ? ACL_FLOAT : dtype == ACL_COMPLEX128 ? ACL_DOUBLE : dtype;
}

/// The keys of all parts of all elements in row-major order.
std::vector<std::uint64_t> keys_of(const KernelMemory& memory, const FlatView& view,
                                   aclDataType dtype) {
  const aclDataType part = part_of(dtype);
  const std::int64_t parts = part == dtype ? 1 : 2;
  const auto size = std::int64_t(dtype_size(part));
  const KeyFn read = key_reader(part);
  std::vector<std::uint64_t> keys(std::size_t(view.count() * parts));
  for (std::int64_t i = 0; i < view.count();) {
    const std::int64_t run = std::min(view.left_in_run(i), view.count() - i);
    const std::byte* from = view.at(memory, i);
    if (parts == 1) {
      read(from, view.step() / size, run, &keys[std::size_t(i)]);
    } else {
      for (std::int64_t k = 0; k < run; ++k)
        read(from + k * view.step(), 1, 2, &keys[std::size_t(2 * (i + k))]);
    }
    i += run;
  }
  return keys;
}

/// How much is written is known now only, and CANN looks at no shape before.
void check_room(const char* api, const View& out, std::int64_t needed) {
  if (needed > out.shape.product())
    fail(kRtAicpuException,
         "%s: %lld places are needed, an output has shape %s; the device would write outside of it",
         api, static_cast<long long>(needed), out.shape.text().c_str());
}

}  // namespace

SliceOptions slices_or_elements(const Check& check, const TensorArgument& self, std::int64_t dim,
                                bool inverse, bool counts) {
  const bool flat = dim == 1000;
  return {flat, flat ? 0 : check.dim_of(self, dim), true, inverse, counts};
}

SliceOptions slices_in_order(const Check& check, const TensorArgument& self, std::int64_t dim,
                             bool inverse) {
  return {false, check.dim_of(self, dim), false, inverse, true};
}

void check_unique_slices(const Check& check, const TensorArgument& values,
                         const TensorArgument& inverse, const TensorArgument& counts,
                         const SliceOptions& options) {
  check_filled_in_order(check, values);
  if (options.inverse) check_filled_in_order(check, inverse);
  if (options.counts) check_filled_in_order(check, counts);
}

void unique_slices(Plan& plan, const TensorArgument& self, const TensorArgument& values,
                   const TensorArgument& inverse, const TensorArgument& counts,
                   const SliceOptions& options) {
  plan.stage(self).contiguous();
  plan.finds_shape_of(values);
  if (options.inverse) plan.finds_shape_of(inverse);
  if (options.counts) plan.finds_shape_of(counts);
  const View to = plan.writes(values);
  const View places = options.inverse ? plan.writes(inverse) : View();
  const View numbers = options.counts ? plan.writes(counts) : View();
  const FlatView from(plan.reads(self));
  const Slices slices(self.shape(), options);
  plan.launch([=, dtype = self.dtype(), shape = self.shape(),
               api = plan.api()](const KernelMemory& memory) {
    const aclDataType part = part_of(dtype);
    const Comparison comparison(slices, part == dtype ? 1 : 2, part, keys_of(memory, from, dtype));
    std::vector<std::int64_t> order(std::size_t(slices.count));
    std::iota(order.begin(), order.end(), std::int64_t(0));
    if (!options.neighbours) {
      std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        const int sign = comparison.compare(a, b);
        return sign != 0 ? sign < 0 : a < b;
      });
    }
    std::vector<std::int64_t> first;  // of slices that are alike, the first
    std::vector<std::int64_t> many;
    std::vector<std::int64_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i == 0 || !comparison.alike(order[i - 1], order[i])) {
        first.push_back(order[i]);
        many.push_back(0);
      }
      ++many.back();
      place[std::size_t(order[i])] = std::int64_t(first.size()) - 1;
    }
    const auto found = std::int64_t(first.size());
    check_room(api, to, found * slices.outer * slices.inner);
    if (options.inverse) check_room(api, places, slices.count);
    if (options.counts) check_room(api, numbers, found);
    const std::int64_t size = from.element_size();
    std::byte* target = memory.operands[to.operand] + to.offset * size;
    for (std::int64_t block = 0; block < slices.outer; ++block) {
      for (std::int64_t slice : first) {
        const std::int64_t begin = (block * slices.count + slice) * slices.inner;
        for (std::int64_t i = 0; i < slices.inner; ++i, target += size)
          std::memcpy(target, from.at(memory, begin + i), std::size_t(size));
      }
    }
    const auto write = [&](const View& view, const std::vector<std::int64_t>& written) {
      std::memcpy(memory.operands[view.operand] + view.offset * 8, written.data(),
                  8 * written.size());
    };
    Dims value_shape = shape;
    if (options.flat) {
      value_shape = Dims({found});
    } else if (!shape.empty()) {
      value_shape.set(options.axis, found);
    }
    memory.found->set(to.operand, value_shape);
    if (options.inverse) {
      write(places, place);
      memory.found->set(places.operand, options.flat ? shape : Dims({slices.count}));
    }
    if (options.counts) {
      write(numbers, many);
      memory.found->set(numbers.operand, {found});
    }
  });
}

}  // namespace pyaclnn::sim
