// Gradient of the connectionist temporal classification loss.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

struct CtcLossGrad {
  const TensorArgument& grad;       // [batch]
  const TensorArgument& log_probs;  // [time, batch, classes]
  const TensorArgument& targets;    // [batch, labels], or all labels one after another
  const std::vector<std::int64_t>& input_lengths;
  const std::vector<std::int64_t>& target_lengths;
  const TensorArgument& neg_log_likelihood;  // [batch]
  const TensorArgument& log_alpha;           // [batch, time, 2 labels + 1]
  const TensorArgument& out;                 // as log_probs
  std::int64_t blank;
  bool zero_infinity;
};

void check_ctc_loss_gradient(const Check& check, const CtcLossGrad& arguments);

/// Refuses what the kernel of the narrow types has no room for.
void check_ctc_loss_size(const Check& check, const CtcLossGrad& arguments);

/// Plans out = (e^logProbs - e^(ab - logProbs + nll)) grad for the times below the input length,
/// else 0, where ab[t, c] is the logarithm of the summed probability of all alignments that are at
/// class c at time t. The backward probabilities are computed in double. Losses were not reduced:
/// every element of grad counts for its own sample. With zero_infinity one of infinite loss has the
/// gradient 0.
void ctc_loss_gradient(Plan& plan, const CtcLossGrad& arguments);

}  // namespace pyaclnn::sim
