// The softmax of short rows, one behind the other, in registers.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace pyaclnn::sim {

/// Rows of `length` values, or the logarithms; results may lie in their place. The bits are those
/// of SoftmaxTurned.
using SoftmaxRowsFn = void (*)(const float* values, std::int64_t rows, bool logarithm,
                               float* results);

/// Null where this processor has no registers for rows as long.
SoftmaxRowsFn softmax_rows(std::int64_t length);

}  // namespace pyaclnn::sim
