// The different slices of a tensor along a dimension: of all, or of neighbours.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// How slices are compared and what is wanted of them besides themselves.
struct SliceOptions {
  bool flat = false;  // elements in row-major order in place of slices
  std::size_t axis = 0;
  bool neighbours = true;  // only these are compared; otherwise the slices are put in order
  bool inverse = false;
  bool counts = false;
};

/// The slices along `dim` that differ from their neighbours; a dim of 1000 is that of elements.
SliceOptions slices_or_elements(const Check& check, const TensorArgument& self, std::int64_t dim,
                                bool inverse, bool counts);

/// The slices along `dim`, put in order and counted.
SliceOptions slices_in_order(const Check& check, const TensorArgument& self, std::int64_t dim,
                             bool inverse);

/// Refuses outputs that are not contiguous.
void check_unique_slices(const Check& check, const TensorArgument& values,
                         const TensorArgument& inverse, const TensorArgument& counts,
                         const SliceOptions& options);

/// The different slices; for each one of self the place of its like, and how many there were. NaN
/// is like nothing. The kernel finds the shapes, and ends the task with 507018 where an output has
/// no room.
void unique_slices(Plan& plan, const TensorArgument& self, const TensorArgument& values,
                   const TensorArgument& inverse, const TensorArgument& counts,
                   const SliceOptions& options);

}  // namespace pyaclnn::sim
