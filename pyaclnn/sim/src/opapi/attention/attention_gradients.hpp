// The gradients of attention, from the statistics that it left, in one pass over its tiles.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "opapi/attention/attention.hpp"

namespace pyaclnn::sim {

/// The gradients of `forward`, whose `out`, `maximum` and `sum` are read; without a sum `lse`.
struct AttentionGradients {
  Attention forward;
  View grad;  // of out
  // As what they belong to.
  View query;
  View key;
  View value;
  std::optional<View> query_rope;
  std::optional<View> key_rope;
  std::optional<View> sink;
};

void launch_attention_gradients(Plan& plan, AttentionGradients gradients);

/// The same, for kernels that know their sequences only then.
void run_attention_gradients(const AttentionGradients& gradients, const KernelMemory& memory);

}  // namespace pyaclnn::sim
