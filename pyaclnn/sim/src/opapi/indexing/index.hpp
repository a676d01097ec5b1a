// Several index tensors at once, as x[i, :, j] in Python.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// The shape of self[indices]: tensors without elements stand for whole dimensions. Refuses indices
/// that do not broadcast, or more of them than there are dimensions.
Dims indexed_shape(const Check& check, const TensorArgument& self, const TensorListIn& indices);

/// Whether all index tensors are without elements: then nothing is chosen.
bool chooses_nothing(const TensorListIn& indices);

/// Whether CANN brings the chosen dimensions to the front, where they lie behind whole ones before
/// short rows, and its result back: a result of another shape than `out` cannot be copied there.
bool chooses_transposed(const TensorArgument& self, const TensorListIn& indices);

void index(const Check& check, Plan& plan, const TensorArgument& self, const TensorListIn& indices,
           const TensorArgument& out);

}  // namespace pyaclnn::sim
