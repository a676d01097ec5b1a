// Batch normalisation over several devices: sums of each, and the statistics of all.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Sums and sums of squares of each channel.
void batch_norm_reduce(const Check& check, Plan& plan, const TensorArgument& x,
                       const TensorArgument& sum, const TensorArgument& square_sum);

}  // namespace pyaclnn::sim
