// The pixels around a point, between which its value is interpolated.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pyaclnn::sim {

/// A pixel beside a point, its weight, and how the weight grows with the point's x and y.
struct Corner {
  std::int64_t pixel = -1;  // none outside of the image
  float weight = 0;
  float by_x = 0;
  float by_y = 0;
};

/// In rows and columns; none for points that no pixel of an image of this size is beside.
inline std::array<Corner, 4> corners_of(float y, float x, std::int64_t height, std::int64_t width) {
  std::array<Corner, 4> corners;
  const bool is_inside = x > -1 && y > -1 && x < float(width) && y < float(height);
  if (!is_inside) return corners;
  const auto left = std::int64_t(std::floor(x));
  const auto top = std::int64_t(std::floor(y));
  const float part_x = x - float(left);
  const float part_y = y - float(top);
  for (int i = 0; i < 4; ++i) {
    const bool is_right = i % 2 != 0;
    const bool is_low = i / 2 != 0;
    const std::int64_t column = left + (is_right ? 1 : 0);
    const std::int64_t line = top + (is_low ? 1 : 0);
    if (column < 0 || line < 0 || column >= width || line >= height) continue;
    const float across = is_right ? part_x : 1 - part_x;
    const float down = is_low ? part_y : 1 - part_y;
    corners[std::size_t(i)] = {line * width + column, across * down, is_right ? down : -down,
                               is_low ? across : -across};
  }
  return corners;
}

}  // namespace pyaclnn::sim
