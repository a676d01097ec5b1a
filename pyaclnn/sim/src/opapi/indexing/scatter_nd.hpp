// Numbers in tuples, each of which says a place along the first axes; and along the first one.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/indexing/chosen.hpp"

namespace pyaclnn::sim {

/// The shape of what tuples choose: theirs but the last axis, then the axes that they do not name.
/// They must have a dimension and be no longer than the table has dimensions.
Dims tuples_shape(const TensorArgument& table, const TensorArgument& indices);
/// Whether such a shape exists and is that of a tensor.
bool fits_tuples(const TensorArgument& table, const TensorArgument& indices,
                 const TensorArgument& other);
/// The same of numbers along the first axis: their shape, then the axes behind it.
bool fits_numbers(const TensorArgument& table, const TensorArgument& indices,
                  const TensorArgument& other);

/// 561103 where tuples of a list at least do not fit.
void check_tuples_inside(const Plan& plan, const TensorArgument& table,
                         const TensorArgument& indices, const TensorArgument& updates);

/// 561103 where a table has gaps that the kernel does not know: CANN 9.1 copies such a table, and
/// refuses to copy the result to that copy.
void check_gaps(const Plan& plan, const TensorArgument& table, const TensorArgument& indices);

/// out = data with slices at the tuples combined with updates; data and out may be one tensor.
void scatter_tuples(Plan& plan, const TensorArgument& data, const TensorArgument& indices,
                    const TensorArgument& updates, const TensorArgument& out, Combine combine,
                    bool ignores_outside = false);

/// TensorFlow's scatter_add and its like: slices at numbers along the first axis.
void scatter_first(Plan& plan, const TensorArgument& var, const TensorArgument& indices,
                   const TensorArgument& updates, Combine combine, bool ignores_outside = false);

}  // namespace pyaclnn::sim
