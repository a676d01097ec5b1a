// How often numbers occur.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// aclnnBincount: the sum of the weights of each number from 0 on, 1 for each where there are none.
/// Numbers beyond the end of out are not counted; a negative one ends the task with 507015.
void bincount(const Check& check, Plan& plan, const TensorArgument& self,
              const TensorArgument& weights, std::int64_t least, const TensorArgument& out);

/// aclnnHistc: refuses a range that is none. One of equal ends stands for that of the elements.
void check_histogram(const Check& check, const TensorArgument& self, std::int64_t bins,
                     const ScalarIn& least, const ScalarIn& most, const TensorArgument& out);
void histogram(Plan& plan, const TensorArgument& self, const ScalarIn& least, const ScalarIn& most,
               const TensorArgument& out);

}  // namespace pyaclnn::sim
