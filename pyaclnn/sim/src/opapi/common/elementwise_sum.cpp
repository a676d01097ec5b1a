// SPDX-License-Identifier: MIT
#include "opapi/common/elementwise_sum.hpp"

#include <algorithm>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 512;    // values of each operand held at a time
constexpr std::int64_t kGrain = 32768;  // terms worth a hand-over to another thread
constexpr std::size_t kMaxViews = 9;

/// The kernel with its dimensions divided into those of the output and those summed over.
struct SumKernel {
  ElementwiseKernel terms;
  LoopNest kept;     // strides of every view
  LoopNest reduced;  // those of the output are 0
};

class Run {
 public:
  Run(const SumKernel& kernel, const KernelMemory& memory) : kernel_(kernel) {
    for (std::size_t k = 0; k < views(); ++k) {
      const View& view = kernel.terms.views[k];
      sizes_[k] = static_cast<std::int64_t>(dtype_size(view.dtype));
      bases_[k] = memory.operands[view.operand] + view.offset * sizes_[k];
    }
  }

  /// Output elements whose terms lie in rows: one at a time.
  void rows(std::int64_t begin, std::int64_t end) const {
    LoopCursor at(kernel_.kept, begin);
    for (std::int64_t i = begin; i < end; ++i) {
      double total = 0;
      LoopCursor term(kernel_.reduced, 0);
      for (std::int64_t left = kernel_.reduced.count; left > 0;) {
        const std::int64_t count = std::min(term.left_in_row(), kBlock);
        alignas(64) float values[kBlock];
        compute(at, term, kernel_.reduced, count, values);
        double partial[4] = {};
        std::int64_t k = 0;
        for (; k + 4 <= count; k += 4) {
          for (int lane = 0; lane < 4; ++lane) partial[lane] += double(values[k + lane]);
        }
        for (; k < count; ++k) partial[0] += double(values[k]);
        total += (partial[0] + partial[1]) + (partial[2] + partial[3]);
        term.advance(count);
        left -= count;
      }
      const float result = static_cast<float>(total);
      kernel_.terms.store(&result, 1, bases_[0] + at.offset(0) * sizes_[0], 1);
      at.advance(1);
    }
  }

  /// Neighbouring output elements, one term of each at a time.
  void columns(std::int64_t begin, std::int64_t end) const {
    LoopCursor at(kernel_.kept, begin);
    for (std::int64_t left = end - begin; left > 0;) {
      const std::int64_t count = std::min({at.left_in_row(), left, kBlock});
      alignas(64) double totals[kBlock] = {};
      alignas(64) float values[kBlock];
      LoopCursor term(kernel_.reduced, 0);
      for (std::int64_t i = 0; i < kernel_.reduced.count; ++i) {
        compute(at, term, kernel_.kept, count, values);
        for (std::int64_t k = 0; k < count; ++k) totals[k] += double(values[k]);
        term.advance(1);
      }
      for (std::int64_t k = 0; k < count; ++k) values[k] = static_cast<float>(totals[k]);
      kernel_.terms.store(values, count, bases_[0] + at.offset(0) * sizes_[0],
                          kernel_.kept.inner_stride(0));
      at.advance(count);
      left -= count;
    }
  }

 private:
  std::size_t views() const { return kernel_.terms.views.size(); }

  /// `count` terms along the inner dimension of `nest`.
  void compute(const LoopCursor& at, const LoopCursor& term, const LoopNest& nest,
               std::int64_t count, float* values) const {
    alignas(64) float buffers[kMaxViews][kBlock];
    const void* inputs[kMaxViews];
    for (std::size_t k = 1; k < views(); ++k) {
      const std::byte* from = bases_[k] + (at.offset(k) + term.offset(k)) * sizes_[k];
      const std::int64_t stride = nest.inner_stride(k);
      const bool direct = kernel_.terms.views[k].dtype == ACL_FLOAT && stride == 1;
      if (!direct) kernel_.terms.loads[k - 1](from, stride, count, buffers[k]);
      inputs[k - 1] = direct ? static_cast<const void*>(from) : buffers[k];
    }
    kernel_.terms.block(kernel_.terms.function.get(), count, inputs, values);
  }

  const SumKernel& kernel_;
  std::byte* bases_[kMaxViews];
  std::int64_t sizes_[kMaxViews];
};

/// The dimensions `dims` of every view, in the order of the strides of the first that moves.
LoopNest loops_over(const std::vector<View>& views, const std::vector<std::size_t>& dims,
                    std::size_t leading) {
  std::vector<View> parts;
  for (const View& view : views) {
    View part = view;
    part.shape = Dims();
    part.strides = Dims();
    for (std::size_t dim : dims) {
      part.shape.push_back(view.shape[dim]);
      part.strides.push_back(view.strides[dim]);
    }
    parts.push_back(part);
  }
  std::swap(parts[0], parts[leading]);
  LoopNest nest = plan_loops(parts);
  std::swap(nest.strides[0], nest.strides[leading]);
  return nest;
}

}  // namespace

void launch_elementwise_sum(Plan& plan, ElementwiseKernel kernel, const Dims& shape) {
  const bool convertible =
      kernel.store != nullptr &&
      std::find(kernel.loads.begin(), kernel.loads.end(), nullptr) == kernel.loads.end();
  if (!convertible || kernel.views.size() > kMaxViews)
    fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: there is no kernel for these element types",
         plan.api());
  const View& own = kernel.views[0];
  const std::size_t missing = shape.size() - own.shape.size();
  std::vector<std::size_t> kept;
  std::vector<std::size_t> reduced;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool lacks = i < missing || own.shape[i - missing] != shape[i];
    (lacks ? reduced : kept).push_back(i);
  }
  kernel.views[0] = broadcast_view(own, shape);
  auto sum = std::make_shared<SumKernel>();
  sum->kept = loops_over(kernel.views, kept, 0);
  sum->reduced =
      loops_over(kernel.views, reduced, std::min<std::size_t>(1, kernel.views.size() - 1));
  sum->terms = std::move(kernel);
  const bool by_columns =
      sum->kept.inner_extent() >= 16 || sum->kept.inner_extent() > sum->reduced.inner_extent();
  const std::int64_t grain =
      std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, sum->reduced.count));
  plan.launch([sum, by_columns, grain](const KernelMemory& memory) {
    const Run run(*sum, memory);
    parallel_for(sum->kept.count, by_columns ? std::max<std::int64_t>(grain, 16) : grain,
                 [&](std::int64_t begin, std::int64_t end) {
                   by_columns ? run.columns(begin, end) : run.rows(begin, end);
                 });
  });
}

}  // namespace pyaclnn::sim
