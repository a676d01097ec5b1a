// Slices of a tensor, chosen by their numbers along one dimension.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Refuses a dimension, an index of more than one dimension and an output that do not fit.
std::size_t check_index_select(const Check& check, const TensorArgument& self, std::int64_t dim,
                               const TensorArgument& index, const TensorArgument& out);

/// out[..., i, ...] = self[..., index[i], ...] along `axis`. A number that is out of range, which
/// CANN leaves undefined, gives zeros; nothing outside self is read.
void index_select(Plan& plan, const TensorArgument& self, std::size_t axis,
                  const TensorArgument& index, const TensorArgument& out);

}  // namespace pyaclnn::sim
