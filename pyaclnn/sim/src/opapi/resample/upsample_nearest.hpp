// Resizing by the nearest element.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// A scale that is not above 0 does not count.
void upsample_nearest1d(const Check& check, Plan& plan, const TensorArgument& self,
                        const IntArrayIn& size, float scale, const TensorArgument& out);
void upsample_nearest2d_v2(const Check& check, Plan& plan, const TensorArgument& self,
                           const IntArrayIn& size, const std::array<float, 2>& scales,
                           const TensorArgument& out);

void upsample_nearest_exact2d(const Check& check, Plan& plan, const TensorArgument& self,
                              const IntArrayIn& size, const std::array<double, 2>& scales,
                              const TensorArgument& out);
void upsample_nearest_exact3d(const Check& check, Plan& plan, const TensorArgument& self,
                              const IntArrayIn& size, const std::array<double, 3>& scales,
                              const TensorArgument& out);

}  // namespace pyaclnn::sim
