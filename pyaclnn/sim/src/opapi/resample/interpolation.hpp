// Interpolation along one axis, backwards: which elements of the gradient belong to which elements
// of the input, and with what weight.
//
// `input` is the extent before resizing, that of the result here; `output` is the extent after it,
// that of the gradient. `scale` is output over input as the caller gave it; 0 or less: take it from
// the extents.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/axis_sums.hpp"

namespace pyaclnn::sim {

/// Whether a format says of images of two axes, or of volumes of three, that channels are last.
constexpr bool means_channels_last(int format, std::size_t axes) {
  return (axes == 2 && format == ACL_FORMAT_NHWC) || (axes == 3 && format == ACL_FORMAT_NDHWC);
}

/// Where element 0 and the last one lie: on one another (corners aligned), or half an element from
/// the edges.
enum class Alignment { kCorners, kEdges };

inline Alignment alignment_of(bool align_corners) {
  return align_corners ? Alignment::kCorners : Alignment::kEdges;
}

/// The nearest element, its place rounded down; `exact` counts from the elements' middles.
/// Computed as the matrix kernels do it: element i has the elements from ceil(i * scale) up to
/// ceil((i + 1) * scale), in float32; what lies behind the last of them belongs to none.
AxisMap nearest_map(std::int64_t input, std::int64_t output, double scale, bool exact);

/// The nearest element, each element's place found by itself: floor(o * step), where the step is
/// input / output unless one above 0 is given.
AxisMap nearest_map_by_size(std::int64_t input, std::int64_t output, float step = 0);

/// The same counted from the elements' middles: floor((o + 1/2) * step).
AxisMap nearest_exact_map_by_size(std::int64_t input, std::int64_t output, float step = 0);

/// What becomes of places behind the last element, which a scale of its own may lead to.
enum class Beyond { kIsLast, kIsDropped };

/// The two elements around a place.
AxisMap linear_map(std::int64_t input, std::int64_t output, double scale, Alignment alignment,
                   Beyond beyond = Beyond::kIsLast);

/// Cubic convolution with A = -0.75 over four elements; those outside are the outermost ones.
AxisMap cubic_map(std::int64_t input, std::int64_t output, double scale, Alignment alignment);

/// Filters that widen with the scale, so that reducing an image does not alias.
enum class Filter { kTriangle, kCubic };

/// The filter around each place, its weights normalised to 1. Cubic is A = -0.5.
AxisMap antialias_map(std::int64_t input, std::int64_t output, double scale, Alignment alignment,
                      Filter filter);

/// Every element is its own.
AxisMap identity_map(std::int64_t extent);

}  // namespace pyaclnn::sim
