// How often numbers occur.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// aclnnHistc: refuses a range that is none. One of equal ends stands for that of the elements.
void check_histogram(const Check& check, const TensorArgument& self, std::int64_t bins,
                     const ScalarIn& least, const ScalarIn& most, const TensorArgument& out);
}  // namespace pyaclnn::sim
