// Random numbers as threads of a grid draw them: each thread has a stream of its own, and takes the
// elements that lie as many apart as there are threads.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/random/random.hpp"

namespace pyaclnn::sim {

/// Integers from 0 to the largest up to which a type has all of them.
void fill_all_integers(Plan& plan, const TensorArgument& out, const Seeds& seeds);

/// Refuses, where the work is divided, a count that is not that of the elements.
void check_count(const Plan& plan, const TensorArgument& out, std::int64_t count);

/// Numbers of an exponential distribution: minus the logarithm of (0, 1], over `rate`.
void fill_exponential(Plan& plan, const TensorArgument& out, double rate, std::int64_t seed,
                      std::int64_t offset);

}  // namespace pyaclnn::sim
