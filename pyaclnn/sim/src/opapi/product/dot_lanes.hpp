// Dots of a row of floats with columns that lie along the depth, in registers: 16 lanes, one for
// each of the plain loop. Compiled by each_lanes.hpp.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>

#include "opapi/common/folded_lanes.hpp"
#include "opapi/product/dots.hpp"

namespace pyaclnn::sim::SIM_LANES {
namespace {

/// Adds the products of some rows and some columns.
template <class Form, int kRows, int kColumns>
SIM_LANES_INLINE void add_dots(const DotProducts& products, const typename Form::Bits* columns,
                               float* to, std::int64_t to_step) {
  const std::int64_t row_step = products.row_step;
  const std::int64_t column_step = products.column_step;
  for (std::int64_t begin = 0; begin < products.depth; begin += kDotDepth) {
    const std::int64_t end = std::min(begin + kDotDepth, products.depth);
    Floats sums[kRows][kColumns];
    for (auto& row : sums) {
      for (Floats& sum : row) sum = Floats::of(0.0f);
    }
    std::int64_t k = begin;
    for (; k + kDotLanes <= end; k += kDotLanes) {
      Floats factors[kRows];
      for (int i = 0; i < kRows; ++i) factors[i] = Floats::at(products.rows + i * row_step + k);
      for (int c = 0; c < kColumns; ++c) {
        const Floats column = Form::at(columns + c * column_step + k);
        for (int i = 0; i < kRows; ++i) sums[i][c] = fused(factors[i], column, sums[i][c]);
      }
    }
    for (int i = 0; i < kRows; ++i) {
      const float* row = products.rows + i * row_step;
      for (int c = 0; c < kColumns; ++c) {
        if (k < end) {
          alignas(64) float lanes[kDotLanes];
          sums[i][c].store(lanes);
          for (std::int64_t m = k; m < end; ++m) {
            const float value = Form::value(columns[c * column_step + m]);
            lanes[m - k] = __builtin_fmaf(row[m], value, lanes[m - k]);
          }
          sums[i][c] = Floats::at(lanes);
        }
        to[i * to_step + c] += folded<Sum>(sums[i][c]);
      }
    }
  }
}

template <class Form, int kRows>
SIM_LANES_LOOP void add_columns(const DotProducts& products, float* to, std::int64_t to_step) {
  const auto* columns = static_cast<const typename Form::Bits*>(products.columns);
  const std::int64_t step = products.column_step;
  std::int64_t c = 0;
  if (kRows * products.depth > kDotsInCache) {
    for (; c + kDotColumns <= products.column_count; c += kDotColumns)
      add_dots<Form, kRows, kDotColumns>(products, columns + c * step, to + c, to_step);
  }
  for (; c < products.column_count; ++c)
    add_dots<Form, kRows, 1>(products, columns + c * step, to + c, to_step);
}

template <class Form>
void add_all_dots(const DotProducts& products, float* to, std::int64_t to_step) {
  static_assert(kDotRows == 4);
  constexpr Dots kByRows[] = {&add_columns<Form, 1>, &add_columns<Form, 2>, &add_columns<Form, 3>,
                              &add_columns<Form, 4>};
  kByRows[products.row_count - 1](products, to, to_step);
}

Dots dots_of(aclDataType dtype) {
  if (dtype == ACL_FLOAT) return &add_all_dots<OfFloats>;
  if (dtype == ACL_FLOAT16) return &add_all_dots<OfHalves>;
  if (dtype == ACL_BF16) return &add_all_dots<OfBfloat16s>;
  return nullptr;
}

}  // namespace
}  // namespace pyaclnn::sim::SIM_LANES
