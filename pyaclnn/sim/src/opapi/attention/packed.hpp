// Lines of queries or weights as the left operand of products.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "opapi/product/packed_product.hpp"
#include "opapi/product/pairs.hpp"
#include "opapi/product/tile_registers.hpp"

namespace pyaclnn::sim {

/// Lines cut into chunks of kDepth numbers; the lines of a chunk lie kDepth apart.
class PackedLines {
 public:
  PackedLines(std::int64_t lines, std::int64_t depth)
      : lines_(round_up(lines, kMostTileRows)),
        depth_(depth),
        values_(lines_ * kDepth * ceil_divide(std::max<std::int64_t>(depth, 1), kDepth)) {}

  float* line(std::int64_t chunk, std::int64_t number) const {
    return values_.data() + (chunk * lines_ + number) * kDepth;
  }
  void set(std::int64_t number, const float* from) const {
    for (std::int64_t k = 0; k < depth_; k += kDepth)
      std::copy_n(from + k, std::min(kDepth, depth_ - k), line(k / kDepth, number));
  }
  /// sums = lines b, whose rows lie `b_step` apart, of some lines from `first` on.
  void multiply(const TileProducts& tiles, std::int64_t lines, const float* b, std::int64_t b_step,
                std::int64_t columns, float* sums, std::int64_t sums_step,
                std::int64_t first = 0) const {
    std::int64_t k = 0;
    do {
      add_packed_product(tiles, line(k / kDepth, first), b + k * b_step, b_step, lines, columns,
                         std::min(kDepth, depth_ - k), sums, sums_step, k > 0);
      k += kDepth;
    } while (k < depth_);
  }

 private:
  static constexpr std::int64_t kMostTileRows = 16;

  std::int64_t lines_;
  std::int64_t depth_;
  FloatBuffer values_;
};

/// sums = a b of bfloat16 in pairs, by what this processor has for them; lines of `a` and of the
/// sums lie kDepth apart.
inline void multiply_pairs(const float* a, const float* b, std::int64_t b_step, std::int64_t lines,
                           std::int64_t columns, std::int64_t depth, float* sums) {
  if (const PairTiles tiles = pair_tiles(); tiles != nullptr) {
    tiles({a, kDepth, b, b_step, lines, columns, pairs_of(depth)}, false, sums, kDepth);
  } else {
    add_packed_product(*pair_products(), a, b, b_step, lines, columns, pairs_of(depth), sums,
                       kDepth, false);
  }
}

}  // namespace pyaclnn::sim
