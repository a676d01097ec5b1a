// Sums of neighbours: of stretches of a row, exponentiated, and of what an element was repeated to.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Refuses what is no batch of rows, and an output that has not a matrix for each row.
void check_exp_segsum(const Check& check, const TensorArgument& self, const TensorArgument& out);

/// Plans out[i, j] = exp(the sum of self[j + 1 .. i]) for j <= i, else 0.
void exp_segsum(Plan& plan, const TensorArgument& self, const TensorArgument& out);

/// Refuses, where the work is divided, repeats and an axis that have no such sums; returns the
/// axis.
std::size_t check_repeats(const Plan& plan, const TensorArgument& grad,
                          const TensorArgument& repeats, std::int64_t axis,
                          const TensorArgument& out);

/// Plans out = the sums of as many neighbours along `axis` as `repeats` says; one number of them
/// is for all, and follows from the shapes.
void sum_repeats(Plan& plan, const TensorArgument& grad, const TensorArgument& repeats,
                 std::size_t axis, const TensorArgument& out);

}  // namespace pyaclnn::sim
