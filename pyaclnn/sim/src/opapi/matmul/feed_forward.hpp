// Feed-forward networks: two matrix products with an activation between, for one expert or several.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/pointwise/pointwise.hpp"

namespace pyaclnn::sim {

/// The parameters that the three versions of the operator have in common.
struct FeedForward {
  const TensorArgument& x;
  const TensorArgument& weight1;
  const TensorArgument& weight2;
  const TensorArgument& bias1;
  const TensorArgument& bias2;
  std::int64_t inner_precise;
  const TensorArgument& y;
};

/// Rows for each expert, who follow one another: known now, or in a tensor that the kernel reads.
struct Experts {
  std::vector<std::int64_t> counts;
  const TensorArgument* tensor = nullptr;
  bool are_ends = false;    // numbers are where an expert's rows end, not how many there are
  std::int64_t number = 0;  // 0: one for all rows, whose weights have no axis of their own

  bool given() const { return number > 0; }
};

/// Refuses numbers of rows that are negative or have another sum than x has rows.
Experts experts_of(const Check& check, const IntArrayIn& tokens, bool are_ends,
                   const TensorArgument& x);
Experts experts_of(const Check& check, const TensorArgument& tokens, bool are_ends);

/// The formula of an activation; refuses other names, and null.
const PointwiseFormula& activation_of(const Check& check, const ConstText& name);

/// Refuses arguments of quantised weights, which are not simulated.
template <class... Tensors>
void check_not_quantised(const Check& check, const Tensors&... tensors) {
  (check.that(!tensors.given(), "%s, of quantised networks, is not simulated", tensors.name()),
   ...);
}

void check_feed_forward(const Check& check, const FeedForward& network, const Experts& experts);

/// y = activation(x weight1 + bias1) weight2 + bias2
void feed_forward(Plan& plan, const FeedForward& network, const Experts& experts,
                  const PointwiseFormula& activation);

}  // namespace pyaclnn::sim
