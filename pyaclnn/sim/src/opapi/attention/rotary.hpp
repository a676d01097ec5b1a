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

}  // namespace pyaclnn::sim
