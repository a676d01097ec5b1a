// SPDX-License-Identifier: MIT
#include "opapi/product/packed_product.hpp"

#include <algorithm>

#include "opapi/product/add_lines.hpp"

namespace pyaclnn::sim {
namespace {

/// Products of so many rows.
struct Tiles {
  const TileProduct* products;
  const TileSum* sums;
};

/// The tile for so many rows or, where the rows end, for no more than them.
Tiles tiles_for(const TileProducts& tiles, std::int64_t& count, bool ends) {
  const std::int64_t half = tiles.rows / 2;
  if (ends && count != half && count != tiles.rows) count = count > half ? half : 1;
  if (count == 1) return {tiles.single, tiles.single_sum};
  if (count <= half) return {tiles.half, tiles.half_sum};
  return {tiles.whole, tiles.whole_sum};
}

/// Of so many that are left. Four vectors are taken as two and two, not as three and one: a tile of
/// one vector loads more than it computes.
std::int64_t columns_of_tile(const TileProducts& tiles, std::int64_t left) {
  const bool are_four = left > tiles.columns() && left <= 4 * tiles.lanes;
  return are_four ? 2 * tiles.lanes : std::min(tiles.columns(), left);
}

}  // namespace

void add_product(const TileProducts& tiles, const Piece& a, bool ends, const Piece& b,
                 std::int64_t rows, std::int64_t columns, std::int64_t depth, float* sums,
                 std::int64_t sums_step, bool adds) {
  const AddValues add = values_adder();
  alignas(64) float tile[TileProducts::kMostElements];
  std::int64_t take = 0;
  for (std::int64_t j = 0; j < columns; j += take) {
    take = columns_of_tile(tiles, columns - j);
    const std::int64_t vectors = ceil_divide(take, tiles.lanes);
    const std::int64_t step = vectors * tiles.lanes;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < rows; i += count) {
      count = std::min(tiles.rows, rows - i);
      const Tiles own = tiles_for(tiles, count, ends);
      const float* left = a.data + i * a.step;
      float* to = sums + i * sums_step + j;
      if (const TileSum sum = own.sums[vectors - 1]; sum != nullptr) {
        sum({left, a.step, 1}, b.data + j, b.step, depth, {to, sums_step, count, take, adds});
        continue;
      }
      own.products[vectors - 1](left, a.step, b.data + j, b.step, depth, tile);
      for (std::int64_t r = 0; r < count; ++r, to += sums_step) {
        if (adds)
          add(tile + r * step, take, to);
        else
          std::copy_n(tile + r * step, take, to);
      }
    }
  }
}

bool add_turned_product(const TileProducts& tiles, const float* a, std::int64_t a_step,
                        const Piece& b, std::int64_t rows, std::int64_t columns, std::int64_t depth,
                        float* sums, std::int64_t sums_step) {
  if (tiles.whole_sum[0] == nullptr) return false;
  std::int64_t take = 0;
  for (std::int64_t j = 0; j < columns; j += take) {
    take = columns_of_tile(tiles, columns - j);
    const std::int64_t vectors = ceil_divide(take, tiles.lanes);
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < rows; i += count) {
      count = std::min(tiles.rows, rows - i);
      const TileSum sum = tiles_for(tiles, count, false).sums[vectors - 1];
      sum({a + i, 1, a_step}, b.data + j, b.step, depth,
          {sums + i * sums_step + j, sums_step, count, take, true});
    }
  }
  return true;
}

}  // namespace pyaclnn::sim
