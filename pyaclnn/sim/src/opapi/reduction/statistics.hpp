// Reductions that look at their elements more than once, or give more than one result.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/reduction/reduce.hpp"

namespace pyaclnn::sim {

enum class Statistic { kVariance, kDeviation, kMean, kLogSumExp, kLogSum };

/// The axes an array names that may be left out; all where it names none.
AxisMask optional_axes(const Check& check, const TensorArgument& self, const IntArrayIn& dims);

/// out = statistic of self over axes, in double precision. Of `count` elements a variance is the
/// sum of the squares of their distances from the mean over count - correction; where that is not
/// above 0 it is NaN of one element or none, else infinite.
void statistic(Plan& plan, Statistic kind, const TensorArgument& self, const TensorArgument& out,
               AxisMask axes, bool keep, std::int64_t correction = 0);

/// The extreme elements along an axis and where they are: the first of equal ones, or NaN.
void extremum_at(Plan& plan, bool largest, const TensorArgument& self, const TensorArgument& out,
                 const TensorArgument& indices, AxisMask axes, bool keep);

/// The smallest and the largest elements.
void both_extrema(Plan& plan, const TensorArgument& self, const TensorArgument& least,
                  const TensorArgument& most, AxisMask axes, bool keep);

/// The product, in the type of out; for bool whether all are true.
void product(Plan& plan, const TensorArgument& self, const TensorArgument& out, AxisMask axes,
             bool keep);

/// The sum of a matrix's diagonal.
void trace(Plan& plan, const TensorArgument& self, const TensorArgument& out);

}  // namespace pyaclnn::sim
