// SPDX-License-Identifier: MIT
#include "opapi/resample/grid_sample.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/batched_view.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/format.hpp"
#include "opapi/resample/grid_sampler_kernel.hpp"
#include "parameters/GridSampler2D.hpp"
#include "parameters/GridSampler3D.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kChannels = 16;  // that share the places of points

/// sums = sum over the taps of weight * image[index].
template <class C>
struct GatherTaps {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const TapBlock<C>* block, int taps, const C* image, C* sums) {
    const std::int64_t count = block->count;
    std::fill_n(sums, count, C(0));
    for (int k = 0; k < taps; ++k) {
      const std::int32_t* index = block->index[k];
      const C* weight = block->weight[k];
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t p = 0; p < count; ++p) {
        const C value = image[index[p] < 0 ? 0 : index[p]];
        sums[p] += index[p] < 0 ? C(0) : weight[p] * value;
      }
    }
  }
};

template <class C>
struct Kernel {
  BatchedView input;   // [N, C] of [H, W] or [D, H, W]
  BatchedView points;  // [N] of [H', W', 2] or [D', H', W', 3]
  BatchedView out;     // [N, C] of [H', W'] or [D', H', W']
  LoadFn load;
  StoreFn store;
  GridSampling sampling;
  std::int64_t channels;

  void run(const KernelMemory& memory) const {
    const std::int64_t pieces = (channels + kChannels - 1) / kChannels;
    parallel_for(points.count() * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<C> grid(std::size_t(points.size()));
      std::vector<C> image(std::size_t(input.size()));
      std::vector<C> result(std::size_t(out.size()));
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t sample = task / pieces;
        points.load(load, points.base(memory) + points.plane_bytes(sample), sizeof(C), grid.data());
        const std::int64_t first = task % pieces * kChannels;
        for (std::int64_t c = first; c < std::min(first + kChannels, channels); ++c) {
          const std::int64_t plane = sample * channels + c;
          input.load(load, input.base(memory) + input.plane_bytes(plane), sizeof(C), image.data());
          gather(grid.data(), image.data(), result.data());
          out.store(store, result.data(), sizeof(C), out.base(memory) + out.plane_bytes(plane));
        }
      }
    });
  }

  void gather(const C* grid, const C* image, C* result) const {
    static const auto find =
        loop_for_cpu<FindTaps<C>, const GridSampling*, const C*, std::int64_t, TapBlock<C>*>();
    static const auto sum = loop_for_cpu<GatherTaps<C>, const TapBlock<C>*, int, const C*, C*>();
    const auto block = std::make_unique<TapBlock<C>>();
    for (std::int64_t at = 0; at < out.size(); at += kTapBlock) {
      const std::int64_t count = std::min(kTapBlock, out.size() - at);
      find(&sampling, grid + std::int64_t(sampling.axes) * at, count, block.get());
      sum(block.get(), sampling.taps(), image, result + at);
    }
  }
};

bool has_channels_last(const TensorArgument& input) {
  return input.rank() == 5 && input.meta().format == ACL_FORMAT_NDHWC;
}

template <class C>
void launch(Plan& plan, const TensorArgument& input, const TensorArgument& grid,
            const TensorArgument& out, const GridSampling& sampling) {
  View from = plan.reads(input);
  View to = plan.writes(out);
  if (has_channels_last(input)) {
    from = channels_second(from);
    to = channels_second(to);
  }
  const Kernel<C> kernel{BatchedView(from, sampling.axes),
                         BatchedView(plan.reads(grid), sampling.axes + 1),
                         BatchedView(to, sampling.axes),
                         loader<C>(input.dtype()),
                         storer<C>(out.dtype(), Rounding::kNearestEven),
                         sampling,
                         from.shape[1]};
  plan.launch([kernel](const KernelMemory& memory) { kernel.run(memory); });
}

void check_padding(const Check& check, std::int64_t padding) {
  check.that(padding >= 0 && padding <= 2,
             "paddingMode is %lld, it must be 0 (zeros), 1 (border) or 2 (reflection)",
             static_cast<long long>(padding));
}

