// SPDX-License-Identifier: MIT
#include "opapi/copy/roll.hpp"

#include "opapi/common/flat.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/copy/runs.hpp"

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

void roll(const Check& check, Plan& plan, const TensorArgument& x,
          const std::vector<std::int64_t>& shifts, const std::vector<std::int64_t>& dims,
          const TensorArgument& out) {
  check.that(x.rank() > 0 || dims.empty(), "x is a scalar, dims names dimensions");
  std::vector<std::int64_t> moves(x.rank());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::size_t axis = check.dim_of(x, dims[i]);
    const std::int64_t extent = x.shape()[axis];
    moves[axis] = (moves[axis] + remainder_of(shifts[i], extent)) % extent;
  }
  plan.stage(x).contiguous().cast_to(x.dtype() == ACL_BOOL && x.rank() > 0 ? ACL_INT8 : x.dtype());
  plan.result(x.dtype(), out.shape()).copy_to(out);
  const View to = plan.writes(out);
  const View from = plan.reads(x);
  if (x.rank() == 0) return launch_cast(plan, to, from);
  if (dims.empty()) {
    const std::int64_t count = x.elements();
    const std::int64_t move = remainder_of(shifts[0], count);
    launch_flat_copy(plan, to, move, from, 0, count - move);
    launch_flat_copy(plan, to, 0, from, count - move, move);
    return;
  }
  std::vector<AxisRuns> axes(x.rank());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t extent = x.shape()[i];
    if (moves[i] != 0) axes[i] = {{moves[i], extent - moves[i], 1}, {extent - moves[i], 0, 1}};
  }
  launch_runs(plan, to, from, axes);
}

}  // namespace pyaclnn::sim
