// Windows of an image as columns.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// out[c * taps + k, i] = self[c, i * stride - padding + k * dilation] for every window i and its
/// tap k, 0 in the padding.
void im2col(const Check& check, Plan& plan, const TensorArgument& self, const IntArrayIn& kernel,
            const IntArrayIn& dilation, const IntArrayIn& padding, const IntArrayIn& stride,
            const TensorArgument& out);

}  // namespace pyaclnn::sim
