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

/// Failure(361001) on a chip that does not have the operators.
void require_chip_of_weight_quant(const Plan& plan);

/// The refusals of the operators, in their order.
void check_weight_quant(const Check& check, const Plan& plan, const WeightQuant& call);

/// out = x @ ((weight + offset) * scale) + bias. The weight may lie `in_blocks`.
void weight_quant_matmul(Plan& plan, const WeightQuant& call, bool in_blocks = false);

}  // namespace pyaclnn::sim
