// Where grid points fall on an image or volume: the elements around them, and their weights.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "opapi/common/cpu.hpp"

namespace pyaclnn::sim {

/// What is sampled between elements, and what a point outside the image samples; as operators have
/// these numbers.
enum class Interpolation { kLinear, kNearest, kCubic };
enum class GridPadding { kZeros, kBorder, kReflection };

struct GridSampling {
  Interpolation interpolation = Interpolation::kLinear;  // along each axis; cubic of images only
  GridPadding padding = GridPadding::kZeros;
  bool align_corners = false;
  std::size_t axes = 2;
  std::array<std::int64_t, 3> extents{};  // innermost first, as a grid point has its coordinates

  bool is_nearest() const { return interpolation == Interpolation::kNearest; }
  bool is_cubic() const { return interpolation == Interpolation::kCubic; }
  int taps() const { return is_nearest() ? 1 : is_cubic() ? 16 : 1 << axes; }
};

constexpr std::int64_t kTapBlock = 256;
constexpr int kMostTaps = 16;

/// Some points of a grid. Tap k is the element that lies, along axis a, below the point or, if bit
/// a of k is set, above it; of cubic sampling, the element k % 4 of a row and k / 4 of a column.
template <class C>
struct TapBlock {
  std::int64_t count = 0;
  alignas(64) std::int32_t index[kMostTaps][kTapBlock];  // in the image; -1 outside
  alignas(64) C weight[kMostTaps][kTapBlock];
  alignas(64) C slope[3][kMostTaps][kTapBlock];  // of the weight by the grid's coordinate
};

/// Four elements along an axis, two below each point and two above it.
template <class C>
struct CubicAxis {
  alignas(64) std::int32_t index[4][kTapBlock];  // -1 outside
  alignas(64) C weight[4][kTapBlock];
  alignas(64) C slope[4][kTapBlock];  // of the weight by the grid's coordinate

  SIM_ALWAYS_INLINE void fill(const GridSampling& sampling, std::size_t axis, std::int64_t count,
                              const std::int32_t* low, const C* above, const C* factor) {
    const auto extent = static_cast<std::int32_t>(sampling.extents[axis]);
    for (std::int32_t i = 0; i < 4; ++i) {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t p = 0; p < count; ++p) index[i][p] = low[p] + i - 1;
      bring_inside(sampling, extent, count, index[i]);
      const C sign = i < 2 ? C(1) : C(-1);  // of the distance, which grows or shrinks
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t p = 0; p < count; ++p) {
        const C x = std::fabs(above[p] + C(1 - i));
        const bool is_outer = i == 0 || i == 3;
        weight[i][p] = is_outer ? ((kSlope * x - 5 * kSlope) * x + 8 * kSlope) * x - 4 * kSlope
                                : ((kSlope + 2) * x - (kSlope + 3)) * x * x + 1;
        const C by_distance = is_outer ? (3 * kSlope * x - 10 * kSlope) * x + 8 * kSlope
                                       : (3 * (kSlope + 2) * x - 2 * (kSlope + 3)) * x;
        slope[i][p] = sign * by_distance * factor[p];
      }
    }
  }

 private:
  static constexpr C kSlope = C(-0.75);

  /// Every element of its own is brought into the image, or is left out.
  static SIM_ALWAYS_INLINE void bring_inside(const GridSampling& sampling, std::int32_t extent,
                                             std::int64_t count, std::int32_t* at) {
    if (sampling.padding == GridPadding::kReflection)
      for (std::int64_t p = 0; p < count; ++p)
        at[p] = reflected(at[p], extent, sampling.align_corners);
    const bool leaves_out = sampling.padding == GridPadding::kZeros;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t p = 0; p < count; ++p) {
      const std::int32_t inside = at[p] < 0 ? 0 : at[p] >= extent ? extent - 1 : at[p];
      at[p] = leaves_out && inside != at[p] ? -1 : inside;
    }
  }

  /// Folded at the outermost elements, or half an element beyond them.
  static std::int32_t reflected(std::int64_t at, std::int64_t extent, bool align_corners) {
    const std::int64_t period = align_corners ? 2 * (extent - 1) : 2 * extent;
    if (period == 0) return 0;
    const std::int64_t rest = (at % period + period) % period;
    return std::int32_t(std::min(rest, align_corners ? period - rest : period - 1 - rest));
  }
};

