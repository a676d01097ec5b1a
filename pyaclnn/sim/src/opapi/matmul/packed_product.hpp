// The product of two packed pieces, tile by tile: what every blocked product of matrices is made
// of. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/convolution/matrix.hpp"

namespace pyaclnn::sim {

/// sums += a b. Rows of `a` lie kDepth apart and go on to a multiple of a tile's rows; those of `b`
/// lie `b_step` apart and hold whole vectors; those of `sums` lie `sums_step` apart.
void add_packed_product(const TileProducts& tiles, const float* a, const float* b,
                        std::int64_t b_step, std::int64_t rows, std::int64_t columns,
                        std::int64_t depth, float* sums, std::int64_t sums_step);

}  // namespace pyaclnn::sim
