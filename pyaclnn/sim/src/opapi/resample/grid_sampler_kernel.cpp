// SPDX-License-Identifier: MIT
#include "opapi/resample/grid_sampler_kernel.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/batched_view.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 16384;  // values worth a hand-over to another thread

/// All planes of an operand as packed compute values: where they are, or in a copy.
template <class C>
class PackedPlanes {
 public:
  PackedPlanes(const BatchedView& planes, LoadFn load, const KernelMemory& memory)
      : planes_(planes), base_(planes.base(memory)) {
    if (planes.is_array_of(dtype_of<C>())) return;
    copy_.resize(std::size_t(planes.count() * planes.size()));
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / planes.size());
    parallel_for(planes.count(), grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        planes.load(load, base_ + planes.plane_bytes(i), sizeof(C),
                    copy_.data() + i * planes.size());
    });
  }

  const C* plane(std::int64_t i) const {
    return copy_.empty() ? reinterpret_cast<const C*>(base_ + planes_.plane_bytes(i))
                         : copy_.data() + i * planes_.size();
  }

 private:
  const BatchedView& planes_;
  const std::byte* base_;
  std::vector<C> copy_;
};

template <class C>
struct GridKernel {
  GridSampling sampling;
  BatchedView grad_output;
  BatchedView input;
  BatchedView grid;
  std::optional<BatchedView> input_grad;
  std::optional<BatchedView> grid_grad;
  LoadFn load = nullptr;
  StoreFn store = nullptr;
  void (*find_taps)(const GridSampling*, const C*, std::int64_t, TapBlock<C>*) = nullptr;
  void (*scatter)(const TapBlock<C>*, int, const C*, C*) = nullptr;
  void (*gather)(const TapBlock<C>*, int, std::size_t, const C*, const C*,
                 C (*)[kTapBlock]) = nullptr;

  void run(const KernelMemory& memory) const {
    const PackedPlanes<C> points(grid, load, memory);
    const PackedPlanes<C> gradients(grad_output, load, memory);
    if (input_grad) find_input_grad(memory, points, gradients);
    if (!grid_grad) return;
    const PackedPlanes<C> images(input, load, memory);
    find_grid_grad(memory, points, gradients, images);
  }

 private:
  std::int64_t channels() const { return grad_output.count() / grid.count(); }
  std::int64_t points_per_plane() const { return grad_output.size(); }

  /// Calls body(first point, taps) for all points of image `n`.
  template <class Body>
  void for_each_block(std::int64_t n, const PackedPlanes<C>& points, Body body) const {
    const auto taps = std::make_unique<TapBlock<C>>();
    for (std::int64_t p = 0; p < points_per_plane(); p += kTapBlock) {
      take_block(n, p, points, taps.get());
      body(p, *taps);
    }
  }

  void take_block(std::int64_t n, std::int64_t p, const PackedPlanes<C>& points,
                  TapBlock<C>* taps) const {
    const std::int64_t count = std::min(kTapBlock, points_per_plane() - p);
    find_taps(&sampling, points.plane(n) + p * std::int64_t(sampling.axes), count, taps);
  }

