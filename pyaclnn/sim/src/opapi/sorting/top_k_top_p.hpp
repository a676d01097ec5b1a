// Logits that are no candidates are taken away.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// aclnnApplyTopKTopP: of each row those smaller than the k-th largest become -infinity, then those
/// whose probabilities, added up from the smallest on, do not exceed 1 - p; the largest stays. k
/// out of range ends the task with 507015. One of p and k need not be given.
void apply_top_k_top_p(Plan& plan, const TensorArgument& logits, const TensorArgument& p,
                       const TensorArgument& k, const TensorArgument& out);

}  // namespace pyaclnn::sim
