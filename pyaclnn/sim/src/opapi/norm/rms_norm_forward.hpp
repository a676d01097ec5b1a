// RMS normalisation, alone and behind an addition.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Since CANN 9.0 rstd may be left out, and then xOut too.
void check_add_rms_norm(const Check& check, const TensorArgument& x1, const TensorArgument& x2,
                        const TensorArgument& gamma, const TensorArgument& y,
                        const TensorArgument& rstd, const TensorArgument& x);
void add_rms_norm(Plan& plan, const TensorArgument& x1, const TensorArgument& x2,
                  const TensorArgument& gamma, double epsilon, const TensorArgument& y,
                  const TensorArgument& rstd, const TensorArgument& x);

}  // namespace pyaclnn::sim
