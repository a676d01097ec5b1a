// BatchedView addressed by index: an index counts the elements of a plane in row-major order.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Plans out[index[i]] += values[i] in every plane, from zero, in float32. The last `trailing` axes
/// are the planes. `index` is the view of the indices, which has the shape of `values`; an index
/// outside the plane of `out` adds to nothing.
void launch_scatter_sums(Plan& plan, const TensorArgument& values, const View& index,
                         const TensorArgument& out, std::size_t trailing);

/// Plans out[index[i]] = values[i] in every plane, 0 elsewhere; of several values for a place the
/// last one stays. Both have one element type.
void launch_scatter(Plan& plan, const TensorArgument& values, const TensorArgument& index,
                    const TensorArgument& out, std::size_t trailing);

/// Plans out[i] = values[index[i]] in every plane. An index outside the plane gives 0. Where the
/// element types differ, values are converted as C++ does, integers modulo their range.
void launch_gather(Plan& plan, const TensorArgument& values, const TensorArgument& index,
                   const TensorArgument& out, std::size_t trailing);

}  // namespace pyaclnn::sim
