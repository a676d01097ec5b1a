// Sums and extrema of a run of floats, float16 or bfloat16 where they lie, with AVX-512. The order
// of operations is that of CombineRun and SumNarrow.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "acl/acl_base.h"

namespace pyaclnn::sim::reduction {

/// Combines `count` values with what `result` points to.
using Combine = void (*)(const void* values, std::int64_t count, void* result);

// Null for other types and processors. Sums are added to a double, extrema to a float.
Combine sum_of_run(aclDataType dtype);
Combine maximum_of_run(aclDataType dtype);
Combine minimum_of_run(aclDataType dtype);

}  // namespace pyaclnn::sim::reduction
