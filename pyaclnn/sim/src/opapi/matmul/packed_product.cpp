// SPDX-License-Identifier: MIT
#include "opapi/matmul/packed_product.hpp"

#include <algorithm>

namespace pyaclnn::sim {

void add_packed_product(const TileProducts& tiles, const float* a, const float* b,
                        std::int64_t b_step, std::int64_t rows, std::int64_t columns,
                        std::int64_t depth, float* sums, std::int64_t sums_step) {
  alignas(64) float tile[TileProducts::kMostElements];
  for (std::int64_t j = 0; j < columns; j += tiles.columns()) {
    const std::int64_t take = std::min(tiles.columns(), columns - j);
    const std::int64_t vectors = ceil_divide(take, tiles.lanes);
    for (std::int64_t i = 0; i < rows; i += tiles.rows) {
      const std::int64_t count = std::min(tiles.rows, rows - i);
      const TileProduct product = (count * 2 <= tiles.rows ? tiles.half : tiles.whole)[vectors - 1];
      product(a + i * kDepth, b + j, b_step, depth, tile);
      const std::int64_t step = vectors * tiles.lanes;
      for (std::int64_t r = 0; r < count; ++r) {
        float* to = sums + (i + r) * sums_step + j;
        const float* from = tile + r * step;
        for (std::int64_t c = 0; c < take; ++c) to[c] += from[c];
      }
    }
  }
}

}  // namespace pyaclnn::sim
