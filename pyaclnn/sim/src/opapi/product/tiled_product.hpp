// Products of matrices whose tiles have a scale each.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace pyaclnn::sim {

constexpr std::int64_t kTile = 128;  // of the depth, and of columns

/// The sizes of such a product, and which operands lie turned; scales lie as their operand does.
struct TiledProduct {
  std::int64_t rows, depth, columns;
  std::int64_t group;  // rows that share their scales
  bool left_turned, right_turned;

  /// Sums of tiles' products, each times its two scales.
  std::vector<float> of(const float* left, const float* right, const float* of_rows,
                        const float* of_columns) const;
};

}  // namespace pyaclnn::sim
