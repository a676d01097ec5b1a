// SPDX-License-Identifier: MIT
#include "opapi/matmul/packed_product.hpp"

#include <algorithm>

#include "opapi/matmul/add_lines.hpp"

namespace pyaclnn::sim {
namespace {

/// The tile for so many rows or, where the rows end, for no more than them.
const TileProduct* products_for(const TileProducts& tiles, std::int64_t& count, bool ends) {
  if (count == 1) return tiles.single;
  const std::int64_t half = tiles.rows / 2;
  if (ends && count != half && count != tiles.rows) count = count > half ? half : 1;
  if (count == 1) return tiles.single;
  return count <= half ? tiles.half : tiles.whole;
}

}  // namespace

void add_product(const TileProducts& tiles, const Piece& a, bool ends, const Piece& b,
                 std::int64_t rows, std::int64_t columns, std::int64_t depth, float* sums,
                 std::int64_t sums_step) {
  const AddValues add = values_adder();
  alignas(64) float tile[TileProducts::kMostElements];
  for (std::int64_t j = 0; j < columns; j += tiles.columns()) {
    const std::int64_t take = std::min(tiles.columns(), columns - j);
    const std::int64_t vectors = ceil_divide(take, tiles.lanes);
    const std::int64_t step = vectors * tiles.lanes;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < rows; i += count) {
      count = std::min(tiles.rows, rows - i);
      const TileProduct product = products_for(tiles, count, ends)[vectors - 1];
      product(a.data + i * a.step, a.step, b.data + j, b.step, depth, tile);
      for (std::int64_t r = 0; r < count; ++r)
        add(tile + r * step, take, sums + (i + r) * sums_step + j);
    }
  }
}

}  // namespace pyaclnn::sim
