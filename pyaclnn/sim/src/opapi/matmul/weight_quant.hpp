// Products with weights of 8 or 4 bits, which scales and offsets make floats of on their way in.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// The tensors of the operators; those of the second line may be left out.
struct WeightQuant {
  const TensorArgument &x, &weight, &scale;
  const TensorArgument &offset, &out_scale, &out_offset, &bias;
  std::int64_t group;  // rows of the weight that have a row of scales; 0 where all have one
  const TensorArgument& out;
};

/// out = x @ ((weight + offset) * scale) + bias. The weight may lie `in_blocks`.
void weight_quant_matmul(Plan& plan, const WeightQuant& call, bool in_blocks = false);

}  // namespace pyaclnn::sim
