// What touched memory lately.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "check/access.hpp"
#include "check/clock.hpp"

namespace pyaclnn::sim {

/// A tick of a timeline, and whose timeline it is.
struct Stamp {
  Actor actor;
  std::size_t timeline = 0;
  std::uint64_t tick = 0;
};

struct StampedAccess {
  Access access;
  Stamp stamp;
};

/// Two accesses that share bytes, of which one writes them, and that nothing orders.
struct Collision {
  StampedAccess earlier;
  StampedAccess later;
};

using Collisions = std::vector<Collision>;

/// The accesses to each allocation that later ones may still collide with.
class AccessHistory {
 public:
  /// Finds what accesses collide with, and takes each as ordered from then on, in `now` too: what a
  /// program forgot is said once, not again with all that follows from it.
  void check(const AccessList& accesses, const Stamp& stamp, VectorClock& now,
             Collisions& collisions) const;

  /// Remembers accesses that are at `now`. What a write covers and comes after is forgotten, as are
  /// such reads for a read: what collides with them collides with it as well.
  void add(const AccessList& accesses, const Stamp& stamp, const VectorClock& now);

  /// Forgets of these allocations what everything to come is after.
  void forget_past(const AccessList& accesses, const VectorClock& past);

  void forget_allocation(std::uint64_t allocation) { blocks_.erase(allocation); }
  void clear() { blocks_.clear(); }

 private:
  // In the order of submission.
  std::unordered_map<std::uint64_t, std::vector<StampedAccess>> blocks_;
};

}  // namespace pyaclnn::sim
