// Batch normalisation, in training and with given statistics.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

struct BatchNormTensors {
  const TensorArgument& input;         // [N, C, ...]
  const TensorArgument& weight;        // [C], as all that follow; may be left out
  const TensorArgument& bias;          // may be left out
  const TensorArgument& running_mean;  // read and, in training, written; may be left out
  const TensorArgument& running_var;
  const TensorArgument& output;
  const TensorArgument& save_mean;    // in training
  const TensorArgument& save_invstd;  // the variance, before the 950
};

void check_batch_norm(const Check& check, const BatchNormTensors& tensors, bool training);

/// output = (input - mean) / sqrt(variance + eps) * weight + bias.
void batch_norm(Plan& plan, const BatchNormTensors& tensors, bool training, double momentum,
                double eps);

/// What is written where there is no input: 0 and NaN.
void batch_norm_of_nothing(Plan& plan, const BatchNormTensors& tensors);

/// The same with 1 / sqrt(variance + eps) given.
void check_batch_norm_elemt(const Check& check, const TensorArgument& input,
                            const TensorArgument& weight, const TensorArgument& bias,
                            const TensorArgument& mean, const TensorArgument& invstd,
                            const TensorArgument& output);
}  // namespace pyaclnn::sim
