// Categories drawn by their weights.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/random/random.hpp"

namespace pyaclnn::sim {

/// Refuses weights, a number of samples and an output that do not fit.
void check_samples(const Check& check, const TensorArgument& weights, std::int64_t samples,
                   bool replacement, const TensorArgument& out);

/// For each row of weights so many categories: of each weight over an exponential number the
/// largest; with replacement, of more than one sample, where the same uniform numbers for all rows
/// lie among the sums of weights.
void sample_categories(Plan& plan, const TensorArgument& weights, std::int64_t samples,
                       bool replacement, const Seeds& seeds, const TensorArgument& out);

}  // namespace pyaclnn::sim
