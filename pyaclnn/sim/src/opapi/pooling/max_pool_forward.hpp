// Max pooling of images: checks in CANN's order, and plans.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/pooling/max_window.hpp"
#include "opapi/pooling/window.hpp"

namespace pyaclnn::sim {

/// The places inside of `self` of the windows along each of its last axes.
std::vector<AxisWindows> ranges_of(const TensorArgument& self, const Dims& pooled,
                                   const std::vector<Window>& windows);

/// Those of adaptive pooling to `pooled`, whose last `axes` extents say how many there are.
std::vector<AxisWindows> adaptive_ranges(const TensorArgument& self, const Dims& pooled,
                                         std::size_t axes);

/// Refuses what MaxPool2dWithMask has no kernel for.
void check_mask_kernel(const Check& check, const TensorArgument& self, const IntArrayIn& kernel,
                       const TensorArgument& out);

}  // namespace pyaclnn::sim
