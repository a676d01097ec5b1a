// Index tensors of bools among several, as x[mask] in Python: how many places they choose is known
// to the kernel only.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Whether any of the tensors is of bools; those without elements stand for whole dimensions.
bool has_masks(const TensorListIn& indices);

/// Refuses masks, and what stands beside them, that have not the extents of self, in turn.
void check_mask_shapes(const Check& check, const TensorArgument& self, const TensorListIn& indices);

void index_by_masks(Plan& plan, const TensorArgument& self, const TensorListIn& indices,
                    const TensorArgument& out);

/// self[indices] = values, or += values; these broadcast.
void index_put_by_masks(Plan& plan, const TensorArgument& self, const TensorListIn& indices,
                        const TensorArgument& values, bool accumulate);

}  // namespace pyaclnn::sim
