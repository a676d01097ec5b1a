// SPDX-License-Identifier: MIT
#include "opapi/convolution/packed_weights.hpp"

#include <algorithm>

#include "core/thread_pool.hpp"

namespace pyaclnn::sim {

PackedWeights::PackedWeights(const GatherSums& sums, const Gather& gather, std::int64_t rows)
    : rows_(rows),
      lines_(cut_lines(sums.sources, std::int64_t(gather.taps.size()), kDepth)),
      weights_(
          std::max<std::int64_t>(1, sums.groups * std::int64_t(lines_.size()) * rows * kDepth)) {
  parallel_for(sums.groups * sums.results, 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      pack(sums, gather, i / sums.results, i % sums.results);
  });
}

void PackedWeights::pack(const GatherSums& sums, const Gather& gather, std::int64_t group,
                         std::int64_t row) {
  const float* from = sums.weight + group * sums.weight_group + row * sums.weight_result;
  float* to = weights_.data() + (group * std::int64_t(lines_.size()) * rows_ + row) * kDepth;
  for (const Lines& part : lines_) {
    float* line = to;
    for (std::int64_t i = part.channel; i < part.channel + part.channels; ++i) {
      for (std::int64_t tap = part.tap; tap < part.tap + part.taps; ++tap)
        *line++ = from[i * sums.weight_source + gather.taps[std::size_t(tap)].weight];
    }
    to += rows_ * kDepth;
  }
}

}  // namespace pyaclnn::sim
