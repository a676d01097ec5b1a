// The gradient of group normalisation, with or without the swish behind it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/checked.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/common/row_major.hpp"

namespace pyaclnn::sim {

/// Elements, of extents that callers give.
using Count = Checked<std::int64_t>;

/// Tensors are [samples, channels, plane], statistics [samples, groups], gamma and beta
/// [channels]. Without gamma it is 1; outputs that are not given are not wanted.
struct GroupNorm {
  RowMajor grad;
  RowMajor x;
  RowMajor mean;
  RowMajor rstd;
  RowMajor gamma;
  RowMajor beta;  // for the swish only

  RowMajor grad_x;
  RowMajor grad_gamma;
  RowMajor grad_beta;

  std::int64_t samples = 1;
  std::int64_t channels = 1;
  std::int64_t plane = 1;
  std::int64_t groups = 1;
  bool has_swish = false;
  double swish_scale = 1.0;
};

/// Adds the kernel to the plan.
void launch_group_norm(Plan& plan, GroupNorm norm);

}  // namespace pyaclnn::sim
