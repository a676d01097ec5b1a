// Transport plans between two uniform distributions, by Sinkhorn's iteration.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Plans p = d0 exp(cost) d1, with factors of rows and columns that are made in turn until those of
/// the columns change by `tolerance` at most, in the mean.
void sinkhorn(Plan& plan, const TensorArgument& cost, const ScalarIn& tol, const TensorArgument& p);

}  // namespace pyaclnn::sim
