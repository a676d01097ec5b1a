// SPDX-License-Identifier: MIT
#include "opapi/pointwise/list.hpp"

#include <algorithm>
#include <utility>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 256;
constexpr std::int64_t kSmall = 32768;  // elements; more are worth several threads
constexpr std::int64_t kMaxValueSize = 16;

/// Elements behind one another, in row-major order.
bool is_dense(const View& view) {
  std::int64_t step = 1;
  for (std::size_t i = view.shape.size(); i-- > 0;) {
    if (view.shape[i] == 1) continue;
    if (view.strides[i] != step) return false;
    step *= view.shape[i];
  }
  return true;
}

}  // namespace

struct PointwiseList::Kernel {
  std::vector<Item> items;
  std::vector<LoadFn> loads;
  StoreFn store;
  BlockFn block;
  std::shared_ptr<const void> function;
  std::int64_t sizes[kMost];
  bool direct[kMost];  // whether elements are what is computed with

  void run(const Item& item, const KernelMemory& memory) const {
    alignas(64) std::byte buffers[kMost][kBlock * kMaxValueSize];
    const std::size_t inputs = loads.size();
    std::byte* at[kMost];
    bool all_direct = true;
    for (std::size_t k = 0; k <= inputs; ++k) {
      at[k] = memory.operands[item.places[k].operand] + item.places[k].offset;
      all_direct = all_direct && is_direct(item, k);
    }
    const void* values[kMost];
    const std::int64_t block_count = all_direct ? item.count : kBlock;
    for (std::int64_t done = 0; done < item.count; done += block_count) {
      const std::int64_t take = std::min(block_count, item.count - done);
      for (std::size_t k = 1; k <= inputs; ++k) {
        values[k - 1] = is_direct(item, k) ? at[k] : buffers[k];
        if (!is_direct(item, k)) loads[k - 1](at[k], item.places[k].stride, take, buffers[k]);
        at[k] += item.places[k].stride * take * sizes[k];
      }
      block(function.get(), take, values, direct[0] ? at[0] : buffers[0]);
      if (!direct[0]) store(buffers[0], take, at[0], 1);
      at[0] += take * sizes[0];
    }
  }

  bool is_direct(const Item& item, std::size_t k) const {
    return direct[k] && item.places[k].stride == 1;
  }
};

bool PointwiseList::begin(const Plan& plan, const View& out, const std::vector<View>& inputs,
                          const std::vector<Number>& numbers) {
  ElementwiseKernel kernel = pointwise_kernel(plan, formula_, compute_, out.dtype, out, inputs,
                                              numbers.data(), numbers.size());
  const auto missing = std::find(kernel.loads.begin(), kernel.loads.end(), nullptr);
  if (kernel.via_store != nullptr || kernel.store == nullptr || kernel.block == nullptr ||
      missing != kernel.loads.end())
    return false;
  kernel_ = std::move(kernel);
  numbers_ = numbers;
  return true;
}

bool PointwiseList::add(const Plan& plan, const View& out, const std::vector<View>& inputs,
                        const std::vector<Number>& numbers) {
  const std::int64_t count = out.shape.product();
  if (count > kSmall || inputs.size() >= kMost || !is_dense(out)) return false;
  Item item{count, {}};
  const auto place = [](const View& view, std::int64_t stride) {
    return Place{view.operand, view.offset * std::int64_t(dtype_size(view.dtype)), stride};
  };
  item.places[0] = place(out, 1);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const bool one = inputs[k].shape.empty();
    if (!one && (inputs[k].shape != out.shape || !is_dense(inputs[k]))) return false;
    item.places[k + 1] = place(inputs[k], one ? 0 : 1);
  }
  if (items_.empty()) {
    if (!begin(plan, out, inputs, numbers)) return false;
  } else {
    const auto same = [](const Number& a, const Number& b) {
      return a.value == b.value && a.integer == b.integer;
    };
    bool fits = kernel_.views.size() == inputs.size() + 1 && kernel_.views[0].dtype == out.dtype &&
                std::equal(numbers.begin(), numbers.end(), numbers_.begin(), numbers_.end(), same);
    for (std::size_t k = 0; fits && k < inputs.size(); ++k)
      fits = kernel_.views[k + 1].dtype == inputs[k].dtype;
    if (!fits) return false;
  }
  items_.push_back(item);
  return true;
}

void PointwiseList::launch(Plan& plan) {
  if (items_.empty()) return;
  Kernel kernel{};
  std::int64_t most = 1;
  for (const Item& item : items_) most = std::max(most, item.count);
  for (std::size_t k = 0; k < kernel_.views.size(); ++k) {
    kernel.sizes[k] = std::int64_t(dtype_size(kernel_.views[k].dtype));
    kernel.direct[k] = kernel_.views[k].dtype == kernel_.compute_dtype;
  }
  kernel.items = std::move(items_);
  kernel.loads = std::move(kernel_.loads);
  kernel.store = kernel_.store;
  kernel.block = kernel_.block;
  kernel.function = std::move(kernel_.function);
  plan.launch([kernel = std::move(kernel),
               grain = std::max<std::int64_t>(1, kSmall / most)](const KernelMemory& memory) {
    parallel_for(std::int64_t(kernel.items.size()), grain,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i)
                     kernel.run(kernel.items[std::size_t(i)], memory);
                 });
  });
  items_.clear();
}

}  // namespace pyaclnn::sim
