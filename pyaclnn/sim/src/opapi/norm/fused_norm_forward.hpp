// Normalisations fused with what stands before or behind them. CANN generates most of them from
// their kernels: element types are refused as arguments, shapes where the work is divided.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Outputs of the second one's statistics may be left out.
struct AdaLayerNorm {
  const TensorArgument& x;
  const TensorArgument& scale;
  const TensorArgument& shift;
  const TensorArgument& weight;
  const TensorArgument& bias;
  double epsilon;
  const TensorArgument& out;
  const TensorArgument* mean;  // null for the first version, which has none
  const TensorArgument* rstd;
};
void ada_layer_norm(const Check& check, Plan& plan, const AdaLayerNorm& call);

}  // namespace pyaclnn::sim
