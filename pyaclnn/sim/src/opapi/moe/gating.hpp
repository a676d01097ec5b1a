// Gates of mixtures of experts: which experts see a token, and how much each of them counts.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// What is made of a token's logits.
enum class Score {
  kSoftmax,
  kSoftmaxOfChosen,  // the experts are chosen by their logits
  kSigmoid,
};

struct Gate {
  const TensorArgument& x;  // [..., experts]
  Score score;
  std::int64_t k;
  // Experts are in so many groups, of which some are chosen first: by the sum of their best ones.
  std::int64_t groups = 1;
  std::int64_t chosen_groups = 1;
  std::int64_t best_of_group = 1;
  bool divides_by_sum = false;
  float eps = 0;
  float factor = 1;
  /// Whether experts of other groups count as zeros where experts are chosen, not as none.
  bool keeps_zeros = false;
  // Each of these may be left out: null or not given.
  const TensorArgument* bias = nullptr;      // [experts], added where experts are chosen
  const TensorArgument* finished = nullptr;  // [...], whose experts are none
  const TensorArgument* weights = nullptr;   // [..., k]
  const TensorArgument* experts = nullptr;   // [..., k]
  const TensorArgument* rows = nullptr;      // [..., k], a token's places in a table [k, tokens]
  const TensorArgument* scores = nullptr;    // like x
  // Names of each expert, and how many it has: tokens take them in turn.
  const TensorArgument* map = nullptr;         // [experts, names]
  const TensorArgument* map_counts = nullptr;  // [experts]
};

/// Chooses k experts for each token, the best first, and of equal ones that with the lower number.
/// Refuses shapes that do not fit, and a k that is not from 1 to `most`.
void gate(Plan& plan, const Gate& gate, std::int64_t most);

/// The gradient of a gate of sigmoids that divides by the sum: dx[i, j] = s (1 - s) dw[i, j], where
/// dw[i, e_p] = (factor dy[i, p] - sum_q w_q factor dy[i, q]) / (sum_q s_q + eps).
void gate_backward(Plan& plan, const TensorArgument& scores, const TensorArgument& grad,
                   const TensorArgument& experts, float factor, float eps,
                   const TensorArgument& out);

}  // namespace pyaclnn::sim
