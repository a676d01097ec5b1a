// Products of groups of rows with a matrix for each group.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/blocks.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/product/groups.hpp"

namespace pyaclnn::sim {

/// Which axis the groups are on: none, where all lists have a tensor for each; rows of x; the inner
/// axis of the product.
enum GroupType : std::int64_t { kApart = -1, kRows = 0, kInner = 2 };

/// The parameters that all versions of the operator have in common.
struct GroupedProducts {
  const TensorListIn& x;
  const TensorListIn& weight;
  const TensorListIn& bias;
  const TensorListIn& scale;
  const TensorListIn& anti_scale;
  const TensorListIn& anti_offset;
  const TensorListIn& token_scale;
  const IntArrayIn* list;         // where groups end, known now
  const TensorArgument* numbers;  // or in a tensor that the kernel reads
  std::int64_t split_item;
  std::int64_t group_type;
  std::int64_t list_type;
  std::int64_t activation;
  const TensorListIn& out;
  bool named_nz = false;                 // the operator of weights in FRACTAL_NZ
  bool first = false;                    // the version whose weights of no groups lie as they are
  const TensorListIn* offset = nullptr;  // beside weights of int4: for a unit of a row's sum
};

/// Refuses (161001) a list that is null or empty, or has a null tensor.
void not_empty(const Check& check, const TensorListIn& list);

/// The kernel, behind the copies of those weights that lie in blocks, from one on.
Launch before_all(const std::vector<PlainOperand>& weights, Launch kernel, std::size_t first = 0);

/// y_i = activation((x_i weight_i + bias_i) scale_i token_scale_i)
void grouped_products(const Check& check, Plan& plan, const GroupedProducts& products);

/// The same of x of int8 or int4 and weights of int4, whose scales are words of 64 bits.
void grouped_int4_products(Plan& plan, const GroupedProducts& products);

/// out_i += x_i^T weight_i, groups of the inner axis, which is the first one of both.
void add_grouped_products(Plan& plan, const TensorArgument& x, const TensorArgument& weight,
                          const TensorArgument& numbers, std::int64_t list_type,
                          const TensorArgument& out);

}  // namespace pyaclnn::sim
