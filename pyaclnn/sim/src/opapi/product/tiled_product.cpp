// SPDX-License-Identifier: MIT
#include "opapi/product/tiled_product.hpp"

#include <algorithm>
#include <cstddef>

#include "opapi/common/blocks.hpp"
#include "opapi/product/packed_floats.hpp"

namespace pyaclnn::sim {
namespace {

using Floats = std::vector<float>;

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

/// Part of the depth, which goes along `lines` of a matrix; dense, in `kept`.
const float* slice(const float* values, std::int64_t lines, std::int64_t length, std::int64_t first,
                   std::int64_t count, Floats& kept) {
  kept.clear();
  for (std::int64_t line = 0; line < lines; ++line) {
    const float* const from = values + line * length + first;
    kept.insert(kept.end(), from, from + count);
  }
  return kept.data();
}

}  // namespace

Floats TiledProduct::of(const float* left, const float* right, const float* of_rows,
                        const float* of_columns) const {
  const std::int64_t parts = pieces(depth, kTile), tall = pieces(rows, group),
                     wide = pieces(columns, kTile);
  Floats result(at(rows * columns), 0.0f), kept_left, kept_right;
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::int64_t first = part * kTile, count = std::min(kTile, depth - first);
    const float* const a =
        left_turned ? left + first * rows : slice(left, rows, depth, first, count, kept_left);
    const float* const b = right_turned ? slice(right, columns, depth, first, count, kept_right)
                                        : right + first * columns;
    const Floats sums = packed_product({a, left_turned}, {b, right_turned}, rows, count, columns);
    for (std::int64_t row = 0; row < rows; ++row) {
      const float own =
          of_rows[left_turned ? part * tall + row / group : row / group * parts + part];
      for (std::int64_t column = 0; column < columns; ++column) {
        const std::int64_t tile = column / kTile;
        const float other = of_columns[right_turned ? tile * parts + part : part * wide + tile];
        result[at(row * columns + column)] += sums[at(row * columns + column)] * (own * other);
      }
    }
  }
  return result;
}

}  // namespace pyaclnn::sim