/// Fills a TapBlock from `count` grid points, stored one after another.
template <class C>
struct FindTaps {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const GridSampling* sampling, const C* grid, std::int64_t count,
                                    TapBlock<C>* block) {
    alignas(64) std::int32_t low[3][kTapBlock];
    alignas(64) C above[3][kTapBlock];
    alignas(64) C factor[3][kTapBlock];
    block->count = count;
    for (std::size_t a = 0; a < sampling->axes; ++a) {
      find_places(*sampling, a, grid, count, above[a], factor[a]);
      split(sampling->is_nearest(), count, above[a], low[a]);
    }
    if (sampling->is_cubic()) return find_cubic_taps(*sampling, low, above, factor, block);
    for (int k = 0; k < sampling->taps(); ++k) find_tap(*sampling, k, low, above, factor, block);
  }

 private:
  /// Coordinates in elements of the image, and their derivatives by the grid's.
  static SIM_ALWAYS_INLINE void find_places(const GridSampling& sampling, std::size_t axis,
                                            const C* grid, std::int64_t count, C* place,
                                            C* factor) {
    const auto extent = static_cast<C>(sampling.extents[axis]);
    const C span = sampling.align_corners ? extent - 1 : extent;
    const C shift = sampling.align_corners ? C(0) : C(1);
    const auto step = static_cast<std::int64_t>(sampling.axes);
    grid += axis;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t p = 0; p < count; ++p) {
      place[p] = ((grid[p * step] + 1) * span - shift) / 2;
      factor[p] = span / 2;
    }
    if (sampling.is_cubic()) return;  // elements are brought into the image, and not points
    if (sampling.padding == GridPadding::kReflection)
      reflect(-shift / 2, span, count, place, factor);
    if (sampling.padding != GridPadding::kZeros) clip(extent - 1, count, place, factor);
  }

  /// Folds places into [low, low + span].
  static SIM_ALWAYS_INLINE void reflect(C low, C span, std::int64_t count, C* place, C* factor) {
    if (span <= 0) {
      for (std::int64_t p = 0; p < count; ++p) place[p] = factor[p] = 0;
      return;
    }
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t p = 0; p < count; ++p) {
      const C distance = std::fabs(place[p] - low);
      const C folds = std::floor(distance / span);
      const C rest = distance - folds * span;
      const bool is_back = folds - 2 * std::floor(folds / 2) != 0;
      const bool is_below = place[p] < low;
      place[p] = (is_back ? span - rest : rest) + low;
      factor[p] = is_back != is_below ? -factor[p] : factor[p];
    }
  }

  static SIM_ALWAYS_INLINE void clip(C last, std::int64_t count, C* place, C* factor) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t p = 0; p < count; ++p) {
      const bool is_outside = place[p] <= 0 || place[p] >= last;
      const C limited = place[p] >= last ? last : place[p];
      factor[p] = is_outside ? C(0) : factor[p];
      place[p] = limited <= 0 ? C(0) : limited;
    }
  }

  /// The element below each place, and how far above it the place is.
  static SIM_ALWAYS_INLINE void split(bool nearest, std::int64_t count, C* place,
                                      std::int32_t* low) {
    constexpr C kFar = 1 << 30;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t p = 0; p < count; ++p) {
      // Written so that NaN becomes a place outside.
      const C bounded = std::fabs(place[p]) < kFar ? place[p] : -kFar;
      const C whole = nearest ? std::nearbyint(bounded) : std::floor(bounded);
      low[p] = static_cast<std::int32_t>(whole);
      place[p] = bounded - whole;
    }
  }

  static SIM_ALWAYS_INLINE void find_cubic_taps(const GridSampling& sampling,
                                                const std::int32_t (*low)[kTapBlock],
                                                const C (*above)[kTapBlock],
                                                const C (*factor)[kTapBlock], TapBlock<C>* block) {
    CubicAxis<C> x, y;
    const std::int64_t count = block->count;
    x.fill(sampling, 0, count, low[0], above[0], factor[0]);
    y.fill(sampling, 1, count, low[1], above[1], factor[1]);
    const auto width = static_cast<std::int32_t>(sampling.extents[0]);
    for (int k = 0; k < kMostTaps; ++k) {
      const int i = k % 4, j = k / 4;
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t p = 0; p < count; ++p) {
        const std::int32_t row = y.index[j][p], column = x.index[i][p];
        block->index[k][p] = row < 0 || column < 0 ? -1 : row * width + column;
        block->weight[k][p] = x.weight[i][p] * y.weight[j][p];
        block->slope[0][k][p] = x.slope[i][p] * y.weight[j][p];
        block->slope[1][k][p] = x.weight[i][p] * y.slope[j][p];
      }
    }
  }

  static SIM_ALWAYS_INLINE void find_tap(const GridSampling& sampling, int tap,
                                         const std::int32_t (*low)[kTapBlock],
                                         const C (*above)[kTapBlock], const C (*factor)[kTapBlock],
                                         TapBlock<C>* block) {
    const std::int64_t count = block->count;
    std::int32_t* index = block->index[tap];
    C* weight = block->weight[tap];
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t p = 0; p < count; ++p) {
      index[p] = 0;
      weight[p] = 1;
    }
    for (std::size_t b = 0; b < sampling.axes; ++b) {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t p = 0; p < count; ++p) block->slope[b][tap][p] = factor[b][p];
    }
    for (std::size_t a = sampling.axes; a-- > 0;) {
      const std::int32_t bit = (tap >> a) & 1;
      const auto extent = static_cast<std::int32_t>(sampling.extents[a]);
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t p = 0; p < count; ++p) {
        const std::int32_t at = low[a][p] + bit;
        const bool is_inside = at >= 0 && at < extent && index[p] >= 0;
        index[p] = is_inside ? index[p] * extent + at : -1;
      }
      if (sampling.is_nearest()) continue;
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t p = 0; p < count; ++p)
        weight[p] *= bit != 0 ? above[a][p] : 1 - above[a][p];
      for (std::size_t b = 0; b < sampling.axes; ++b) {
        C* slope = block->slope[b][tap];
        SIM_INDEPENDENT_ITERATIONS
        for (std::int64_t p = 0; p < count; ++p)
          slope[p] *= a == b ? C(2 * bit - 1) : bit != 0 ? above[a][p] : 1 - above[a][p];
      }
    }
  }
};

