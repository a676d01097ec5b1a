// SPDX-License-Identifier: MIT
#include "opapi/attention/tokens.hpp"

#include <algorithm>

#include "opapi/common/integers.hpp"

namespace pyaclnn::sim {

std::vector<std::pair<std::int64_t, std::int64_t>> Tokens::ranges(const KernelMemory& memory,
                                                                  std::int64_t batch) const {
  std::vector<std::pair<std::int64_t, std::int64_t>> result;
  std::vector<std::int64_t> ends;
  std::vector<std::int64_t> lengths;
  if (sums.has_value()) ends = integers_of(*sums, memory);
  if (used.has_value()) lengths = integers_of(*used, memory);
  const std::int64_t rows = view.shape[2];
  // A sequence has a page once.
  const std::int64_t most =
      pages.has_value() ? rows * std::min(pages->shape[1], view.shape[0]) : rows;
  std::int64_t last = 0;
  for (std::size_t b = 0; b < static_cast<std::size_t>(batch); ++b) {
    std::int64_t first = 0;
    std::int64_t count = most;
    if (sums.has_value()) {
      first = std::clamp(ends[b], last, rows);
      last = std::clamp(ends[b + 1], first, rows);
      count = last - first;
    }
    if (used.has_value()) count = std::clamp<std::int64_t>(lengths[b], 0, count);
    result.emplace_back(first, count);
  }
  return result;
}

}  // namespace pyaclnn::sim
