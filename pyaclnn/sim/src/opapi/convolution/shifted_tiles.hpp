// Products of a packed matrix with lines that lie anywhere, a tile of the result in registers.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/product/matrix.hpp"

namespace pyaclnn::sim {

/// tile = a b, where line k of b begins at b + offsets[k].
using ShiftedProduct = void (*)(const float* a, const float* b, const std::int64_t* offsets,
                                std::int64_t depth, float* tile);

/// As TileProducts, of the same sizes; null where this processor has only those of a baseline.
struct ShiftedProducts {
  ShiftedProduct whole[TileProducts::kVectors];
  ShiftedProduct half[TileProducts::kVectors];
  ShiftedProduct single[TileProducts::kVectors];  // for one row
};

const ShiftedProducts* shifted_products();

/// The same as pair_products(), and null where that is.
const ShiftedProducts* shifted_pair_products();

}  // namespace pyaclnn::sim
