// What the operators of attention to chosen keys have in common: lengths and layouts, checks of
// shapes, and their results.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opapi/attention/attention_gradients.hpp"
#include "opapi/attention/layouts.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

constexpr std::int64_t kMostTokens = std::int64_t(1) << 30;  // more than any sequence has
constexpr std::int64_t kEndless = 2147483647;                // of tokens that are no limit

inline const DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};

using Lengths = std::vector<std::int64_t>;
using Sequences = std::vector<AttentionSequence>;
/// How an operator refuses what its kernel refuses.
using Demand = void (*)(const Plan&, bool, const char*, ...);

/// Lengths of sequences, which may be given as their running sums.
Lengths lengths_of(const Lengths& given, bool are_sums);

/// A sequence for each pair of lengths: a batch of its own, or behind another in one.
Sequences sequences_of(const Lengths& rows, const Lengths& columns, bool has_packed_rows,
                       bool has_packed_columns);

/// Rows, or columns, from that behind the last on.
std::int64_t end_of(const Sequences& sequences, bool of_columns);

/// What stands in the sequences is in the tensors.
void check_fits(const Plan& plan, Demand demand, const Attention& attention);

/// Bands end with the last column.
void see_right_down(Sequences& sequences);

/// A tensor by heads, contiguous when it is read.
View staged_heads(Plan& plan, const TensorArgument& tensor, const std::string& layout,
                  std::int64_t heads = 0);

/// What the kernel gives for `out`, by heads.
View laid_out_result(Plan& plan, aclDataType dtype, const Dims& shape, const TensorArgument& out,
                     const std::string& layout);

/// Ranks, heads and depths of queries, keys and values fit one another, and the rank is that of
/// the layout.
void check_operands(const Plan& plan, Demand demand, const TensorArgument& query,
                    const TensorArgument& key, const TensorArgument& value,
                    const std::string& layout);

/// The shape of the query with the depth of values.
Dims attended_shape(const TensorArgument& query, std::int64_t value_depth);

/// Gradients that the backward pass does not reach are 0.
void plan_gradients(Plan& plan, AttentionGradients& gradients, const TensorArgument& query,
                    const TensorArgument& key, const TensorArgument& value,
                    const TensorArgument& dq, const TensorArgument& dk, const TensorArgument& dv,
                    const std::string& layout);

}  // namespace pyaclnn::sim
