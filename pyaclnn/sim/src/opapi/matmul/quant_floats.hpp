// Products of floats of 8 and 4 bits with scales, which the 950 has, and of bytes in tiles.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "parameters/QuantMatmulV5.hpp"

namespace pyaclnn::sim {

/// Whether both operands are floats of one kind that the 950 has, float8, hifloat8 or float4_e2m1,
/// or the second one is float4 beside float8_e4m3; or bytes whose tiles have scales.
bool multiplies_floats(const QuantMatmulV5Parameters& given);

/// Where a bias beside two scales is added: in front of them, as the matrix unit does, or where the
/// release has it.
enum class BiasPlace { kByRelease, kFirst };

/// Their product, whose second operand may be `in_blocks`.
void quant_matmul_floats(const Check& check, Plan& plan, const QuantMatmulV5Parameters& given,
                         bool in_blocks, BiasPlace place = BiasPlace::kByRelease);

}  // namespace pyaclnn::sim
