// Products of matrices of int8 and int4, in sums of int32 that are exact.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/function_ref.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// A view of int4, of which an int32 holds eight along the last axis, which must lie behind one
/// another; others as they are.
View in_int4(const Plan& plan, const View& view);

/// A matrix of int8 or int4 as it lies in memory: lines whose elements follow one another at some
/// distance.
struct IntegerMatrix {
  const std::byte* base = nullptr;
  std::int64_t first = 0;  // element that the matrix begins with
  std::int64_t line_step = 0;
  std::int64_t step = 1;
  bool packed = false;  // int4, two in a byte
  bool turned = false;  // lines are columns of the product's operand

  /// `count` elements of a line, from one on.
  void read(std::int64_t line, std::int64_t from, std::int64_t count, std::int8_t* to) const;
};

/// Stores some sums of a row, from a column on.
using StoreSums = FunctionRef<void(std::int64_t row, std::int64_t column, std::int64_t count,
                                   const std::int32_t* sums)>;

/// Calls `store` with all of a (rows by depth) times b (depth by columns), from several threads.
/// Sums wrap as int32 do.
void integer_product(const IntegerMatrix& a, const IntegerMatrix& b, std::int64_t rows,
                     std::int64_t columns, std::int64_t depth, StoreSums store);

}  // namespace pyaclnn::sim
