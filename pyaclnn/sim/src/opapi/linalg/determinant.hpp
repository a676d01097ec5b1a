// Determinants of the matrices in a batch, by their logarithms.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Refuses matrices that are not square, and an output that has not one number for each.
void check_determinants(const Check& check, const TensorArgument& matrices,
                        const TensorArgument& out);

/// Plans sign = det / |det|, 0 of a singular matrix, and log = ln |det|.
void log_determinants(Plan& plan, const TensorArgument& matrices, const TensorArgument& sign,
                      const TensorArgument& log);

/// Plans log = ln det: NaN of a negative real one.
void log_determinants(Plan& plan, const TensorArgument& matrices, const TensorArgument& log);

}  // namespace pyaclnn::sim
