// The points of an image, moved by a matrix: what a sampler at a grid is given.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

void affine_grid(const Check& check, Plan& plan, const TensorArgument& theta,
                 const IntArrayIn& size, bool align_corners, const TensorArgument& out);

}  // namespace pyaclnn::sim
