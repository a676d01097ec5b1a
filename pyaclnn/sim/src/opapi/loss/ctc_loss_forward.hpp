// The connectionist temporal classification loss, whose gradient is in ctc_loss.cpp.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

struct CtcLoss {
  const TensorArgument& log_probs;  // [time, batch, classes] or [time, classes]
  const TensorArgument& targets;    // [batch, labels], or all labels one after another
  const std::vector<std::int64_t>& input_lengths;  // one for each sample
  const std::vector<std::int64_t>& target_lengths;
  std::int64_t blank;
  bool zero_infinity;
  const TensorArgument& neg_log_likelihood;  // [batch] or one number
  const TensorArgument& log_alpha;           // [batch, time, states]
};

/// The logarithm of the probability of all beginnings of alignments, and of all alignments.
void ctc_loss(const Check& check, Plan& plan, const CtcLoss& call);

}  // namespace pyaclnn::sim
