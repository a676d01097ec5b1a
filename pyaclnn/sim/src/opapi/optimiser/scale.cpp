// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstring>

#include "opapi/optimiser/optimisers.hpp"
#include "parameters/AmpUpdateScale.hpp"

namespace pyaclnn::sim {

/// The factor that losses are multiplied by, after a step: backed off where a gradient was not
/// finite, grown after `growthInterval` steps where none was and the new one is finite.
void update_scale(const Check&, Plan& plan, const AmpUpdateScaleParameters& given) {
  const RowMajor scale_at(plan.reads(given.currentScale)), found_at(plan.reads(given.foundInf));
  const RowMajor new_scale_at(plan.writes(given.updatedScale));
  const View tracker_at = plan.reads(given.growthTracker);
  const View new_tracker_at = plan.writes(given.updatedGrowthTracker);
  const auto growth = float(given.growthFactor), backoff = float(given.backoffFactor);
  const std::int64_t interval = given.growthInterval;
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
