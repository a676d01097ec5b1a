// SPDX-License-Identifier: MIT
#include "opapi/indexing/gather.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/common/reduction_walk.hpp"
#include "opapi/indexing/chosen.hpp"

namespace pyaclnn::sim {
namespace {

std::size_t rank_of(const TensorArgument& tensor) {
  return std::max<std::size_t>(tensor.rank(), 1);
}

}  // namespace

std::size_t check_gather(const Check& check, const TensorArgument& self, std::int64_t dim,
                         const TensorArgument& index, const TensorArgument& out) {
  check.that(rank_of(self) == rank_of(index), "self has %zu dimensions, index has %zu", self.rank(),
             index.rank());
  check.rank_at_most(8, self, index, out);
  check.shape_is(out, index.shape(), "index");
  const std::size_t axis = check.dim_of(self, dim);
  if (index.is_empty()) return axis;
  for (std::size_t i = 0; i < self.rank() && i < index.rank(); ++i) {
    if (i == axis) {
      check.that(self.shape()[i] != 0, "self has no elements along dim");
    } else {
      check.that(index.shape()[i] <= self.shape()[i],
                 "index has shape %s, self %s: only along dim it may be longer",
                 index.shape().text().c_str(), self.shape().text().c_str());
    }
  }
  return axis;
}

void gather(Plan& plan, const TensorArgument& self, std::size_t axis, const TensorArgument& index,
            const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.stage(index).contiguous();
  plan.result(self.dtype(), index.shape()).copy_to(out);
  const View to = listed(plan.writes(out));
  const View table = listed(plan.reads(self));
  const View numbers = listed(plan.reads(index));
  launch_gather(plan, chosen_elements(table, axis, numbers, to, true));
}

Dims taken_shape(const TensorArgument& self, std::size_t axis, const TensorArgument& index) {
  if (self.rank() == 0) return self.shape();
  Dims shape;
  for (std::size_t i = 0; i < self.rank(); ++i) {
    if (i != axis) {
      shape.push_back(self.shape()[i]);
    } else if (index.rank() == 0) {
      shape.push_back(1);
    } else {
      for (std::int64_t extent : index.shape()) shape.push_back(extent);
    }
  }
  return shape;
}

void check_embedded(const Check& check, const TensorArgument& indices, const TensorArgument& out) {
  for (std::size_t i = 0; i < indices.rank(); ++i) {
    check.that(out.shape()[i] == indices.shape()[i], "out and indices differ in dimension %zu", i);
  }
}

void take_slices(Plan& plan, const TensorArgument& self, std::size_t axis,
                 const TensorArgument& index, const TensorArgument& out, bool wraps) {
  plan.stage(self).contiguous();
  plan.stage(index).contiguous();
  // One number alone takes the axis away, or leaves one of extent 1.
  Dims shape = taken_shape(self, axis, index);
  if (index.rank() == 0 && out.rank() < shape.size())
    shape = reduced_shape(shape, 1U << axis, false);
  plan.result(self.dtype(), shape).copy_to(out);
  const View to = listed(plan.writes(out));
  const View table = listed(plan.reads(self));
  View numbers = plan.reads(index);
  if (out.rank() >= self.rank()) numbers = listed(numbers);
  // Of a scalar there is but one element to take.
  if (self.rank() == 0) numbers.shape = Dims({1});
  launch_gather(plan, chosen_slices(table, axis, numbers, to, wraps));
}

std::size_t check_index_select(const Check& check, const TensorArgument& self, std::int64_t dim,
                               const TensorArgument& index, const TensorArgument& out) {
  check.that(self.rank() > 0 || out.rank() == 0, "self is a scalar, out has %zu dimensions",
             out.rank());
  const std::size_t axis = check.dim_of(self, dim);
  check.that(index.rank() <= 1, "index has %zu dimensions, it must have one", index.rank());
  if (self.rank() == 0 || self.is_empty() || index.is_empty()) return axis;
  Dims shape = self.shape();
  shape.set(axis, index.rank() == 0 ? 1 : index.shape()[0]);
  check.shape_is(out, shape, "self, with a slice for each number of index");
  return axis;
}

std::size_t check_batches(const Check& check, const TensorArgument& self, std::size_t axis,
                          std::int64_t dim, const TensorArgument& index, std::int64_t batch_dims,
                          std::int64_t mode, const TensorArgument& out) {
  const bool has_batches = on_950();
  const std::int64_t limit = std::min(std::int64_t(index.rank()), std::int64_t(axis));
  check.that(!has_batches || (batch_dims >= 0 && batch_dims <= limit),
             "batchDims is %lld, dim is %zu and index has %zu dimensions",
             static_cast<long long>(batch_dims), axis, index.rank());
  const std::size_t batch = has_batches ? std::size_t(batch_dims) : 0;
  Dims shape;
  for (std::size_t i = 0; i < self.rank(); ++i) {
    if (i != axis) shape.push_back(self.shape()[i]);
    for (std::size_t k = batch; i == axis && k < index.rank(); ++k)
      shape.push_back(index.shape()[k]);
  }
  check.shape_is(out, shape, "self, with a slice for each number of index");
  for (std::size_t i = 0; i < batch; ++i)
    check.that(self.shape()[i] == index.shape()[i], "self has shape %s, index %s: batches differ",
               self.shape().text().c_str(), index.shape().text().c_str());
  check.that(has_batches || (dim == 0 && batch_dims == 0 && mode == 1),
             "dim is %lld, batchDims %lld and mode %lld: this chip has dim 0 without batches, in "
             "mode 1",
             static_cast<long long>(dim), static_cast<long long>(batch_dims),
             static_cast<long long>(mode));
  return batch;
}

void take_batches(Plan& plan, const TensorArgument& self, std::size_t axis,
                  const TensorArgument& index, std::size_t batch, const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.stage(index).contiguous();
  plan.result(self.dtype(), out.shape()).copy_to(out);
  const View to = plan.writes(out);
  View numbers = plan.reads(index);
  // Of a scalar there is but one element to take.
  if (self.rank() == 0) numbers.shape = numbers.strides = Dims();
  Chosen chosen;
  chosen.table = listed(plan.reads(self));
  chosen.positions = numbers.shape.size();
  const std::size_t behind = axis + chosen.positions - batch;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < chosen.positions; ++i) {
    chosen.position_axes.push_back(i < batch ? i : Chosen::kNone);
    order.push_back(i < batch ? i : axis + i - batch);
  }
  for (std::size_t i = batch; i < axis; ++i) {
    chosen.slice_axes.push_back(i);
    order.push_back(i);
  }
  for (std::size_t i = axis + 1; i < self.rank(); ++i) {
    chosen.slice_axes.push_back(i);
    order.push_back(behind + i - axis - 1);
  }
  chosen.other = with_axes(to, order);
  chosen.choices.push_back({numbers, axis, true});
  launch_gather(plan, chosen);
}

void take(Plan& plan, const TensorArgument& self, const TensorArgument& index,
          const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.stage(index).contiguous();
  plan.result(self.dtype(), index.shape()).copy_to(out);
  const FlatView to(plan.writes(out));
  const FlatView table(plan.reads(self));
  const FlatView numbers(plan.reads(index));
  const LoadFn load = loader<std::int64_t>(index.dtype());
  plan.launch([=, api = plan.api()](const KernelMemory& memory) {
    constexpr std::int64_t kGrain = 16384;
    std::atomic<bool> outside{false};
    parallel_for(to.count(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        std::int64_t number = 0;
        load(numbers.at(memory, i), 1, 1, &number);
        if (number < 0) number += table.count();
        if (number < 0 || number >= table.count()) {
          outside = true;
          continue;
        }
        std::memcpy(to.at(memory, i), table.at(memory, number), std::size_t(to.element_size()));
      }
    });
    if (outside) refuse_index(api, table.count());
  });
}

}  // namespace pyaclnn::sim