/// image[index] += weight * gradient, for every tap.
template <class C>
struct ScatterTaps {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const TapBlock<C>* block, int taps, const C* gradient,
                                    C* image) {
    for (int k = 0; k < taps; ++k) {
      const std::int32_t* index = block->index[k];
      const C* weight = block->weight[k];
      for (std::int64_t p = 0; p < block->count; ++p) {
        if (index[p] >= 0) image[index[p]] += weight[p] * gradient[p];
      }
    }
  }
};

/// sums[a] += gradient * slope[a] * image[index], for every tap.
template <class C>
struct GatherSlopes {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const TapBlock<C>* block, int taps, std::size_t axes,
                                    const C* gradient, const C* image, C (*sums)[kTapBlock]) {
    alignas(64) C values[kTapBlock];
    const std::int64_t count = block->count;
    for (int k = 0; k < taps; ++k) {
      const std::int32_t* index = block->index[k];
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t p = 0; p < count; ++p) {
        const C value = image[index[p] < 0 ? 0 : index[p]];
        values[p] = index[p] < 0 ? C(0) : value * gradient[p];
      }
      for (std::size_t a = 0; a < axes; ++a) {
        const C* slope = block->slope[a][k];
        C* sum = sums[a];
        SIM_INDEPENDENT_ITERATIONS
        for (std::int64_t p = 0; p < count; ++p) sum[p] += slope[p] * values[p];
      }
    }
  }
};

}  // namespace pyaclnn::sim
