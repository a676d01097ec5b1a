// Windows along a row that are of one size and equally far apart: their largest elements are found
// for many of them at a time.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/pooling/max_window.hpp"

namespace pyaclnn::sim {

/// Those of an axis that are, one behind the other.
struct EvenWindows {
  std::int64_t first = 0;  // of the axis' windows
  std::int64_t last = 0;   // the one behind them; none is worth it where it is the first
  std::int64_t stride = 1;
  WindowRange window{0, 0};  // the first one

  EvenWindows() = default;
  explicit EvenWindows(const AxisWindows& windows);

  std::int64_t count() const { return last - first; }

  /// Takes elements of a line that starts at `line` for each window, if they are larger than the
  /// `largest` so far or NaN, and their places, counted from `place` at the begin of the line.
  void take(const float* line, std::int32_t place, float* largest, std::int32_t* places) const;
};

}  // namespace pyaclnn::sim
