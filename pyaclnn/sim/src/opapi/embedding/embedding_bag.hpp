// Rows of a table, looked up in bags or made no longer than a limit.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// What aclnnEmbeddingBag is given besides outputs.
struct Bags {
  const TensorArgument& weight;
  const TensorArgument& indices;
  const TensorArgument& offsets;
  const TensorArgument& factors;  // perSampleWeights; need not be given
  std::int64_t mode;              // 0: sums, 1: means, any other: the largest
  bool include_last;
  std::int64_t padding;

  std::int64_t count() const { return offsets.elements() - (include_last ? 1 : 0); }
  bool largest() const { return mode != 0 && mode != 1; }
};

void check_bags(const Check& check, const Bags& bags, const TensorArgument& output,
                const TensorArgument& bag_of, const TensorArgument& sizes,
                const TensorArgument& places);
/// A number that weight does not have, or a bag that ends behind indices, ends the task with
/// 507015.
void embedding_bag(Plan& plan, const Bags& bags, const TensorArgument& output,
                   const TensorArgument& bag_of, const TensorArgument& sizes,
                   const TensorArgument& places);

}  // namespace pyaclnn::sim
