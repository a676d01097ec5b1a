// SPDX-License-Identifier: MIT
#include "opapi/pointwise/masked_scale.hpp"

#include "opapi/pointwise/formula.hpp"

namespace pyaclnn::sim::formulas {

FORMULA(masked_scale, kFloats, SIM_3(a, mask, scale), 2, m::mul(m::mul(a, mask), scale))

}  // namespace pyaclnn::sim::formulas
