// Gradients of resizing: out[i] = the sum of weight(i, o) * grad[o] over the elements o of the
// gradient that element i was copied or interpolated to.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/resample/resize.hpp"

namespace pyaclnn::sim {

/// Some kernels heed scales; the others demand that `out` has the shape inputSize.
void nearest1d_gradient(const Check& check, Plan& plan, const ResizeCall& call);
void nearest2d_gradient(const Check& check, Plan& plan, const ResizeCall& call);

/// By the scales above 0; `exact` counts elements from their middles.
void nearest_gradient(Plan& plan, const ResizeCall& call, bool exact);

/// The scales of volumes, which count only where all are above 0; else zeros.
std::vector<double> all_or_none(const std::vector<double>& scales);

void linear1d_gradient(const Check& check, Plan& plan, const ResizeCall& call);

/// bfloat16 is copied on every chip, and resized on the 950, which also casts float32.
void check_bilinear2d_dtypes(const Check& check, const TensorArgument& grad, const Resize& sizes,
                             const TensorArgument& out);
/// The scales count on the 950 series only.
void bilinear2d_gradient(Plan& plan, const ResizeCall& call);
void bilinear2d_v2_gradient(Plan& plan, const ResizeCall& call);

/// An axis that keeps its size is copied.
void trilinear3d_gradient(Plan& plan, const ResizeCall& call);

void bicubic2d_gradient(Plan& plan, const ResizeCall& call);

/// The weights are those of a filter that widens where an image was made smaller.
void antialias_gradient(Plan& plan, const ResizeCall& call, Filter filter, ComputeIn compute);

}  // namespace pyaclnn::sim
