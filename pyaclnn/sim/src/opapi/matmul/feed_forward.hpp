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
  // Of quantised networks, whose numbers are int8 on either side of a product ...
  const TensorArgument& scale;
  const TensorArgument& offset;
  const TensorArgument& deq_scale1;
  const TensorArgument& deq_scale2;
  // ... and of those that have quantised weights only.
  const TensorArgument& anti_scale1;
  const TensorArgument& anti_scale2;
  const TensorArgument& anti_offset1;
  const TensorArgument& anti_offset2;
  std::int64_t inner_precise;
  const TensorArgument& y;

  bool is_quantised() const { return x.dtype() == ACL_INT8; }
  bool has_quantised_weights() const {
    return !is_quantised() && (weight1.dtype() == ACL_INT8 || weight1.dtype() == ACL_INT4);
  }
};

/// What is between the products; gated ones multiply the left half by that of the right half.
struct Activation {
  const PointwiseFormula* formula;
  bool is_gated;
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

/// Refuses names of no activation, and null.
Activation activation_of(const Check& check, const ConstText& name);

/// Refuses scales of the results of the two products that are of two types.
void check_deq_scales(const Check& check, const TensorArgument& first,
                      const TensorArgument& second);

void check_feed_forward(const Check& check, const FeedForward& network, const Experts& experts,
                        const Activation& activation);

/// y = activation(x weight1 + bias1) weight2 + bias2
void feed_forward(Plan& plan, const FeedForward& network, const Experts& experts,
                  const Activation& activation);

}  // namespace pyaclnn::sim
