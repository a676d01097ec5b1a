// SPDX-License-Identifier: MIT
#include "opapi/indexing/index_select.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 32768;  // elements worth a hand-over to another thread

/// A view without one of its dimensions, and the step along that one.
struct Sliced {
  View view;
  std::int64_t step = 0;
  std::int64_t extent = 1;

  Sliced(const View& whole, std::size_t axis) : view(whole) {
    if (whole.shape.empty()) return;
    step = whole.strides[axis];
    extent = whole.shape[axis];
    view.shape = view.strides = Dims();
    for (std::size_t i = 0; i < whole.shape.size(); ++i) {
      if (i == axis) continue;
      view.shape.push_back(whole.shape[i]);
      view.strides.push_back(whole.strides[i]);
    }
  }
};

/// Copies one slice; no `from` stands for zeros.
void copy_slice(const LoopNest& nest, std::int64_t size, std::byte* to, const std::byte* from) {
  LoopCursor cursor(nest, 0);
  for (std::int64_t left = nest.count; left > 0;) {
    const std::int64_t row = cursor.left_in_row();
    std::byte* target = to + cursor.offset(0) * size;
    const std::byte* source = from == nullptr ? nullptr : from + cursor.offset(1) * size;
    const std::int64_t to_step = nest.inner_stride(0) * size;
    const std::int64_t from_step = nest.inner_stride(1) * size;
    if (source != nullptr && to_step == size && from_step == size) {
      std::memcpy(target, source, std::size_t(row * size));
    } else {
      for (std::int64_t i = 0; i < row; ++i) {
        if (source == nullptr) {
          std::memset(target + i * to_step, 0, std::size_t(size));
        } else {
          std::memcpy(target + i * to_step, source + i * from_step, std::size_t(size));
        }
      }
    }
    cursor.advance(row);
    left -= row;
  }
}

}  // namespace

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

void index_select(Plan& plan, const TensorArgument& self, std::size_t axis,
                  const TensorArgument& index, const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.stage(index).contiguous();
  plan.result(self.dtype(), out.shape()).copy_to(out);
  const Sliced to(plan.writes(out), axis);
  const Sliced from(plan.reads(self), axis);
  const View numbers = plan.reads(index);
  const LoopNest nest = plan_loops({to.view, from.view});
  const auto size = std::int64_t(dtype_size(self.dtype()));
  const std::int64_t count = index.elements();
  const std::int64_t number_step = numbers.strides.empty() ? 0 : numbers.strides[0];
  const LoadFn load = loader<std::int64_t>(numbers.dtype);
  plan.launch([=](const KernelMemory& memory) {
    const auto number_size = std::int64_t(dtype_size(numbers.dtype));
    const std::byte* first = memory.operands[numbers.operand] + numbers.offset * number_size;
    std::byte* target = memory.operands[to.view.operand] + to.view.offset * size;
    const std::byte* source = memory.operands[from.view.operand] + from.view.offset * size;
    const std::int64_t grain =
        std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(nest.count, 1));
    parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        std::int64_t number = 0;
        load(first + i * number_step * number_size, 1, 1, &number);
        const bool inside = number >= 0 && number < from.extent;
        copy_slice(nest, size, target + i * to.step * size,
                   inside ? source + number * from.step * size : nullptr);
      }
    });
  });
}

}  // namespace pyaclnn::sim
