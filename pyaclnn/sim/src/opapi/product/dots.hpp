// Products of few rows and a matrix whose columns lie densely: a dot product for each element.
//
// Sums have kDotLanes lanes, of which lane l has the products l, l + kDotLanes, ... of a piece of
// the depth. At its end they are folded by halves, and the pieces are added in their order. Rows
// that are streamed are added in the same order, so that a view gives the bits of a copy.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "acl/acl_base.h"

namespace pyaclnn::sim {

constexpr std::int64_t kDotLanes = 16;
constexpr std::int64_t kDotDepth = 1024;  // of a piece
constexpr std::int64_t kDotRows = 4;      // at most
// Rows that have more are read from the L2 cache, for some columns at a time.
constexpr std::int64_t kDotsInCache = 6144;
constexpr std::int64_t kDotColumns = 4;

/// Rows of floats, and columns `column_step` elements apart.
///
/// Columns are read one after the other, each once for all rows: what is read in the order in which
/// it lies comes from memory up to twice as fast as four columns at a time.
struct DotProducts {
  const float* rows;
  std::int64_t row_step;
  std::int64_t row_count;
  const void* columns;
  std::int64_t column_step;
  std::int64_t column_count;
  std::int64_t depth;
};

/// to[i * to_step + c] += the dot product of row i and column c.
using Dots = void (*)(const DotProducts& products, float* to, std::int64_t to_step);

/// For columns of a type; null: there is none, but for floats.
Dots dots_of(aclDataType dtype);

}  // namespace pyaclnn::sim
