// SPDX-License-Identifier: MIT
#include "opapi/copy/runs.hpp"

#include "opapi/copy/cast.hpp"

namespace pyaclnn::sim {
namespace {

void launch_from(Plan& plan, View out, View in, const std::vector<AxisRuns>& axes,
                 std::size_t axis) {
  while (axis < axes.size() && axes[axis].empty()) ++axis;
  if (axis == axes.size()) {
    if (out.shape.product() > 0) launch_cast(plan, out, in);
    return;
  }
  const View whole_out = out;
  const View whole_in = in;
  std::int64_t place = 0;
  for (const AxisRun& run : axes[axis]) {
    if (run.count <= 0) continue;
    out.offset = whole_out.offset + place * whole_out.strides[axis];
    in.offset = whole_in.offset + run.from * whole_in.strides[axis];
    in.strides.set(axis, whole_in.strides[axis] * run.step);
    out.shape.set(axis, run.count);
    in.shape.set(axis, run.count);
    launch_from(plan, out, in, axes, axis + 1);
    place += run.count;
  }
}

}  // namespace

void launch_runs(Plan& plan, const View& out, const View& in, const std::vector<AxisRuns>& axes) {
  launch_from(plan, out, in, axes, 0);
}

}  // namespace pyaclnn::sim
