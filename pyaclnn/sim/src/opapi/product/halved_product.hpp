// Products with weights of int4 as the matrix unit of Atlas A2 leaves them: float16 in every part
// of the depth, and int8 in two halves.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/product/integer_product.hpp"

namespace pyaclnn::sim {

/// A product of parts of the depth, each with scales of its own.
struct HalvedProduct {
  std::int64_t rows = 0, columns = 0, depth = 0;
  std::int64_t parts = 1;

  /// Adds a times b, with `scales` for parts and columns. Of an `a` of int8 the low four bits lack
  /// 8. Each half is float16 once it is scaled, and is summed so.
  void add(const IntegerMatrix& a, const IntegerMatrix& b, const float* scales,
           std::vector<float>& values) const;

  /// Calls store(part, row, column, count, sums) with the sums of each part of the depth.
  template <class Store>
  void each_part(const IntegerMatrix& a, const IntegerMatrix& b, Store store) const {
    const std::int64_t part = depth / parts;
    for (std::int64_t i = 0; i < parts; ++i) {
      IntegerMatrix left = a, right = b;
      left.first += i * part * left.step;
      right.first += i * part * (right.turned ? right.step : right.line_step);
      integer_product(left, right, rows, columns, part,
                      [&](std::int64_t row, std::int64_t column, std::int64_t count,
                          const std::int32_t* sums) { store(i, row, column, count, sums); });
    }
  }

 private:
  std::vector<std::int8_t> half_of(const IntegerMatrix& a, bool high) const;
  void add_weighted(const IntegerMatrix& a, const IntegerMatrix& b, const float* scales,
                    float weight, std::vector<float>& values) const;
};

}  // namespace pyaclnn::sim
