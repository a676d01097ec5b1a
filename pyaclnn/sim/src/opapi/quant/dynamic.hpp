// Quantising with the scales that the values themselves ask for.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// All that any version of DynamicQuant is told; `largest` is that of hifloat8, or 0.
struct DynamicQuant {
  const TensorArgument &x, &smooth, &groups;
  bool symmetric;
  std::string mode;
  float largest;
  const TensorArgument &y, &scale, &offset;
};

/// The refusals of all versions, in their order.
void check_dynamic_quant(const Check& check, const DynamicQuant& call);

/// Plans y, and a scale for each row, for each column or for all, and an offset.
void dynamic_quant(Plan& plan, const DynamicQuant& call);

/// 561000 on a chip before the 950.
void require_950(const Plan& plan);

}  // namespace pyaclnn::sim
