// Products of float matrices in packed pieces, a tile of the result in registers.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "opapi/common/scratch.hpp"

namespace pyaclnn::sim {

/// Most products that are summed as floats before the sum is added to the result.
constexpr std::int64_t kDepth = 256;

/// Floats on a border of cache lines: vectors across lines take two loads.
class FloatBuffer {
 public:
  /// All zeros.
  explicit FloatBuffer(std::int64_t count) : FloatBuffer(Scratch<float>(count)) {
    std::fill_n(values_.data(), count, 0.0f);
  }
  /// For what is written before it is read.
  static FloatBuffer unset(std::int64_t count) { return FloatBuffer(Scratch<float>(count)); }

  float* data() const { return values_.data(); }

 private:
  explicit FloatBuffer(Scratch<float> values) : values_(std::move(values)) {}

  Scratch<float> values_;
};

/// tile = a b, for as many rows as the name says. The rows of `a` lie `a_step` apart, those of `b`
/// `b_step`; the rows of the tile behind one another.
using TileProduct = void (*)(const float* a, std::int64_t a_step, const float* b,
                             std::int64_t b_step, std::int64_t depth, float* tile);

/// Where the sums of a tile go: rows `step` apart, of which there may be fewer than the tile has.
struct TileTarget {
  float* sums;
  std::int64_t step;
  std::int64_t rows;
  std::int64_t columns;  // so many that the last vector has one
  bool adds;             // to what stands there
};

/// A left operand, which may be turned: then its rows lie behind another.
struct TileRows {
  const float* data;
  std::int64_t row_step;
  std::int64_t depth_step;
};

/// The same, from registers to where the sums go.
using TileSum = void (*)(const TileRows& a, const float* b, std::int64_t b_step, std::int64_t depth,
                         const TileTarget& to);

/// The products of this processor. Where it has fused multiply-adds they are used, so that sums
/// differ in their last bits between processors.
struct TileProducts {
  static constexpr std::int64_t kVectors = 3;
  static constexpr std::int64_t kMostElements = 8 * kVectors * 16;  // of a tile

  std::int64_t rows;   // of a tile
  std::int64_t lanes;  // of a vector
  TileProduct whole[kVectors];
  TileProduct half[kVectors];    // for no more than half of the rows
  TileProduct single[kVectors];  // for one row
  // In place of them, where this processor has vectors that end in the middle.
  TileSum whole_sum[kVectors] = {};
  TileSum half_sum[kVectors] = {};
  TileSum single_sum[kVectors] = {};

  std::int64_t columns() const { return kVectors * lanes; }

  static const TileProducts& of_this_cpu();
};

/// Of numbers from 0 on, of which b may be as large as any.
inline std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0); }
inline std::int64_t round_up(std::int64_t count, std::int64_t step) {
  return ceil_divide(count, step) * step;
}

/// to[k * to_step + line] = from[line * from_step + k] for k below `depth`.
void transpose(const float* from, std::int64_t from_step, std::int64_t lines, std::int64_t depth,
               float* to, std::int64_t to_step);

}  // namespace pyaclnn::sim
