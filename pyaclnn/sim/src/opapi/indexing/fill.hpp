// Slices of a tensor that become one number, and slices that are replaced or added to.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// out = self, with the slices at these numbers filled; below 0 they count from the end.
void check_fill_numbers(const Check& check, const TensorArgument& self, std::size_t axis,
                        const std::vector<std::int64_t>& numbers);
void fill_slices(Plan& plan, const TensorArgument& self, std::size_t axis,
                 const std::vector<std::int64_t>& numbers, const ScalarIn& value,
                 const TensorArgument& out);
void fill_slices(Plan& plan, const TensorArgument& self, std::size_t axis,
                 const TensorArgument& numbers, const ScalarIn& value, const TensorArgument& out);

/// aclnnIndexCopy: as many slices in source as there are numbers, of the shape of self's.
std::size_t check_index_copy(const Check& check, const TensorArgument& self, std::int64_t dim,
                             const TensorArgument& index, const TensorArgument& source,
                             const TensorArgument& out);
void copy_slices(Plan& plan, const TensorArgument& self, std::size_t axis,
                 const TensorArgument& index, const TensorArgument& source,
                 const TensorArgument& out);

}  // namespace pyaclnn::sim