  // A plane of the result belongs to one thread, so that its sums have one order.
  void find_input_grad(const KernelMemory& memory, const PackedPlanes<C>& points,
                       const PackedPlanes<C>& gradients) const {
    const std::int64_t work = std::max(points_per_plane(), input_grad->size());
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / work);
    parallel_for(input_grad->count(), grain, [&](std::int64_t begin, std::int64_t end) {
      while (begin < end) {
        const std::int64_t n = begin / channels();
        const std::int64_t stop = std::min(end, (n + 1) * channels());
        scatter_planes(memory, n, begin, stop, points, gradients);
        begin = stop;
      }
    });
  }

  /// BatchedView [begin, end), all of image `n`.
  void scatter_planes(const KernelMemory& memory, std::int64_t n, std::int64_t begin,
                      std::int64_t end, const PackedPlanes<C>& points,
                      const PackedPlanes<C>& gradients) const {
    std::byte* base = input_grad->base(memory);
    const std::int64_t size = input_grad->size();
    const bool in_place = input_grad->is_array_of(dtype_of<C>());
    std::vector<C> sums(std::size_t(in_place ? 0 : (end - begin) * size));
    const auto plane = [&](std::int64_t i) {
      return in_place ? reinterpret_cast<C*>(base + input_grad->plane_bytes(i))
                      : sums.data() + (i - begin) * size;
    };
    for (std::int64_t i = begin; in_place && i < end; ++i) std::fill_n(plane(i), size, C(0));
    for_each_block(n, points, [&](std::int64_t p, const TapBlock<C>& taps) {
      for (std::int64_t i = begin; i < end; ++i)
        scatter(&taps, sampling.taps(), gradients.plane(i) + p, plane(i));
    });
    for (std::int64_t i = begin; !in_place && i < end; ++i)
      input_grad->store(store, plane(i), sizeof(C), base + input_grad->plane_bytes(i));
  }

  void find_grid_grad(const KernelMemory& memory, const PackedPlanes<C>& points,
                      const PackedPlanes<C>& gradients, const PackedPlanes<C>& images) const {
    std::byte* base = grid_grad->base(memory);
    const std::int64_t size = grid_grad->size();
    const bool in_place = grid_grad->is_array_of(dtype_of<C>());
    std::vector<C> copy(std::size_t(in_place ? 0 : grid_grad->count() * size));
    const auto plane = [&](std::int64_t n) {
      return in_place ? reinterpret_cast<C*>(base + grid_grad->plane_bytes(n))
                      : copy.data() + n * size;
    };
    const std::int64_t blocks = (points_per_plane() + kTapBlock - 1) / kTapBlock;
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / (kTapBlock * channels()));
    parallel_for(grid.count() * blocks, grain, [&](std::int64_t begin, std::int64_t end) {
      const auto taps = std::make_unique<TapBlock<C>>();
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t n = i / blocks;
        const std::int64_t p = i % blocks * kTapBlock;
        take_block(n, p, points, taps.get());
        sum_slopes(n, p, *taps, gradients, images, plane(n));
      }
    });
    for (std::int64_t n = 0; !in_place && n < grid_grad->count(); ++n)
      grid_grad->store(store, plane(n), sizeof(C), base + grid_grad->plane_bytes(n));
  }

  /// The gradients of a block of grid points, over all channels.
  void sum_slopes(std::int64_t n, std::int64_t p, const TapBlock<C>& taps,
                  const PackedPlanes<C>& gradients, const PackedPlanes<C>& images, C* out) const {
    const std::size_t axes = sampling.axes;
    alignas(64) C sums[3][kTapBlock] = {};
    for (std::int64_t c = 0; c < channels() && !sampling.is_nearest(); ++c) {
      const std::int64_t i = n * channels() + c;
      gather(&taps, sampling.taps(), axes, gradients.plane(i) + p, images.plane(i), sums);
    }
    for (std::int64_t k = 0; k < taps.count; ++k) {
      for (std::size_t a = 0; a < axes; ++a) out[std::size_t(p + k) * axes + a] = sums[a][k];
    }
  }
};

template <class C>
void launch(Plan& plan, const GridOperands& operands, const GridSampling& sampling) {
  const auto with_channels = [&](const View& view) {
    return operands.channels_last ? channels_second(view) : view;
  };
  auto kernel = std::make_shared<GridKernel<C>>();
  const std::size_t axes = sampling.axes;
  kernel->sampling = sampling;
  kernel->grad_output = BatchedView(with_channels(plan.reads(operands.grad_output)), axes);
  const View input = with_channels(plan.reads(operands.input));
  for (std::size_t a = 0; a < axes; ++a)
    kernel->sampling.extents[a] = input.shape[input.shape.size() - 1 - a];
  kernel->input = BatchedView(input, axes);
  kernel->grid = BatchedView(plan.reads(operands.grid), axes + 1);
  if (operands.input_grad != nullptr)
    kernel->input_grad = BatchedView(with_channels(plan.writes(*operands.input_grad)), axes);
  if (operands.grid_grad != nullptr)
    kernel->grid_grad = BatchedView(plan.writes(*operands.grid_grad), axes + 1);
  kernel->load = loader<C>(input.dtype);
  kernel->store = storer<C>(input.dtype, Rounding::kNearestEven);
  kernel->find_taps =
      loop_for_cpu<FindTaps<C>, const GridSampling*, const C*, std::int64_t, TapBlock<C>*>();
  kernel->scatter = loop_for_cpu<ScatterTaps<C>, const TapBlock<C>*, int, const C*, C*>();
  kernel->gather = loop_for_cpu<GatherSlopes<C>, const TapBlock<C>*, int, std::size_t, const C*,
                                const C*, C(*)[kTapBlock]>();
  if (kernel->input.size() > std::int64_t(1) << 30)
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: a plane of input has %lld elements, too many", plan.api(),
         static_cast<long long>(kernel->input.size()));
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace

View channels_second(const View& view) {
  View result = view;
  for (std::size_t i = 1; i < view.shape.size(); ++i) {
    const std::size_t from = i == 1 ? view.shape.size() - 1 : i - 1;
    result.shape.set(i, view.shape[from]);
    result.strides.set(i, view.strides[from]);
  }
  return result;
}

void launch_grid_sampler_grad(Plan& plan, const GridOperands& operands, GridSampling sampling) {
  sampling.axes = operands.input.rank() - 2;
  if (operands.input.dtype() == ACL_DOUBLE) {
    launch<double>(plan, operands, sampling);
  } else {
    launch<float>(plan, operands, sampling);
  }
}

}  // namespace pyaclnn::sim
