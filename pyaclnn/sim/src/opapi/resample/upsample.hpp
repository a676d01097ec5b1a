// Resizing of images: nearest and bilinear.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

void upsample_nearest2d(const Check& check, Plan& plan, const TensorArgument& self,
                        const IntArrayIn& size, const TensorArgument& out);

/// Fails where one is null, with the inner code that CANN answers with.
void need_images(const Plan& plan, const TensorArgument& self, const TensorArgument& out);
void upsample_nearest3d(const Check& check, Plan& plan, const TensorArgument& self,
                        const IntArrayIn& size, const std::array<double, 3>& scales,
                        const TensorArgument& out);

}  // namespace pyaclnn::sim
