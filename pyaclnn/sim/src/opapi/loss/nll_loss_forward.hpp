// The negative log likelihood of classes, whose gradient is in nll_loss.cpp.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Refuses shapes that do not fit: self [N, C] or [C], target [N] or [], weight [C], out [N] or
/// one.
void check_nll_loss(const Check& check, const TensorArgument& self, const TensorArgument& target,
                    const TensorArgument& weight, std::int64_t reduction, const TensorArgument& out,
                    const TensorArgument& total_weight);

}  // namespace pyaclnn::sim
