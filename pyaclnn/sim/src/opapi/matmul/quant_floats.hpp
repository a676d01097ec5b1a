// Products of floats of 8 and 4 bits with scales, which the 950 has.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "parameters/QuantMatmulV5.hpp"

namespace pyaclnn::sim {

/// Whether both operands are floats of one kind, float8, hifloat8 or float4_e2m1, or the second one
/// is float4 beside float8_e4m3.
bool multiplies_small_floats(const QuantMatmulV5Parameters& given);

/// The product of such operands on the 950, of which float4 beside float8 may be in FRACTAL_NZ.
void quant_matmul_floats(const Check& check, Plan& plan, const QuantMatmulV5Parameters& given);

}  // namespace pyaclnn::sim
