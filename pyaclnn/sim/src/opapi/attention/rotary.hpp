// Rotary position embedding: pairs of values turned by the angle of their place.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// out = x cos + turned(x) sin along the last axis; cos and sin broadcast to x. The mode says which
/// values are pairs: halves, neighbours, halves of halves, neighbours sorted into halves.
void rotary_position_embedding(const Check& check, Plan& plan, const TensorArgument& x,
                               const TensorArgument& cos, const TensorArgument& sin,
                               std::int64_t mode, const TensorArgument& out);

/// Turns the halves of query and key, [batch, length, heads, 128], in place.
void apply_rotary_pos_emb(const Check& check, Plan& plan, const TensorArgument& query,
                          const TensorArgument& key, const TensorArgument& cos,
                          const TensorArgument& sin, std::int64_t layout);

}  // namespace pyaclnn::sim
