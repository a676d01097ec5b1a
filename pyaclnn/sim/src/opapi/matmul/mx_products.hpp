// Products of small floats with a power of two for 32 of the depth.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "parameters/TransposeQuantBatchMatMul.hpp"

namespace pyaclnn::sim {

/// Plans out[m, b] = x1[m, b] @ x2[b]; the weight may lie in blocks, or must with `only_blocks`.
void transpose_mx(const Check& check, Plan& plan, const TransposeQuantBatchMatMulParameters& given,
                  bool only_blocks);

}  // namespace pyaclnn::sim
