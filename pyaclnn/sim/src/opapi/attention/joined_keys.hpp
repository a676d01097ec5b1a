// Keys or values that lie in several tensors: one for each sample, or a beginning that samples
// share and the rest of each.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

struct KeyParts {
  /// [1, heads, rows, depth] of each sample, or one of all samples.
  std::vector<View> samples;
  /// [batch, heads, rows, depth], or without rows; of one that all share, samples lie in one
  /// place.
  View prefix;
  std::int64_t batch;

  /// Rows of the longest sample, with those that are shared.
  std::int64_t rows() const;
};

/// Plans them into memory of their own, [batch, heads, rows, depth]: numbers of 4 bits as of 8.
View launch_joined(Plan& plan, const char* name, const KeyParts& parts);

}  // namespace pyaclnn::sim
