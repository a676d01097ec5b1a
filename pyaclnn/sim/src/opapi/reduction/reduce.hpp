// Sums, products, extrema and the like over any axes of a tensor.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"
#include "opapi/common/reduction_walk.hpp"

namespace pyaclnn::sim {

enum class Reduce { kSum, kMean, kProduct, kMaximum, kMinimum, kAll, kAny, kArgMax, kArgMin };

/// Plans out = reduce(in), computed in `compute`; `out` has as many elements as are left, in
/// row-major order. float32 sums go through double precision, in blocks, combined in the same order
/// whatever the number of threads. NaN beats every number; of equal extrema the first counts.
void launch_reduction(Plan& plan, Reduce kind, aclDataType compute, const View& out, const View& in,
                      AxisMask axes);

/// What extrema are compared as.
inline aclDataType ordered_type(aclDataType dtype) { return dtype == ACL_BOOL ? ACL_FLOAT : dtype; }

/// The whole of an operator's second half: workspace, the copy to `out`, the kernel.
void reduce(Plan& plan, Reduce kind, aclDataType compute, aclDataType gives,
            const TensorArgument& in, const TensorArgument& out, AxisMask axes, bool keep);

}  // namespace pyaclnn::sim
