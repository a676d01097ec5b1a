// SPDX-License-Identifier: MIT
#include "opapi/copy/roll.hpp"

#include "opapi/common/flat.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/copy/runs.hpp"
#include "parameters/Roll.hpp"

namespace pyaclnn::sim {
namespace {

std::int64_t remainder_of(std::int64_t shift, std::int64_t extent) {
  const std::int64_t rest = shift % extent;
  return rest < 0 ? rest + extent : rest;
}

}  // namespace

void check_roll(const Check& check, const std::vector<std::int64_t>& shifts,
                const std::vector<std::int64_t>& dims) {
  check.that(dims.empty() ? shifts.size() == 1 : shifts.size() == dims.size(),
             "shifts has %zu numbers, dims %zu", shifts.size(), dims.size());
}

/// Refuses dimensions that x does not have, then plans.
void roll(const Check& check, Plan& plan, const RollParameters& given) {
  check.that(given.x.rank() > 0 || given.dims.values().empty(),
             "x is a scalar, dims names dimensions");
  std::vector<std::int64_t> moves(given.x.rank());
  for (std::size_t i = 0; i < given.dims.values().size(); ++i) {
    const std::size_t axis = check.dim_of(given.x, given.dims.values()[i]);
    const std::int64_t extent = given.x.shape()[axis];
    moves[axis] = (moves[axis] + remainder_of(given.shifts.values()[i], extent)) % extent;
  }
  plan.stage(given.x).contiguous().cast_to(
      given.x.dtype() == ACL_BOOL && given.x.rank() > 0 ? ACL_INT8 : given.x.dtype());
  plan.result(given.x.dtype(), given.out.shape()).copy_to(given.out);
  const View to = plan.writes(given.out);
  const View from = plan.reads(given.x);
  if (given.x.rank() == 0) return launch_cast(plan, to, from);
  if (given.dims.values().empty()) {
    const std::int64_t count = given.x.elements();
    const std::int64_t move = remainder_of(given.shifts.values()[0], count);
    launch_flat_copy(plan, to, move, from, 0, count - move);
    launch_flat_copy(plan, to, 0, from, count - move, move);
    return;
  }
  std::vector<AxisRuns> axes(given.x.rank());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t extent = given.x.shape()[i];
    if (moves[i] != 0) axes[i] = {{moves[i], extent - moves[i], 1}, {extent - moves[i], 0, 1}};
  }
  launch_runs(plan, to, from, axes);
}

}  // namespace pyaclnn::sim
