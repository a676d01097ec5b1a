// Operators with a mask: choosing, filling, and listing what is not zero.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// out = the elements of self where mask is not zero, one behind the other; both broadcast. The
/// shape of out after the run says how many there are.
void masked_select(const Check& check, Plan& plan, const TensorArgument& self,
                   const TensorArgument& mask, const TensorArgument& out);

/// self = the elements of source in their order, where mask is not zero. Ends the task with 507015
/// where there are not enough of them.
void masked_scatter(Plan& plan, const TensorArgument& self, const TensorArgument& mask,
                    const TensorArgument& source);

/// out = the places of the elements that are not zero: a row each, or a column if `columns`. `out`
/// may have any shape; where it has no room for what is found, the task ends with 507015.
void nonzero(const Check& check, Plan& plan, const TensorArgument& self, const TensorArgument& out,
             bool columns);

/// self = value where mask is true; a number, or a tensor of one element.
void masked_fill(Plan& plan, const TensorArgument& self, const TensorArgument& mask,
                 const ScalarIn& value);
void masked_fill(Plan& plan, const TensorArgument& self, const TensorArgument& mask,
                 const TensorArgument& value);

/// out = self where condition is true, other elsewhere, in the type these have in common.
void where(const Check& check, Plan& plan, const TensorArgument& condition,
           const TensorArgument& self, const TensorArgument& other, const TensorArgument& out);

/// Refuses an output whose shape is found by the kernel and that is not contiguous: CANN's kernel
/// writes it as if it were.
void check_filled_in_order(const Check& check, const TensorArgument& out);

}  // namespace pyaclnn::sim