/// [N, C, ...] at [N, ..., axes]; channels may be last in input and out.
void check_shapes(const Check& check, const TensorArgument& input, const TensorArgument& grid,
                  const TensorArgument& out, bool channels_last) {
  const std::size_t rank = input.rank();
  const std::size_t axes = rank - 2;
  const std::int64_t channels = input.shape()[channels_last ? rank - 1 : 1];
  Dims expected{grid.shape()[0]};
  if (!channels_last) expected.push_back(channels);
  for (std::size_t i = 1; i <= axes; ++i) expected.push_back(grid.shape()[i]);
  if (channels_last) expected.push_back(channels);
  check.that(input.shape()[0] == grid.shape()[0], "input has %lld samples, grid has %lld",
             static_cast<long long>(input.shape()[0]), static_cast<long long>(grid.shape()[0]));
  check.shape_is(out, expected, "samples, channels and points");
  // Of a volume, too, only the last two extents.
  check.that(input.shape()[rank - 2] != 0 && input.shape()[rank - 1] != 0,
             "input has shape %s: no elements", input.shape().text().c_str());
  check.that(grid.shape()[rank - 1] == std::int64_t(axes),
             "grid has shape %s, its last extent must be %zu", grid.shape().text().c_str(), axes);
}

void check_rank(const Check& check, std::size_t rank, const TensorArgument& input,
                const TensorArgument& grid, const TensorArgument& out) {
  for (const TensorArgument* tensor : {&input, &grid, &out})
    check.that(tensor->rank() == rank, "%s has %zu dimensions, it must have %zu", tensor->name(),
               tensor->rank(), rank);
}

void sample(const Check& check, Plan& plan, const TensorArgument& input, const TensorArgument& grid,
            std::int64_t interpolation, std::int64_t padding, bool align_corners,
            const TensorArgument& out) {
  GridSampling sampling = grid_sampling(interpolation, padding, align_corners);
  sampling.axes = input.rank() - 2;
  double size = 1;
  for (std::size_t a = 0; a < sampling.axes; ++a) {
    sampling.extents[a] = input.shape()[input.rank() - 1 - a - (has_channels_last(input) ? 1 : 0)];
    size *= double(sampling.extents[a]);
  }
  // Places are counted in int32.
  check.that(size < 2147483647.0, "input has shape %s: a channel has too many elements",
             input.shape().text().c_str());
  for (const TensorArgument* tensor : {&input, &grid}) plan.stage(*tensor).contiguous();
  plan.reserve(input.elements(), input.dtype());
  plan.result(input.dtype(), out.shape()).copy_to(out);
  if (input.dtype() == ACL_DOUBLE) return launch<double>(plan, input, grid, out, sampling);
  launch<float>(plan, input, grid, out, sampling);
}

}  // namespace

void check_grid_sampler2d(const Check& check, const TensorArgument& input,
                          const TensorArgument& grid, std::int64_t interpolation,
                          std::int64_t padding, const TensorArgument& out) {
  check.that(interpolation >= 0 && interpolation <= 2,
             "interpolationMode is %lld, it must be 0 (bilinear), 1 (nearest) or 2 (bicubic)",
             static_cast<long long>(interpolation));
  check_padding(check, padding);
  check_rank(check, 4, input, grid, out);
  check_shapes(check, input, grid, out, false);
}

void grid_sampler2d(const Check& check, Plan& plan, const GridSampler2DParameters& given) {
  const bool has_cubic = chip().has_bf16() && given.input.dtype() != ACL_DOUBLE;
  check.that(given.interpolationMode != 2 || has_cubic,
             "interpolationMode is 2, which %s has not for it", chip().name);
  sample(check, plan, given.input, given.grid, given.interpolationMode, given.paddingMode,
         given.alignCorners, given.out);
}

void check_grid_sampler3d(const Check& check, const TensorArgument& input,
                          const TensorArgument& grid, std::int64_t interpolation,
                          std::int64_t padding, const TensorArgument& out) {
  check_formats(check, input, out);
  check_padding(check, padding);
  check.that(interpolation == 0 || interpolation == 1,
             "interpolationMode is %lld, it must be 0 (bilinear) or 1 (nearest)",
             static_cast<long long>(interpolation));
  check_rank(check, 5, input, grid, out);
  check_shapes(check, input, grid, out, input.meta().format == ACL_FORMAT_NDHWC);
}

void grid_sampler3d(const Check& check, Plan& plan, const GridSampler3DParameters& given) {
  check.that(given.input.dtype() != ACL_BF16 || chip().has_bf16(), "%s has no bfloat16",
             chip().name);
  sample(check, plan, given.input, given.grid, given.interpolationMode, given.paddingMode,
         given.alignCorners, given.out);
}

}  // namespace pyaclnn::sim
