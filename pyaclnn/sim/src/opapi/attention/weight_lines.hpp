// Weights in FRACTAL_NZ that are described by their blocks.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/attention/block_cache.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// A weight whose shape is that of its blocks, as its lines and columns; others are as they are.
inline TensorArgument as_lines(Plan& plan, const TensorArgument& weight) {
  constexpr std::int64_t kLines = 16;  // of a block
  const Dims& shape = weight.shape();
  if (!is_nz(weight.meta().format) || shape.size() != 4 || shape[2] != kLines ||
      shape[3] != fractal_lane(weight.dtype()))
    return same_view(plan, weight);
  plan.reads(weight);
  const Dims lines{shape[1] * shape[2], shape[0] * shape[3]};
  return plan.described(weight, lines, contiguous_strides(lines), weight.meta().offset);
}

}  // namespace pyaclnn::sim
