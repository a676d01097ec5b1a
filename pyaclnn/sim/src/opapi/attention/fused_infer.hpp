// Attention for inference as FusedInferAttentionScore has it: what is simulated of it, and what is
// refused by name.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

struct FusedInfer {
  const TensorArgument& query;
  const TensorListIn& key;
  const TensorListIn& value;
  const TensorArgument& pse_shift;
  const TensorArgument& mask;
  const IntArrayIn& lengths;
  const IntArrayIn& key_lengths;
  std::int64_t heads;
  double scale;
  std::int64_t before;
  std::int64_t behind;
  const Text& layout;
  std::int64_t key_heads;
  std::int64_t sparse_mode;
  std::int64_t inner_precise;
  bool wants_lse;
  const TensorArgument& out;
  const TensorArgument& lse;
};

/// Refuses tensors that a part of the operator would need that is not simulated.
void check_not_given(const Plan& plan, std::initializer_list<const TensorArgument*> tensors);

void fused_infer_attention(const Check& check, Plan& plan, const FusedInfer& call);

}  // namespace pyaclnn::sim
