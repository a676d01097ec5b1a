// Caches of keys and values, which lie in blocks of tokens.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// How the values of a token lie in a block.
enum class BlockLayout {
  kTokens,    // [blocks, tokens, heads, depth]
  kHeads,     // [blocks, heads, tokens, depth]
  kFractals,  // [blocks, heads depth / lane, tokens, lane]: the lane takes 32 bytes
};

/// Values that lie behind one another in a fractal: 32 bytes.
std::int64_t fractal_lane(aclDataType dtype);

/// Whether there are gaps within a block, which are those beyond the first axis.
bool has_gaps_in_blocks(const View& cache);

/// A cache as [blocks, tokens, heads, depth / lane, lane]: a plane of the last two axes is what a
/// head has of a token. Fractals are taken as they lie, whatever the shape says; then a block must
/// not have gaps.
View block_rows(const Plan& plan, const View& cache, BlockLayout layout, std::int64_t tokens,
                std::int64_t heads, std::int64_t depth);

}  // namespace pyaclnn::sim
