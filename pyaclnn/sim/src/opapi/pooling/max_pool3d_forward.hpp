// Max pooling of volumes, and its inverse: checks in CANN's order, and plans.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

void adaptive_max_pool3d(const Check& check, Plan& plan, const TensorArgument& self,
                         const IntArrayIn& size, const TensorArgument& out,
                         const TensorArgument& indices);

/// out[indices] = self in every channel, 0 elsewhere.
void max_unpool2d(const Check& check, Plan& plan, const TensorArgument& self,
                  const TensorArgument& indices, const IntArrayIn& size, const TensorArgument& out);
void max_unpool3d(const Check& check, Plan& plan, const TensorArgument& self,
                  const TensorArgument& indices, const IntArrayIn& size, const IntArrayIn& stride,
                  const IntArrayIn& padding, const TensorArgument& out);

}  // namespace pyaclnn::sim
