// Windows of an image as columns, windows along an axis, regions of interest.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Windows over an image: two numbers each, height and width.
struct ColumnWindows {
  const IntArrayIn& image;
  const IntArrayIn& kernel;
  const IntArrayIn& dilation;
  const IntArrayIn& padding;
  const IntArrayIn& stride;
};

/// out[i * stride - padding + k * dilation] += grad[k, i] for every window i and its tap k.
void im2col_gradient(const Check& check, Plan& plan, const TensorArgument& grad,
                     const ColumnWindows& windows, const TensorArgument& out);

/// out[i * step + j] += grad[i, j] along an axis, for every window i and its element j.
void unfold_gradient(Plan& plan, const TensorArgument& grad, std::size_t axis, std::int64_t size,
                     std::int64_t step, const TensorArgument& out);

/// How the bins of a box are sampled.
struct RoiSampling {
  float scale;          // of the boxes' coordinates
  std::int64_t points;  // of a bin along each axis; 0: as many as it has elements, rounded up
  bool aligned;         // half an element from the edges
};

/// Each gradient is shared by the sampling points of its bin, and by the elements around each.
void roi_align_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& boxes,
                        const RoiSampling& sampling, const TensorArgument& out);

/// Means of the sampling points of each bin. `images` names the image of each of four numbers of a
/// box, where the boxes do not begin with it.
void roi_align(Plan& plan, const TensorArgument& self, const TensorArgument& boxes,
               const TensorArgument* images, const RoiSampling& sampling,
               const TensorArgument& out);

}  // namespace pyaclnn::sim
