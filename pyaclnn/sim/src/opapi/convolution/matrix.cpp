// SPDX-License-Identifier: MIT
#include "opapi/convolution/matrix.hpp"

#include <algorithm>
#include <cstring>

#include "opapi/common/cpu.hpp"

namespace pyaclnn::sim {

namespace {

// A tile of the result stays in registers; a block of a in the second level cache.
constexpr std::int64_t kTileRows = 4;
constexpr std::int64_t kTileColumns = 16;
constexpr std::int64_t kDepth = 256;
constexpr std::int64_t kRows = 96;
constexpr std::int64_t kColumns = 512;

using Vector = float __attribute__((vector_size(32)));
constexpr std::int64_t kLanes = 8;

/// tile = a b, with a packed by columns of kTileRows, b by rows of kTileColumns.
struct MultiplyTile {
  template <Isa isa>
  static SIM_ALWAYS_INLINE void run(const float* a, const float* b, std::int64_t depth,
                                    float* tile) {
    Vector sums[kTileRows][2];
    for (auto& row : sums) row[0] = row[1] = Vector{};
    for (std::int64_t k = 0; k < depth; ++k) {
      Vector left;
      Vector right;
      std::memcpy(&left, b, sizeof left);
      std::memcpy(&right, b + kLanes, sizeof right);
      for (std::int64_t row = 0; row < kTileRows; ++row) {
        sums[row][0] += a[row] * left;
        sums[row][1] += a[row] * right;
      }
      a += kTileRows;
      b += kTileColumns;
    }
    std::memcpy(tile, sums, sizeof sums);
  }
};

/// Lays `count` lines out in panels of `width`, filled up with zeros: for each panel, `depth` times
/// `width` values.
void pack(const float* from, std::int64_t line_step, std::int64_t depth_step, std::int64_t count,
          std::int64_t depth, std::int64_t width, float* to) {
  for (std::int64_t first = 0; first < count; first += width) {
    const std::int64_t lines = std::min(width, count - first);
    const float* panel = from + first * line_step;
    if (line_step == 1) {
      for (std::int64_t k = 0; k < depth; ++k) {
        std::copy_n(panel + k * depth_step, lines, to + k * width);
        std::fill(to + k * width + lines, to + (k + 1) * width, 0.0f);
      }
    } else {
      for (std::int64_t line = 0; line < width; ++line) {
        for (std::int64_t k = 0; k < depth; ++k)
          to[k * width + line] = line < lines ? panel[line * line_step + k * depth_step] : 0.0f;
      }
    }
    to += depth * width;
  }
}

std::int64_t round_up(std::int64_t count, std::int64_t step) {
  return (count + step - 1) / step * step;
}

}  // namespace

MatrixProduct::MatrixProduct()
    : tile_(loop_for_cpu<MultiplyTile, const float*, const float*, std::int64_t, float*>()) {}

template <class C>
void MatrixProduct::add(const Matrix& a, const Matrix& b, std::int64_t rows, std::int64_t depth,
                        std::int64_t columns, C* c, std::int64_t c_step) {
  const std::int64_t most = std::min(depth, kDepth);
  packed_a_.resize(std::size_t(round_up(std::min(rows, kRows), kTileRows) * most));
  packed_b_.resize(std::size_t(round_up(std::min(columns, kColumns), kTileColumns) * most));
  for (std::int64_t k = 0; k < depth; k += kDepth) {
    const std::int64_t deep = std::min(kDepth, depth - k);
    for (std::int64_t column = 0; column < columns; column += kColumns) {
      const std::int64_t wide = std::min(kColumns, columns - column);
      pack(b.values + k * b.row_step + column * b.column_step, b.column_step, b.row_step, wide,
           deep, kTileColumns, packed_b_.data());
      for (std::int64_t row = 0; row < rows; row += kRows) {
        const std::int64_t high = std::min(kRows, rows - row);
        pack(a.values + row * a.row_step + k * a.column_step, a.row_step, a.column_step, high, deep,
             kTileRows, packed_a_.data());
        for (std::int64_t j = 0; j < wide; j += kTileColumns) {
          for (std::int64_t i = 0; i < high; i += kTileRows) {
            float tile[kTileRows * kTileColumns];
            tile_(&packed_a_[std::size_t(i * deep)], &packed_b_[std::size_t(j * deep)], deep, tile);
            C* to = c + (row + i) * c_step + column + j;
            const std::int64_t tile_rows = std::min(kTileRows, high - i);
            const std::int64_t tile_columns = std::min(kTileColumns, wide - j);
            for (std::int64_t y = 0; y < tile_rows; ++y) {
              for (std::int64_t x = 0; x < tile_columns; ++x)
                to[y * c_step + x] += C(tile[y * kTileColumns + x]);
            }
          }
        }
      }
    }
  }
}

template void MatrixProduct::add<float>(const Matrix&, const Matrix&, std::int64_t, std::int64_t,
                                        std::int64_t, float*, std::int64_t);
template void MatrixProduct::add<double>(const Matrix&, const Matrix&, std::int64_t, std::int64_t,
                                         std::int64_t, double*, std::int64_t);

}  // namespace pyaclnn::sim
