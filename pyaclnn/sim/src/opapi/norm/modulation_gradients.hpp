// Gradients of sequences that are scaled and moved by numbers of their batch: plain, and behind a
// layer normalisation.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

struct ModulateGradient {
  const TensorArgument& grad;
  const TensorArgument& input;
  const TensorArgument& scale;
  const TensorArgument& shift;
  const TensorArgument& grad_input;
  const TensorArgument& grad_scale;
  const TensorArgument& grad_shift;
};

void check_modulate_backward(const Check& check, const ModulateGradient& call);

/// Plans grad_input = grad scale, and the sums over a sequence: of grad input, and of grad.
void modulate_backward(Plan& plan, const ModulateGradient& call);

struct AdaLayerNormGradient {
  const TensorArgument& grad;
  const TensorArgument& input;
  const TensorArgument& rstd;
  const TensorArgument& mean;
  const TensorArgument& scale;
  const TensorArgument& shift;
  const TensorArgument& weight;
  const TensorArgument& bias;
  const TensorArgument& grad_input;
  const TensorArgument& grad_scale;
  const TensorArgument& grad_shift;
  const TensorArgument& grad_weight;
  const TensorArgument& grad_bias;
};

void check_ada_layer_norm_backward(const Check& check, const AdaLayerNormGradient& call,
                                   const std::vector<std::int64_t>& normalized);

/// Plans the gradients of (z weight + bias) (1 + scale) + shift, z = (input - mean) rstd, that are
/// wanted.
void ada_layer_norm_backward(Plan& plan, const AdaLayerNormGradient& call);

}  // namespace pyaclnn::sim
