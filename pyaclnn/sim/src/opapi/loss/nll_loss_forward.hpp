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

/// out = -weight[t] self[n, t], its sum, or its sum over totalWeight, the sum of the weights.
/// Targets of `ignore_index` and, here, those that are no class count as nothing.
void nll_loss(Plan& plan, const TensorArgument& self, const TensorArgument& target,
              const TensorArgument& weight, std::int64_t reduction, std::int64_t ignore_index,
              const TensorArgument& out, const TensorArgument& total_weight);

/// The same of images: self [N, C, H, W], target [N, H, W].
void nll_loss2d(const Check& check, Plan& plan, const TensorArgument& self,
                const TensorArgument& target, const TensorArgument& weight, std::int64_t reduction,
                std::int64_t ignore_index, const TensorArgument& out,
                const TensorArgument& total_weight);

}  // namespace pyaclnn::sim
