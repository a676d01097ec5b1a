// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstring>

#include "opapi/optimiser/optimisers.hpp"

namespace pyaclnn::sim {

void update_scale(Plan& plan, const TensorArgument& scale, const TensorArgument& tracker,
                  const TensorArgument& found, float growth, float backoff, std::int64_t interval,
                  const TensorArgument& new_scale, const TensorArgument& new_tracker) {
  const RowMajor scale_at(plan.reads(scale)), found_at(plan.reads(found));
  const RowMajor new_scale_at(plan.writes(new_scale));
  const View tracker_at = plan.reads(tracker), new_tracker_at = plan.writes(new_tracker);
  plan.launch([=](const KernelMemory& memory) {
    float now = RowMajorAccess(scale_at, memory).values().front();
    const bool finite = RowMajorAccess(found_at, memory).values().front() == 0.0f;
    std::int32_t steps = 0;
    std::memcpy(&steps, memory.operands[tracker_at.operand] + tracker_at.offset * 4, sizeof steps);
    // In 64 bits, for a tracker may be as large as it can be.
    std::int64_t after = finite ? std::int64_t(steps) + 1 : 0;
    if (!finite) {
      now *= backoff;
    } else if (after == interval) {
      after = 0;
      if (std::isfinite(now * growth)) now *= growth;
    }
    RowMajorAccess(new_scale_at, memory).write(0, 1, &now);
    const auto stored = static_cast<std::int32_t>(static_cast<std::uint32_t>(after));
    std::memcpy(memory.operands[new_tracker_at.operand] + new_tracker_at.offset * 4, &stored,
                sizeof stored);
  });
}

}  // namespace pyaclnn::sim
