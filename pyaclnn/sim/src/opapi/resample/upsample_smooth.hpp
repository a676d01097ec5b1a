// Resizing by interpolation: linear, cubic and with filters.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// `scales` are those of depth, height and width.
void upsample_trilinear3d(const Check& check, Plan& plan, const TensorArgument& self,
                          const IntArrayIn& size, bool align_corners,
                          const std::array<double, 3>& scales, const TensorArgument& out);

void upsample_bicubic2d(const Check& check, Plan& plan, const TensorArgument& self,
                        const IntArrayIn& size, bool align_corners,
                        const std::array<double, 2>& scales, const TensorArgument& out);

/// Filters that widen where an image is made smaller.
void upsample_bilinear2d_aa(const Check& check, Plan& plan, const TensorArgument& input,
                            const IntArrayIn& size, bool align_corners,
                            const std::array<double, 2>& scales, const TensorArgument& out);
void upsample_bicubic2d_aa(const Check& check, Plan& plan, const TensorArgument& x,
                           const IntArrayIn& size, bool align_corners,
                           const std::array<double, 2>& scales, const TensorArgument& out);

/// By factors, the first two of which belong to batch and channels and are not looked at.
void resize(const Check& check, Plan& plan, const TensorArgument& self,
            const std::vector<float>& scales, const std::string& mode, const TensorArgument& out);

}  // namespace pyaclnn::sim
