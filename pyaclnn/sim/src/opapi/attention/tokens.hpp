// Tokens of sequences, however they lie in memory: behind one another, padded to one length, in
// pages. How many there are stands in tensors, which kernels read.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "objects/launch.hpp"
#include "opapi/common/view.hpp"

namespace pyaclnn::sim {

struct Tokens {
  View view;                  // [batch or pages, heads, tokens, depth]
  std::optional<View> sums;   // of lengths, from 0 on: tokens lie behind one another
  std::optional<View> used;   // lengths
  std::optional<View> pages;  // [sequences, pages]

  /// Where the tokens of each sequence begin, and how many it has, of those that there are.
  /// Sequences that lie behind one another do not overlap.
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges(const KernelMemory& memory,
                                                            std::int64_t batch) const;
};

}  // namespace pyaclnn::sim
