// Masks of the last columns of sequences, which are those of its queries: the branches of a tree of
// tokens that are guessed.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/attention/attention.hpp"

namespace pyaclnn::sim {

/// What a mask says of pairs of queries, [rows, rows] of each sequence.
struct TreeMask {
  View pairs;          // contiguous
  std::int64_t batch;  // elements of `pairs` from sequence to sequence; 0: they lie behind another
  std::int64_t line;   // and from row to row; 0: as many as the sequence has rows
};

/// Plans it as [sequences, 1, rows, columns] of all columns.
View launch_tree_mask(Plan& plan, const TreeMask& mask,
                      const std::vector<AttentionSequence>& sequences, std::int64_t rows,
                      std::int64_t columns);

}  // namespace pyaclnn::sim
