// SPDX-License-Identifier: MIT
#include "check/capture_races.hpp"

#include "check/hazard.hpp"
#include "check/races.hpp"

namespace pyaclnn::sim {

void CaptureRaces::work(const Actor& stream, const AccessList& accesses, std::size_t branch,
                        const std::vector<std::uint64_t>& seen) {
  if (excused_.size() <= branch) excused_.resize(branch + 1);
  VectorClock now(seen);
  now.join(excused_[branch]);
  AccessList captured = accesses;
  for (Access& access : captured) access.captured_on = stream.stream;
  Collisions collisions;
  const Stamp stamp{stream, branch, seen[branch]};
  history_.check(captured, stamp, now, collisions);
  history_.add(captured, stamp, now);
  excused_[branch] = now;
  for (const Collision& collision : collisions) {
    const Hazard hazard = races::describe(collision);
    races::note(hazard);
    if (first_hazard_.empty()) first_hazard_ = hazard.text;
  }
}

}  // namespace pyaclnn::sim
