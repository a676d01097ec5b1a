// Attention of operands of 8 bits, whose weights have 8 bits as well.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Views are [batch, heads, rows, depth], of as many heads of queries as of keys.
struct NarrowAttention {
  View query;
  View key;
  View value;
  View query_scale;   // of float32, [batch, heads, blocks of 128 rows, 1]
  View key_scale;     // [batch, heads, blocks of 256 columns, 1]
  View value_scale;   // [batch, heads, blocks of 512 columns, 1]
  View weight_scale;  // one number: weights are as large before they have 8 bits
  View out;
  View maximum;  // [batch, heads, rows, 1], less the logarithm of the weights' scale
  View sum;
  float scale = 1.0f;
};

void launch_narrow_attention(Plan& plan, NarrowAttention attention);

}  // namespace pyaclnn::sim
