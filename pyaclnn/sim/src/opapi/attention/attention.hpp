// Attention of queries to keys, and the values it weighs.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// out[b, n, i] = sum over j of softmax_j(scale query[b, n, i] . key[b, m, j] + bias[b, n, i, j])
/// value[b, m, j], where heads n share the head m of keys and values in equal groups.
struct Attention {
  View query;                // [batch, heads, rows, depth]
  View key;                  // [batch, key heads, columns, depth]
  View value;                // [batch, key heads, columns, value depth]
  View out;                  // [batch, heads, rows, value depth]
  std::optional<View> bias;  // [batch, heads, rows, columns]
  std::optional<View> mask;  // the same; columns that are not 0 are not seen
  std::optional<View> lse;   // [batch, heads, rows, 1]: logarithm of the sum of the powers of e
  float scale = 1.0f;
  /// How many columns each sample has.
  std::vector<std::int64_t> columns;
  /// Row i sees the columns up to i + offset only, where there is one for each sample.
  std::vector<std::int64_t> causal_offset;
  /// What a row gives that sees nothing: 0, or otherwise the mean of all values.
  bool gives_zero_unseen = false;
};

void launch_attention(Plan& plan, Attention attention);

}  // namespace pyaclnn::sim
