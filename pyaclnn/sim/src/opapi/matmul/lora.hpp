// Low-rank corrections of a batch, a pair of matrices for each row.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

struct Lora {
  const TensorArgument& y;
  const TensorArgument& x;
  const TensorArgument& weight_b;
  const TensorArgument& indices;
  const TensorArgument& weight_a;  // may be missing: x is what it would give
  std::int64_t layer;
  double scale;
  std::int64_t begin;  // of the slice of y that is corrected
  std::int64_t count;
};

/// Refuses shapes that the kernel does not take: 561002.
void check_lora(const Plan& plan, const Lora& lora, const TensorArgument& out);

/// out = y, and in its slice of columns x weightA^T weightB^T scale is added, with the matrices
/// that the row's index and the layer say. A row whose index is none of a matrix is y's.
void add_lora(Plan& plan, const Lora& lora, const TensorArgument& out);

}  // namespace pyaclnn::sim
