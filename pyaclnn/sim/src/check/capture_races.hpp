// Hazards inside a graph: captured work of different streams that no captured event orders.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/access_history.hpp"
#include "core/export.hpp"

namespace pyaclnn::sim {

class SIM_API CaptureRaces {
 public:
  /// Takes note of work that is captured. `seen` is a vector clock, whose timelines are branches.
  void work(const Actor& stream, const AccessList& accesses, std::size_t branch,
            const std::vector<std::uint64_t>& seen);

  /// What was found first; empty where nothing was.
  const std::string& first_hazard() const { return first_hazard_; }

 private:
  AccessHistory history_;
  std::vector<VectorClock> excused_;  // what each branch is taken to have waited for
  std::string first_hazard_;
};

}  // namespace pyaclnn::sim
