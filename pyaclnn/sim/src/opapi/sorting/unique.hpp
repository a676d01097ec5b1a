// The different elements of a tensor.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// What of the elements is wanted besides themselves.
struct UniqueOptions {
  bool inverse = false;
  bool counts = false;
};

/// Refuses outputs without room for all elements, or that are not contiguous. Where counts are
/// wanted, they have the shape of `values`.
void check_unique(const Check& check, const TensorArgument& self, const TensorArgument& values,
                  const TensorArgument* counts, UniqueOptions wanted);

/// The different elements in ascending order, of which NaN is none but itself; for each element of
/// self the place of its like, and how often each was there. Kernels find the shapes.
void unique(Plan& plan, const TensorArgument& self, const TensorArgument& values,
            const TensorArgument& inverse, const TensorArgument* counts, UniqueOptions wanted);

}  // namespace pyaclnn::sim
