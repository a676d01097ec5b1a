// Losses of rows of class scores: margins between classes, and cross entropies of given
// probabilities or of a part of the classes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// out = sum over the targets t, up to the first that is negative, and all other classes i of
/// max(0, 1 - self[t] + self[i]) / classes; is_target is 1 for the targets, else 0.
void multilabel_margin_loss(const Check& check, Plan& plan, const TensorArgument& self,
                            const TensorArgument& target, std::int64_t reduction,
                            const TensorArgument& out, const TensorArgument& is_target);

/// loss = -sum(labels log_softmax(features)) and backprop = softmax(features) - labels.
void softmax_cross_entropy(const Check& check, Plan& plan, const TensorArgument& features,
                           const TensorArgument& labels, const TensorArgument& loss,
                           const TensorArgument& backprop);

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
