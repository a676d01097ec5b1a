// The largest element of each window, and its place.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Where one window lies on an axis: begin, begin + step, ... below end.
struct WindowRange {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t step = 1;
};
/// The windows along one axis.
using AxisWindows = std::vector<WindowRange>;

/// Plans out[o] = the largest in[i] of window o in every plane, and index[o] = i, counted in
/// row-major order of the plane; of equal ones the first. A NaN is larger than everything. `axes`
/// are the windows of the trailing axes, one to three of them.
void launch_max_pool(Plan& plan, const View& in, const View& out, const std::optional<View>& index,
                     const std::vector<AxisWindows>& axes);

}  // namespace pyaclnn::sim
