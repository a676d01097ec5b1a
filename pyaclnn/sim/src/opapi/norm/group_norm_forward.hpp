// Group normalisation, and the same with an activation behind it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

struct GroupNormTensors {
  const TensorArgument& self;   // [N, C, ...]
  const TensorArgument& gamma;  // [C], as beta; both may be left out
  const TensorArgument& beta;
  const TensorArgument& out;
  const TensorArgument& mean;  // [N, group], as rstd
  const TensorArgument& rstd;
};

/// The sizes that GroupNorm is given besides; they must be those of self.
struct GroupNormSizes {
  std::int64_t samples;
  std::int64_t channels;
  std::int64_t plane;
};

void check_group_norm(const Check& check, const GroupNormTensors& tensors,
                      const GroupNormSizes& sizes, std::int64_t groups, double eps);
void check_group_norm_silu(const Check& check, const GroupNormTensors& tensors, std::int64_t groups,
                           double eps);

void group_norm(Plan& plan, const GroupNormTensors& tensors, std::int64_t groups, double eps);
/// `with_silu`: out is multiplied by its sigmoid.
void group_norm_silu(Plan& plan, const GroupNormTensors& tensors, std::int64_t groups, double eps,
                     bool with_silu);

}  // namespace pyaclnn::sim
