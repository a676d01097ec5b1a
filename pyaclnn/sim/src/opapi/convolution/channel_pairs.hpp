// bfloat16 tensors as arrays whose elements are pairs of neighbouring channels: half as many floats
// for everything that moves them, and operands for pair_products().
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/row_major.hpp"
#include "opapi/common/scratch.hpp"

namespace pyaclnn::sim {

/// [outer, channels, inner] as [outer, pairs_of(channels), inner]; the last of an odd number of
/// channels is beside zeros.
Scratch<float> channel_pairs(const RowMajorAccess& from, std::int64_t outer, std::int64_t channels,
                             std::int64_t inner);

}  // namespace pyaclnn::sim
