// Products of a row and the lines of a matrix, added where the result is gathered.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace pyaclnn::sim {

/// Lines that are added at a time: their sum is read and written once for all.
constexpr std::int64_t kLinesTogether = 8;

/// to[j] += factors[0] * lines[j], then the same of the next line, up to `count` of them: with
/// fused multiply-adds where the products of tiles have them, so that the bits are theirs.
using AddLines = void (*)(const float* factors, const float* lines, std::int64_t line_step,
                          std::int64_t count, std::int64_t columns, float* to);
AddLines lines_adder();

/// to[i] += values[i].
using AddValues = void (*)(const float* values, std::int64_t count, float* to);
AddValues values_adder();

}  // namespace pyaclnn::sim
