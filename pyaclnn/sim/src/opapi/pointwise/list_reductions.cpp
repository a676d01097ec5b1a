// SPDX-License-Identifier: MIT
#include "opapi/pointwise/list_reductions.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/elementwise_views.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/pointwise/formula.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 512;
constexpr std::int64_t kGrain = 32768;

/// The elements of several tensors of one shape, and where the result goes.
struct Operands {
  std::vector<View> views;  // the output first
  LoopNest nest;
};

/// Reduces in T, in the order of the list; integers wrap.
template <class T, class Join>
void reduce_range(const Operands& operands, const KernelMemory& memory, std::int64_t begin,
                  std::int64_t end, Join join) {
  const std::vector<View>& views = operands.views;
  const LoadFn load = loader<T>(views[0].dtype);
  const StoreFn store = storer<T>(views[0].dtype, Rounding::kNearestEven);
  alignas(64) T sums[kBlock];
  alignas(64) T values[kBlock];
  LoopCursor cursor(operands.nest, begin);
  for (std::int64_t left = end - begin; left > 0;) {
    const std::int64_t take = std::min({cursor.left_in_row(), left, kBlock});
    for (std::size_t k = 1; k < views.size(); ++k) {
      load(first_element(memory, views[k], cursor.offset(k)), operands.nest.inner_stride(k), take,
           k == 1 ? sums : values);
      for (std::int64_t i = 0; k > 1 && i < take; ++i) sums[i] = join(sums[i], values[i]);
    }
    store(sums, take, first_element(memory, views[0], cursor.offset(0)),
          operands.nest.inner_stride(0));
    cursor.advance(take);
    left -= take;
  }
}

template <class T>
void reduce_range(ListReduction reduction, const Operands& operands, const KernelMemory& memory,
                  std::int64_t begin, std::int64_t end) {
  switch (reduction) {
    case ListReduction::kSum:
      return reduce_range<T>(operands, memory, begin, end, [](T a, T b) { return m::add(a, b); });
    case ListReduction::kMaximum:
      return reduce_range<T>(operands, memory, begin, end,
                             [](T a, T b) { return m::maximum<T>(a, b); });
    case ListReduction::kMinimum:
      return reduce_range<T>(operands, memory, begin, end,
                             [](T a, T b) { return m::minimum<T>(a, b); });
  }
}

}  // namespace

Dims broadcast_list(const Check& check, const TensorListIn& tensors) {
  Dims shape = tensors.tensors.front().shape();
  for (const TensorArgument& tensor : tensors.tensors) {
    const Dims before = shape;
    shape = Dims();
    const std::size_t rank = std::max(before.size(), tensor.rank());
    const auto extent = [rank](const Dims& dims, std::size_t i) {
      return i + dims.size() < rank ? 1 : dims[i + dims.size() - rank];
    };
    for (std::size_t i = 0; i < rank; ++i) {
      const std::int64_t x = extent(before, i);
      const std::int64_t y = extent(tensor.shape(), i);
      check.that(x == y || x == 1 || y == 1, "%s of shape %s does not broadcast with %s",
                 tensor.name(), tensor.shape().text().c_str(), before.text().c_str());
      shape.push_back(x == 1 ? y : x);
    }
  }
  return shape;
}

bool is_unchecked_sum_of_nothing(const TensorListIn& tensors, const TensorArgument& out) {
  const std::vector<TensorArgument>& all = tensors.tensors;
  return !all.empty() && all.front().dtype() != out.dtype() &&
         std::any_of(all.begin(), all.end(), [](const auto& tensor) { return tensor.is_empty(); });
}

void check_addends(const Check& check, Plan& plan, const TensorListIn& tensors,
                   const TensorArgument& out) {
  const DtypeSet accepted{ACL_INT32, ACL_INT64, ACL_FLOAT16, ACL_BF16, ACL_FLOAT};
  check.that(!tensors.tensors.empty(), "tensors is an empty list; CANN reads the first of it");
  const TensorArgument& first = tensors.tensors.front();
  // CANN means to refuse it here, and goes on to where the sum cannot be copied.
  check_inside(plan, first.dtype() == out.dtype(), "%s is %s, out is %s", first.name(),
               dtype_name(first.dtype()), dtype_name(out.dtype()));
  needs_kernel(plan, chip().has_bf16());
  for (const TensorArgument& tensor : tensors.tensors) check.dtype_in(accepted, tensor);
  for (const TensorArgument& tensor : tensors.tensors) check.rank_at_most(8, tensor);
  check.rank_at_most(8, out);
  for (const TensorArgument& tensor : tensors.tensors) {
    check.same_shape(first, tensor);
    check.same_dtype(first, tensor);
  }
  check.same_shape(first, out);
}

void reduce_list(Plan& plan, ListReduction reduction, const TensorListIn& tensors,
                 const TensorArgument& out) {
  if (out.is_empty()) return;
  for (const TensorArgument& tensor : tensors.tensors) plan.stage(tensor).contiguous();
  plan.result(out.dtype(), out.shape()).copy_to(out);
  Operands operands;
  operands.views.push_back(plan.writes(out));
  for (const TensorArgument& tensor : tensors.tensors)
    operands.views.push_back(broadcast_view(plan.reads(tensor), out.shape()));
  operands.nest = plan_loops(operands.views);
  const bool whole = is_integral(out.dtype());
  plan.launch([operands = std::move(operands), reduction, whole](const KernelMemory& memory) {
    parallel_for(operands.nest.count, kGrain, [&](std::int64_t begin, std::int64_t end) {
      if (whole) return reduce_range<std::int64_t>(reduction, operands, memory, begin, end);
      reduce_range<float>(reduction, operands, memory, begin, end);
    });
  });
}

}  // namespace pyaclnn::sim
