// Bicubic samples of an image at the points of a grid.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "opapi/resample/grid_taps.hpp"

namespace pyaclnn::sim {

/// Four elements along one axis: two below the point and two above it.
struct CubicAxis {
  std::array<std::int64_t, 4> index{};  // -1 outside
  std::array<float, 4> weight{};

  CubicAxis(const GridSampling& sampling, std::size_t axis, float coordinate) {
    const std::int64_t extent = sampling.extents[axis];
    const auto wide = float(extent);
    const float place = sampling.align_corners ? (coordinate + 1) * (wide - 1) / 2
                                               : ((coordinate + 1) * wide - 1) / 2;
    // Written so that NaN becomes a place far outside.
    const float bounded = std::fabs(place) < kFar ? place : -kFar;
    const float low = std::floor(bounded);
    const float above = bounded - low;
    const std::array<float, 4> distance{above + 1, above, 1 - above, 2 - above};
    for (std::size_t i = 0; i < 4; ++i) {
      index[i] = placed(sampling, std::int64_t(low) + std::int64_t(i) - 1, extent);
      weight[i] = i == 0 || i == 3 ? outer(distance[i]) : inner(distance[i]);
    }
  }

 private:
  static constexpr float kFar = 1 << 30;
  static constexpr float kSlope = -0.75f;

  /// The weight of an element less than 1 away, and that of one up to 2 away.
  static float inner(float x) { return ((kSlope + 2) * x - (kSlope + 3)) * x * x + 1; }
  static float outer(float x) {
    return ((kSlope * x - 5 * kSlope) * x + 8 * kSlope) * x - 4 * kSlope;
  }

  /// Every element of its own is brought into the image.
  static std::int64_t placed(const GridSampling& sampling, std::int64_t at, std::int64_t extent) {
    if (sampling.padding == GridPadding::kZeros) return at >= 0 && at < extent ? at : -1;
    if (sampling.padding == GridPadding::kReflection) at = reflected(at, extent, sampling);
    return std::clamp<std::int64_t>(at, 0, extent - 1);
  }

  /// Folded at the outermost elements, or half an element beyond them.
  static std::int64_t reflected(std::int64_t at, std::int64_t extent,
                                const GridSampling& sampling) {
    const std::int64_t period = sampling.align_corners ? 2 * (extent - 1) : 2 * extent;
    if (period == 0) return 0;
    const std::int64_t rest = (at % period + period) % period;
    return std::min(rest, sampling.align_corners ? period - rest : period - 1 - rest);
  }
};

/// Samples of `count` points, stored one after another.
inline void sample_cubic(const GridSampling& sampling, const float* grid, std::int64_t count,
                         const float* image, float* result) {
  for (std::int64_t p = 0; p < count; ++p) {
    const CubicAxis x(sampling, 0, grid[2 * p]);
    const CubicAxis y(sampling, 1, grid[2 * p + 1]);
    float sum = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      if (y.index[j] < 0) continue;
      float row = 0;
      for (std::size_t i = 0; i < 4; ++i)
        if (x.index[i] >= 0)
          row += x.weight[i] * image[y.index[j] * sampling.extents[0] + x.index[i]];
      sum += y.weight[j] * row;
    }
    result[p] = sum;
  }
}

}  // namespace pyaclnn::sim
