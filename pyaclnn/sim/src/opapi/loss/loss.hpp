// What the loss gradients have in common: the reduction of the loss, and operands that broadcast.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>

#include "opapi/common/arguments.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/loss/gradients.hpp"

namespace pyaclnn::sim {

/// As aclnn numbers them; batchmean is known to the Kullback-Leibler divergence only.
enum Reduction : std::int64_t { kNone = 0, kMean = 1, kSum = 2, kBatchMean = 3 };

/// float32 and float16, and bfloat16 where the chip has it.
DtypeSet loss_dtypes();

/// Refuses all but none, mean and sum.
void check_reduction(const Check& check, std::int64_t reduction);

/// 1 / elements for the mean, else 1.
float loss_scale(std::int64_t reduction, std::int64_t elements);

/// The shape that all of them broadcast to; refuses where there is none.
Dims broadcast_all(const Check& check, const TensorArgument& a, const TensorArgument& b,
                   const TensorArgument& c);

/// Refuses a tensor that does not broadcast to exactly `shape`.
void check_broadcasts_to(const Check& check, const TensorArgument& tensor, const Dims& shape,
                         const char* what);

/// Operands, weights and the result of a gradient, cast to and from what is computed in. CANN makes
/// a tensor of ones where a weight is not given.
void stage_cast(Plan& plan, const LossGradient& call,
                std::initializer_list<const TensorArgument*> weights = {});

}  // namespace pyaclnn::sim
