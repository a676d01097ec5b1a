// Integers that lie close together: what is different among them is found by counting each.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/flat.hpp"

namespace pyaclnn::sim {

/// How often each key from `least` on is there; empty where keys were not counted.
struct KeyCounts {
  std::uint64_t least = 0;
  std::vector<std::int64_t> counts;
};

/// Counts the keys of elements if they are integers and few values are possible between the least
/// and the largest of them.
KeyCounts count_keys(const KernelMemory& memory, const FlatView& from, aclDataType dtype);

/// Writes numbers[key - least] for the key of each element.
void write_by_key(const KernelMemory& memory, const FlatView& from, aclDataType dtype,
                  std::uint64_t least, const std::vector<std::int64_t>& numbers,
                  const FlatView& to);

}  // namespace pyaclnn::sim
