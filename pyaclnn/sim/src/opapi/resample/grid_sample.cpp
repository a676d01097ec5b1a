// SPDX-License-Identifier: MIT
#include "opapi/resample/grid_sample.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/planes.hpp"
#include "opapi/resample/grid_taps.hpp"

namespace pyaclnn::sim {
namespace {

enum Interpolation : std::int64_t { kLinear = 0, kNearest = 1, kCubic = 2 };

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
  Planes input;   // [N, C] of [H, W]
  Planes points;  // [N] of [H', W', 2]
  Planes out;     // [N, C] of [H', W']
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
      find(&sampling, grid + 2 * at, count, block.get());
      sum(block.get(), sampling.taps(), image, result + at);
    }
  }
};

template <class C>
void launch(Plan& plan, const TensorArgument& input, const TensorArgument& grid,
            const TensorArgument& out, const GridSampling& sampling) {
  const Kernel<C> kernel{Planes(plan.reads(input), 2),
                         Planes(plan.reads(grid), 3),
                         Planes(plan.writes(out), 2),
                         loader<C>(input.dtype()),
                         storer<C>(out.dtype(), Rounding::kNearestEven),
                         sampling,
                         input.shape()[1]};
  plan.launch([kernel](const KernelMemory& memory) { kernel.run(memory); });
}

}  // namespace

void check_grid_sampler2d(const Check& check, const TensorArgument& input,
                          const TensorArgument& grid, std::int64_t interpolation,
                          std::int64_t padding, const TensorArgument& out) {
  check.that(interpolation >= kLinear && interpolation <= kCubic,
             "interpolationMode is %lld, it must be 0 (bilinear), 1 (nearest) or 2 (bicubic)",
             static_cast<long long>(interpolation));
  check.that(padding >= 0 && padding <= 2,
             "paddingMode is %lld, it must be 0 (zeros), 1 (border) or 2 (reflection)",
             static_cast<long long>(padding));
  for (const TensorArgument* tensor : {&input, &grid, &out})
    check.that(tensor->rank() == 4, "%s has %zu dimensions, it must have 4", tensor->name(),
               tensor->rank());
  const Dims expected{grid.shape()[0], input.shape()[1], grid.shape()[1], grid.shape()[2]};
  check.that(input.shape()[0] == grid.shape()[0], "input has %lld samples, grid has %lld",
             static_cast<long long>(input.shape()[0]), static_cast<long long>(grid.shape()[0]));
  check.shape_is(out, expected, "samples, channels and points");
  check.that(input.shape()[2] != 0 && input.shape()[3] != 0, "input has shape %s: no elements",
             input.shape().text().c_str());
  check.that(grid.shape()[3] == 2, "grid has shape %s, its last extent must be 2",
             grid.shape().text().c_str());
}

void grid_sampler2d(const Check& check, Plan& plan, const TensorArgument& input,
                    const TensorArgument& grid, std::int64_t interpolation, std::int64_t padding,
                    bool align_corners, const TensorArgument& out) {
  const bool has_cubic = config().has_bf16() && input.dtype() != ACL_DOUBLE;
  check.that(interpolation != kCubic || has_cubic,
             "interpolationMode is 2, which %s has not for it", config().soc_name.c_str());
  if (interpolation == kCubic)
    fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: bicubic interpolation is not simulated",
         plan.api());
  GridSampling sampling;
  sampling.nearest = interpolation == kNearest;
  sampling.padding = static_cast<GridPadding>(padding);
  sampling.align_corners = align_corners;
  sampling.extents = {input.shape()[3], input.shape()[2], 1};
  // Places of an image are counted in int32.
  check.that(input.shape()[2] * double(input.shape()[3]) < 2147483647.0,
             "input has shape %s: a plane has too many elements", input.shape().text().c_str());
  for (const TensorArgument* tensor : {&input, &grid}) plan.stage(*tensor).contiguous();
  plan.reserve(input.elements(), input.dtype());
  plan.result(input.dtype(), out.shape()).copy_to(out);
  if (input.dtype() == ACL_DOUBLE) return launch<double>(plan, input, grid, out, sampling);
  launch<float>(plan, input, grid, out, sampling);
}

}  // namespace pyaclnn::sim
