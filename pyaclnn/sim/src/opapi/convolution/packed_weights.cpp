// SPDX-License-Identifier: MIT
#include "opapi/convolution/packed_weights.hpp"

#include <algorithm>

#include "core/thread_pool.hpp"

namespace pyaclnn::sim {
PackedWeights::PackedWeights(const GatherSums& sums, const Gather& gather, std::int64_t rows,
                             When when)
    : sums_(sums),
      gather_(gather),
      rows_(rows),
      when_(when),
      lines_(cut_lines(sums.sources, std::int64_t(gather.taps.size()), kDepth)),
      lie_(when != When::kAlways && lie_in_order()),
      weights_(
          FloatBuffer::unset(lie_ || when == When::kByUser
                                 ? 0
                                 : sums.groups * std::int64_t(lines_.size()) * rows * kDepth)) {
  if (lie_ || when == When::kByUser) return;
  const auto pieces = static_cast<std::int64_t>(lines_.size());
  parallel_for(sums.groups * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      pack(i / pieces, std::size_t(i % pieces), 0, rows, weights_.data() + i * rows * kDepth);
  });
}

/// Whether a row's weights lie behind one another as its lines do, and fill whole tiles.
bool PackedWeights::lie_in_order() const {
  if (rows_ != sums_.results || sums_.weight_source != std::int64_t(gather_.taps.size()))
    return false;
  for (std::size_t tap = 0; tap < gather_.taps.size(); ++tap)
    if (gather_.taps[tap].weight != std::int64_t(tap)) return false;
  return true;
}

void PackedWeights::pack(std::int64_t group, std::size_t piece, std::int64_t first,
                         std::int64_t end, float* to) const {
  // Rows packed together: of a gradient they are neighbours in memory, the channels are far apart.
  constexpr std::int64_t kRows = 16;
  const Lines& part = lines_[piece];
  const float* from = sums_.weight + group * sums_.weight_group;
  const std::int64_t given = std::min(end, sums_.results);
  for (std::int64_t block = first; block < given; block += kRows) {
    std::int64_t line = 0;
    for (std::int64_t i = part.channel; i < part.channel + part.channels; ++i, line += part.taps) {
      const float* channel = from + i * sums_.weight_source;
      for (std::int64_t row = block; row < std::min(block + kRows, given); ++row) {
        const float* weights = channel + row * sums_.weight_result;
        float* packed = to + row * kDepth + line;
        for (std::int64_t tap = 0; tap < part.taps; ++tap)
          packed[tap] = weights[gather_.taps[std::size_t(part.tap + tap)].weight];
      }
    }
  }
  for (std::int64_t row = std::max(first, given); row < end; ++row)
    std::fill_n(to + row * kDepth, part.count(), 0.0f);
}

}  // namespace pyaclnn::sim
