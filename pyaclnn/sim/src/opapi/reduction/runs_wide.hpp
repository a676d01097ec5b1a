// Sums and extrema of numbers where they lie: of floats, float16 or bfloat16 in registers, in the
// order of operations of CombineRun, SumNarrow and SumNarrowSides.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "acl/acl_base.h"

namespace pyaclnn::sim::reduction {

/// Lines of the narrow floating point types that are added as floats.
constexpr std::int64_t kTogether = 8;

/// Combines each of `runs` runs of `count` values, `step` elements apart, with a result; or, for
/// lines that are reduced side by side, values with `count` results.
using Combine = void (*)(const void* values, std::int64_t step, std::int64_t runs,
                         std::int64_t count, void* results);

// Null for other types and processors. Sums are added to doubles, extrema to floats.
Combine sum_of_run(aclDataType dtype);
Combine maximum_of_run(aclDataType dtype);
Combine minimum_of_run(aclDataType dtype);
Combine sum_of_sides(aclDataType dtype);
Combine maximum_of_sides(aclDataType dtype);
Combine minimum_of_sides(aclDataType dtype);

// Integers at their own width, on any processor; their results are int64_t.
Combine integer_sum_of_run(aclDataType dtype);
Combine integer_maximum_of_run(aclDataType dtype);
Combine integer_minimum_of_run(aclDataType dtype);

}  // namespace pyaclnn::sim::reduction
