// The cross entropy of classes, whose gradient is in cross_entropy.cpp.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

struct CrossEntropyArguments {
  const TensorArgument& input;
  const TensorArgument& target;
  const TensorArgument& weight;
  const Text& reduction;
  std::int64_t ignore_index;
  double smoothing;
  const TensorArgument& loss;
  const TensorArgument& log_prob;
  const TensorArgument& z_loss;
  const TensorArgument& z_lse;
};

/// logProb = log_softmax(input), and of each row that counts
///   -(1 - smoothing) w[t] logProb[t] - smoothing / C sum_c w[c] logProb[c],
/// their sum, or their sum over that of w[t]. Rows of `ignore_index` and, here, those whose target
/// is no class count as nothing. As CANN's kernels, it leaves both outputs of the z-loss as they
/// are.
void cross_entropy_loss(const Check& check, Plan& plan, const CrossEntropyArguments& arguments);

}  // namespace pyaclnn::sim
