// Rotary position embedding: pairs of values turned by the angle of their place.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "opapi/common/arguments.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// out = x cos + turned(x) sin along the last axis; cos and sin broadcast to x. The mode says which
/// values are pairs: halves, neighbours, halves of halves, neighbours sorted into halves. With
/// `rotate`, if it is not null and given, turned(x) is the product of x and this matrix.
void rotary_position_embedding(Plan& plan, const TensorArgument& x, const TensorArgument& cos,
                               const TensorArgument& sin, std::int64_t mode,
                               const TensorArgument* rotate, const TensorArgument& out);

/// Turns query and key in place, as far as cos and sin reach: [batch, length, heads, depth] or as
/// the layout says.
void apply_rotary_pos_emb(const Check& check, Plan& plan, const TensorArgument& query,
                          const TensorArgument& key, const TensorArgument& cos,
                          const TensorArgument& sin, std::int64_t layout, const std::string& mode);

/// The mode that is given, or that of halves.
inline std::string half_unless(const Text& mode) { return mode.given() ? mode.text : "half"; }

}  // namespace pyaclnn::sim
