// Products of float matrices, blocked for the caches.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace pyaclnn::sim {

/// A matrix in memory: element (row, column) lies at values[row * row_step + column * column_step].
struct Matrix {
  const float* values = nullptr;
  std::int64_t row_step = 0;
  std::int64_t column_step = 1;
};

/// Multiplies on one thread; holds the packed blocks, so keep one for a series of products.
class MatrixProduct {
 public:
  MatrixProduct();

  /// Adds a b to `c`, whose rows lie `c_step` elements apart: (rows, depth) by (depth, columns).
  /// Sums are float over at most 256 products; what adds these up is as precise as C.
  template <class C>
  void add(const Matrix& a, const Matrix& b, std::int64_t rows, std::int64_t depth,
           std::int64_t columns, C* c, std::int64_t c_step);

 private:
  using Tile = void (*)(const float*, const float*, std::int64_t, float*);

  Tile tile_;
  std::vector<float> packed_a_;
  std::vector<float> packed_b_;
};

}  // namespace pyaclnn::sim
