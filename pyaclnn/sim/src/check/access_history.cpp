// SPDX-License-Identifier: MIT
#include "check/access_history.hpp"

#include <algorithm>

namespace pyaclnn::sim {
namespace {

// Of a block of which ever new parts are touched, without a wait on the host, the oldest are lost.
constexpr std::size_t kMost = 4096;

bool covers(const Access& whole, const Access& part) {
  if (whole.kind->bytes.is_contiguous())
    return whole.begin <= part.begin && part.end() <= whole.end();
  return whole.begin == part.begin && whole.kind->bytes == part.kind->bytes;
}

bool conflict(const Access& a, const Access& b) {
  if (!a.kind->writes() && !b.kind->writes()) return false;
  return a.kind->bytes.meets(b.kind->bytes, std::int64_t(b.begin - a.begin));
}

template <class Drop>
void drop_if(std::vector<StampedAccess>& accesses, Drop&& drop) {
  accesses.erase(std::remove_if(accesses.begin(), accesses.end(), drop), accesses.end());
}

bool has_seen(const VectorClock& clock, const Stamp& stamp) {
  return clock.has_seen(stamp.timeline, stamp.tick);
}

}  // namespace

void AccessHistory::check(const AccessList& accesses, const Stamp& stamp, VectorClock& now,
                          Collisions& collisions) const {
  for (const Access& access : accesses) {
    auto block = blocks_.find(access.allocation);
    if (block == blocks_.end()) continue;
    // The latest first: whoever waits for it has waited for those before.
    for (std::size_t i = block->second.size(); i-- > 0;) {
      const StampedAccess& earlier = block->second[i];
      if (has_seen(now, earlier.stamp) || !conflict(earlier.access, access)) continue;
      collisions.push_back({earlier, {access, stamp}});
      now.raise(earlier.stamp.timeline, earlier.stamp.tick);
    }
  }
}

void AccessHistory::add(const AccessList& accesses, const Stamp& stamp, const VectorClock& now) {
  for (const Access& access : accesses) {
    if (access.allocation == 0) continue;
    std::vector<StampedAccess>& block = blocks_[access.allocation];
    drop_if(block, [&](const StampedAccess& earlier) {
      return (access.kind->writes() || !earlier.access.kind->writes()) &&
             has_seen(now, earlier.stamp) && covers(access, earlier.access);
    });
    if (block.size() == kMost) block.erase(block.begin(), block.begin() + kMost / 4);
    block.push_back({access, stamp});
  }
}

void AccessHistory::forget_past(const AccessList& accesses, const VectorClock& past) {
  for (const Access& access : accesses) {
    auto block = blocks_.find(access.allocation);
    if (block == blocks_.end()) continue;
    drop_if(block->second,
            [&](const StampedAccess& earlier) { return has_seen(past, earlier.stamp); });
  }
}

}  // namespace pyaclnn::sim
