// Results whose axes are put together from pieces of the operand's: padding, rolling, splitting.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// `count` places of a result's axis, which copy the places `from`, `from + step`, ... of an
/// input's.
struct AxisRun {
  std::int64_t count = 0;
  std::int64_t from = 0;
  std::int64_t step = 1;
};

/// The pieces of an axis, one behind the other.
using AxisRuns = std::vector<AxisRun>;

/// Plans a copy of every combination of pieces, between views of one element type with an axis at
/// least. There is a list for each axis; an empty one leaves the axis as it is. Places that no
/// piece covers are left alone.
void launch_runs(Plan& plan, const View& out, const View& in, const std::vector<AxisRuns>& axes);

}  // namespace pyaclnn::sim
