// Normalisations fused with what stands before or behind them. CANN generates most of them from
// their kernels: element types are refused as arguments, shapes where the work is divided.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

struct AddLayerNorm {
  const TensorArgument& x1;
  const TensorArgument& x2;
  const TensorArgument& gamma;
  const TensorArgument& beta;
  const TensorArgument& bias;
  double epsilon;
  bool gives_x;
  const TensorArgument& y;
  const TensorArgument& mean;
  const TensorArgument& rstd;
  const TensorArgument& x;
};
void add_layer_norm(const Check& check, Plan& plan, const AddLayerNorm& call);

struct DeepNorm {
  const TensorArgument& x;
  const TensorArgument& gx;
  const TensorArgument& beta;
  const TensorArgument& gamma;
  double alpha;
  double epsilon;
  const TensorArgument& mean;
  const TensorArgument& rstd;
  const TensorArgument& y;
};
void deep_norm(const Check& check, Plan& plan, const DeepNorm& call);

struct GroupNormSwish {
  const TensorArgument& x;
  const TensorArgument& gamma;
  const TensorArgument& beta;
  std::int64_t groups;
  double eps;
  bool has_swish;
  double swish_scale;
  const TensorArgument& y;
  const TensorArgument& mean;
  const TensorArgument& rstd;
};
void group_norm_swish(const Check& check, Plan& plan, const GroupNormSwish& call);

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

/// `format` says where channels are: NCHW or NHWC.
struct InstanceNorm {
  const TensorArgument& x;
  const TensorArgument& gamma;
  const TensorArgument& beta;
  const std::string& format;
  double eps;
  const TensorArgument& y;
  const TensorArgument& mean;
  const TensorArgument& variance;
};
void instance_norm(const Check& check, Plan& plan, const InstanceNorm& call);

}  // namespace pyaclnn::sim
