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

/// What MaxPool2dWithIndices and MaxPool2dWithMask have in common.
struct MaxPool2d {
  const TensorArgument& self;
  const IntArrayIn& kernel;
  const IntArrayIn& stride;
  const IntArrayIn& padding;
  const IntArrayIn& dilation;
  bool ceil_mode;
  const TensorArgument& out;
  const TensorArgument& indices;
};

/// indices[o] is the place of out[o] in its plane.
void max_pool2d_with_indices(const Check& check, Plan& plan, const MaxPool2d& call);

/// The same places as int32 at the start of a tensor of bytes, which has room for a bit mask.
void check_mask_kernel(const Check& check, const TensorArgument& self, const IntArrayIn& kernel,
                       const TensorArgument& out);
void max_pool2d_with_mask(const Check& check, Plan& plan, const MaxPool2d& call);

/// Without places; padding may differ from side to side.
struct MaxPool {
  const TensorArgument& self;
  const IntArrayIn& kernel;
  const IntArrayIn& strides;
  std::int64_t auto_pad;
  const IntArrayIn& pads;
  const IntArrayIn& dilations;
  bool ceil_mode;
  const TensorArgument& out;
};
void max_pool(const Check& check, Plan& plan, const MaxPool& call);

/// Window o of n on an axis of extent m goes from floor(o m / n) to ceil((o + 1) m / n).
void adaptive_max_pool2d(const Check& check, Plan& plan, const TensorArgument& self,
                         const std::vector<std::int64_t>& size, const TensorArgument& out,
                         const TensorArgument& indices);

}  // namespace pyaclnn::sim
