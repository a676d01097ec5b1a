// Results of experts that are added up on the experts' server before they go to the token's.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/collective/experts.hpp"

namespace pyaclnn::sim {

constexpr std::int64_t kServerRanks = 8;  // of Atlas A2

/// Sums by token of sums by server. These are rounded to the rows' type, or narrowed to int8.
struct ServerSums {
  std::int64_t experts;  // of a server
  bool narrow;
  View ids, out;

  /// `weights` are those of the places that were found.
  void operator()(const KernelMemory& memory, const std::vector<ExpertRow>& found,
                  const std::vector<float>& weights) const;
};

}  // namespace pyaclnn::sim
