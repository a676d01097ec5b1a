// Vector clocks: what has certainly happened, as ticks of each timeline.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pyaclnn::sim {

class VectorClock {
 public:
  VectorClock() = default;
  explicit VectorClock(std::vector<std::uint64_t> ticks) : ticks_(std::move(ticks)) {}

  std::uint64_t operator[](std::size_t timeline) const {
    return timeline < ticks_.size() ? ticks_[timeline] : 0;
  }
  /// Whether what `timeline` did at `tick` has happened.
  bool has_seen(std::size_t timeline, std::uint64_t tick) const {
    return tick <= (*this)[timeline];
  }

  void raise(std::size_t timeline, std::uint64_t tick) {
    if (timeline >= ticks_.size()) ticks_.resize(timeline + 1);
    ticks_[timeline] = std::max(ticks_[timeline], tick);
  }
  void join(const VectorClock& other) {
    if (ticks_.size() < other.ticks_.size()) ticks_.resize(other.ticks_.size());
    for (std::size_t i = 0; i < other.ticks_.size(); ++i)
      ticks_[i] = std::max(ticks_[i], other.ticks_[i]);
  }

 private:
  std::vector<std::uint64_t> ticks_;
};

}  // namespace pyaclnn::sim
