// Batch normalisation over several devices: sums of each, and the statistics of all.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Sums and sums of squares of each channel.
void batch_norm_reduce(const Check& check, Plan& plan, const TensorArgument& x,
                       const TensorArgument& sum, const TensorArgument& square_sum);

/// What each device found, [devices, channels], and of how many elements, [devices].
struct GatheredStatistics {
  const TensorArgument& input;  // says how many channels there are
  const TensorArgument& mean;
  const TensorArgument& invstd;
  const TensorArgument& running_mean;  // written in place; may be left out
  const TensorArgument& running_var;
  double momentum;
  double eps;
  const TensorArgument& counts;
  const TensorArgument& mean_all;
  const TensorArgument& invstd_all;
};
void batch_norm_gather_stats(const Check& check, Plan& plan, const GatheredStatistics& call);

/// The same of sums and sums of squares.
struct GatheredSums {
  const TensorArgument& sum;
  const TensorArgument& square_sum;
  const TensorArgument& counts;
  const TensorArgument& running_mean;  // written in place
  const TensorArgument& running_var;
  float momentum;
  float eps;
  const TensorArgument& mean;
  const TensorArgument& invstd;
};
void sync_batch_norm_gather_stats(const Check& check, Plan& plan, const GatheredSums& call);

}  // namespace pyaclnn::sim
