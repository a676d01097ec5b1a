// The product of two pieces, tile by tile: what every blocked product of matrices is made of.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/product/matrix.hpp"

namespace pyaclnn::sim {

/// Rows of floats, in an operand or a copy of it.
struct Piece {
  const float* data;
  std::int64_t step;
};

/// sums += a b, or sums = a b unless it `adds`. Rows of `a` go on to a multiple of a tile's rows
/// unless it `ends`, as an operand in memory does; those of `b` hold whole vectors; those of `sums`
/// lie `sums_step` apart.
void add_product(const TileProducts& tiles, const Piece& a, bool ends, const Piece& b,
                 std::int64_t rows, std::int64_t columns, std::int64_t depth, float* sums,
                 std::int64_t sums_step, bool adds = true);

/// sums += a^T b, where lines of `a` have whole tiles of columns; false, and nothing done, where
/// this processor has no product of turned operands.
bool add_turned_product(const TileProducts& tiles, const float* a, std::int64_t a_step,
                        const Piece& b, std::int64_t rows, std::int64_t columns, std::int64_t depth,
                        float* sums, std::int64_t sums_step);

/// The same of packed rows, kDepth apart.
inline void add_packed_product(const TileProducts& tiles, const float* a, const float* b,
                               std::int64_t b_step, std::int64_t rows, std::int64_t columns,
                               std::int64_t depth, float* sums, std::int64_t sums_step,
                               bool adds = true) {
  add_product(tiles, {a, kDepth}, false, {b, b_step}, rows, columns, depth, sums, sums_step, adds);
}

}  // namespace pyaclnn::sim
