// Products of few rows and a matrix whose columns lie densely: a dot product for each element.
//
// Sums have kDotLanes lanes, of which lane l has the products l, l + kDotLanes, ... of a piece of
// the depth. At its end they are folded by halves. Rows that are streamed are added in the same
// order, so that a view gives the bits of a copy.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "acl/acl_base.h"

namespace pyaclnn::sim {

constexpr std::int64_t kDotLanes = 16;
constexpr std::int64_t kDotDepth = 1024;  // of a piece
constexpr std::int64_t kDotColumns = 4;   // at a time

/// to[c] += the dot product of `row` and column c, for `count` columns, `step` elements apart.
using Dots = void (*)(const float* row, const void* columns, std::int64_t step, std::int64_t count,
                      std::int64_t depth, float* to);

/// For columns of a type; null: there is none, but for floats.
Dots dots_of(aclDataType dtype);

}  // namespace pyaclnn::sim
