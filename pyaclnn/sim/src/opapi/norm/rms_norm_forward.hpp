// RMS normalisation, alone and behind an addition.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// CANN generates this one from its kernel: shapes are refused where the work is divided.
void rms_norm(const Check& check, Plan& plan, const TensorArgument& x, const TensorArgument& gamma,
              double epsilon, const TensorArgument& y, const TensorArgument& rstd);

/// The same with 1 + gamma for gamma.
void gemma_rms_norm(const Check& check, Plan& plan, const TensorArgument& x,
                    const TensorArgument& gamma, double epsilon, const TensorArgument& y,
                    const TensorArgument& rstd);

/// x1 = normalised x1 + x2, and x2 = x1 + x2, in their places.
void inplace_add_rms_norm(const Check& check, Plan& plan, const TensorArgument& x1,
                          const TensorArgument& x2, const TensorArgument& gamma, double epsilon,
                          const TensorArgument& rstd);

/// y1 is y2 as float32.
void add_rms_norm_cast(const Check& check, Plan& plan, const TensorArgument& x1,
                       const TensorArgument& x2, const TensorArgument& gamma, double epsilon,
                       const TensorArgument& y1, const TensorArgument& y2,
                       const TensorArgument& rstd, const TensorArgument& x);

/// Since CANN 9.0 rstd may be left out, and then xOut too.
void check_add_rms_norm(const Check& check, const TensorArgument& x1, const TensorArgument& x2,
                        const TensorArgument& gamma, const TensorArgument& y,
                        const TensorArgument& rstd, const TensorArgument& x);
void add_rms_norm(Plan& plan, const TensorArgument& x1, const TensorArgument& x2,
                  const TensorArgument& gamma, double epsilon, const TensorArgument& y,
                  const TensorArgument& rstd, const TensorArgument& x);

}  // namespace pyaclnn::sim
