// Products of bfloat16 matrices by instructions that take two neighbours of the depth at once.
//
// Two elements are packed into what elsewhere is one float, so that pieces of the operands have the
// layout of float ones with half the depth.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "opapi/product/matrix.hpp"

namespace pyaclnn::sim {

/// The products of packed pairs; null where this processor has none.
const TileProducts* pair_products();

/// bfloat16 elements in two dimensions; steps count elements.
struct PairSource {
  const std::byte* data;
  std::int64_t line_step;   // to the next row of the left or column of the right operand
  std::int64_t depth_step;  // to the next product of the sum
};

inline std::int64_t pairs_of(std::int64_t depth) { return ceil_divide(depth, 2); }

/// Packs `depth` elements of each line, a line behind another `to_step` apart: the left operand.
/// `scratch` has room for as much.
void pack_lines(const PairSource& from, std::int64_t lines, std::int64_t depth, float* to,
                std::int64_t to_step, float* scratch);

/// The same with a pair of all lines behind another: the right operand.
void pack_pairs(const PairSource& from, std::int64_t lines, std::int64_t depth, float* to,
                std::int64_t to_step, float* scratch);

/// Packs lines of floats, `from_step` apart, as pack_lines does: what bfloat16 keeps of them to
/// `high`, of what is left to `low`. Lines are filled up with zeros to whole vectors of 16 pairs.
void split_lines(const float* from, std::int64_t from_step, std::int64_t lines, std::int64_t depth,
                 float* high, float* low, std::int64_t to_step);

/// The same without what is left.
void round_lines(const float* from, std::int64_t from_step, std::int64_t lines, std::int64_t depth,
                 float* to, std::int64_t to_step);

/// Packs `count` floats of each line, rounded, where the sum is over lines: a pair of neighbouring
/// lines behind another, the last of an odd number beside zeros. Whole vectors of 16 are written.
void pair_lines(const float* from, std::int64_t from_step, std::int64_t lines, std::int64_t count,
                float* to, std::int64_t to_step);

/// Whether none of so many pairs has an infinity or NaN; 16 pairs make a vector.
bool are_finite(const float* pairs, std::int64_t vectors);

}  // namespace pyaclnn::sim
