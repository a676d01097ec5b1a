// Rows of floats of 8 bits on the way to attention to latent vectors: products, and what becomes
// such floats.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/blocks.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Values along the depth of a product that share a power of two.
constexpr std::int64_t kSharedExponent = 32;

/// Rounds to the nearest float of 8 bits: ties of hifloat8 away from zero, others to even.
void to_narrow(float* row, std::int64_t count, aclDataType dtype);

/// Divides the row by what one stands for, by which its largest magnitude, or `least`, becomes the
/// largest float of 8 bits, and rounds it; returns that.
float to_narrow_by_largest(float* row, std::int64_t count, aclDataType dtype, float least = 0);

/// Gives the values of each block a power of two, which goes to `scales`, and rounds them to
/// float8_e4m3fn. They become bfloat16 before, ties away from zero.
void to_narrow_in_blocks(float* row, std::int64_t count, float* scales);

/// Plans x times a weight, both of floats of 8 bits. Scales of float8_e8m0 are of blocks along the
/// depth, of lines of x and of columns of the weight; others multiply sums, first by column.
void launch_narrow_product(Plan& plan, const View& x, const PlainOperand& weight,
                           const View& row_scales, const View& column_scales, const View& out);

}  // namespace pyaclnn::sim
