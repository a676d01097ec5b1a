// Scales of blocks of 32 along the depth of a product, which are powers of two.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/blocks.hpp"
#include "opapi/common/check.hpp"
#include "opapi/quant/mx.hpp"

namespace pyaclnn::sim {

constexpr std::int64_t kMxPair = 2 * kMxBlock;  // of the depth: a line of scales

/// How many of them a depth takes.
constexpr std::int64_t mx_pairs(std::int64_t depth) { return pieces(depth, kMxPair); }

/// Multiplies a matrix with the scales of its blocks along the depth, which are its lines where it
/// goes `down`, else its columns. The scales of two blocks lie beside one another.
inline void scale_blocks(float* values, const float* scales, std::int64_t lines,
                         std::int64_t columns, bool down) {
  const std::int64_t pairs = mx_pairs(columns);
  for (std::int64_t line = 0; line < lines; ++line) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::int64_t k = down ? line : column;
      const std::int64_t pair =
          down ? line / kMxPair * columns + column : line * pairs + column / kMxPair;
      values[line * columns + column] *= scales[pair * 2 + k % kMxPair / kMxBlock];
    }
  }
}

/// What a size of groups says of an axis: `bits` of it, or as much as the tensors tell.
inline std::int64_t group_of(const Check& check, std::int64_t packed, int bits, std::int64_t extent,
                             std::int64_t scales) {
  check.that(scales > 0, "an axis has no scales");
  const std::int64_t given = packed >> bits & 0xFFFF;
  if (given != 0) return given;
  check.that(extent % scales == 0, "%lld scales do not divide an axis of %lld",
             static_cast<long long>(scales), static_cast<long long>(extent));
  return extent / scales;
}

}  // namespace pyaclnn::sim
