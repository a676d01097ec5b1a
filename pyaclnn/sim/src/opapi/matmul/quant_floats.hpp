// Products of floats of 8 and 4 bits with scales, which the 950 has.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "parameters/QuantMatmulV5.hpp"

namespace pyaclnn::sim {

/// Whether both operands are floats of one kind: float8, hifloat8 or float4_e2m1.
bool multiplies_small_floats(const QuantMatmulV5Parameters& given);

/// The product of such operands on the 950, none of which is in a private format or null.
void quant_matmul_floats(const Check& check, Plan& plan, const QuantMatmulV5Parameters& given);

}  // namespace pyaclnn::sim
