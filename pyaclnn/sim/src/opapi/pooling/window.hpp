// The windows of a pooling: where they lie, and how large the result is.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "opapi/common/arguments.hpp"
#include "opapi/common/axis_sums.hpp"
#include "opapi/common/check.hpp"

namespace pyaclnn::sim {

/// The windows along one axis.
struct Window {
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t dilation = 1;

  /// How many of them fit an axis of `extent`: 0 or less where none does. The padding behind it is
  /// that before it, unless given.
  std::int64_t count(std::int64_t extent, bool ceil_mode) const {
    return count(extent, ceil_mode, padding);
  }
  std::int64_t count(std::int64_t extent, bool ceil_mode, std::int64_t padding_behind) const;
  /// Where window `i` starts; it may start and end in the padding.
  std::int64_t start(std::int64_t i) const { return i * stride - padding; }
};

/// Entry `i` of an attribute that may have been given as one number for all axes.
std::int64_t attribute(const IntArrayIn& array, std::size_t i);

/// Refuses other than `axes` numbers, one, or, if that is allowed, none.
void check_length(const Check& check, const IntArrayIn& array, std::size_t axes, bool may_be_empty);

/// Refuses a number below `least`, or one that is not an int32.
void check_at_least(const Check& check, const IntArrayIn& array, std::int64_t least);

/// The windows along each of `axes` axes. A missing or empty stride is the kernel's size.
std::vector<Window> windows(std::size_t axes, const IntArrayIn& kernel, const IntArrayIn& stride,
                            const IntArrayIn& padding);

/// `shape` with each of its last axes replaced by the number of windows along it.
Dims pooled_shape(const Dims& shape, const std::vector<Window>& windows, bool ceil_mode);

/// The mean over the windows of an axis, backwards: from the windows to the places they cover.
/// `begin` and `end` bound the window inside the axis, `weight` is what each place gets.
struct Cover {
  std::int64_t begin;
  std::int64_t end;
  double weight;
};
AxisMap cover_map(std::int64_t extent, const std::vector<Cover>& covers);
/// The same forwards: from the places to the windows.
AxisMap window_map(std::int64_t extent, const std::vector<Cover>& covers);

/// The windows of adaptive pooling: window o of n on an axis of extent m covers the places from
/// floor(o * m / n) to ceil((o + 1) * m / n).
std::vector<Cover> adaptive_covers(std::int64_t extent, std::int64_t count);

/// Refuses trailing axes that are empty, or longer than any memory.
void check_plane(const Check& check, const TensorArgument& tensor, std::size_t axes);

}  // namespace pyaclnn::sim
