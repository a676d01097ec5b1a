// Losses of rows of class scores: margins between classes, and cross entropies of given
// probabilities or of a part of the classes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// A device's part of the classes, [start, end), and the largest score of all of them.
struct PartialCrossEntropy {
  const TensorArgument& logits;
  const TensorArgument& target;
  const TensorArgument& largest;
  std::int64_t start;
  std::int64_t end;
  const TensorArgument& predicted;  // logits[target] - largest, 0 where that is another device's
  const TensorArgument& sum_exp;
  const TensorArgument& exp;            // of logits - largest
  const TensorArgument& target_offset;  // target - start, or 0
  const TensorArgument& target_mask;    // 1 where the target is another device's
};
void partial_cross_entropy(const Check& check, Plan& plan, const PartialCrossEntropy& call);

}  // namespace pyaclnn::sim
