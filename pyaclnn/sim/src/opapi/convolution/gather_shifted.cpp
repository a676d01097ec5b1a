// Convolutions with a stride of one, without unfolding their source: in rows that are padded, what
// a tap sees of all positions lies behind one another, some elements further on. Positions at the
// end of a row that see the next one are computed and thrown away.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/convolution/packed_weights.hpp"
#include "opapi/convolution/shifted_tiles.hpp"
#include "opapi/convolution/sums.hpp"

namespace pyaclnn::sim {
namespace {

// Padded elements held at a time, for the second level cache.
constexpr std::int64_t kPadded = 3 << 15;
// Scratch memory is made that many times at most.
constexpr std::int64_t kPieces = 64;
// Offsets beyond are nobody's: what is computed with them must not overflow.
constexpr std::int64_t kFar = std::int64_t(1) << 32;
constexpr std::int64_t kLeastPlane = 96;
// Vectors that begin in the last row may end behind it.
constexpr std::int64_t kSlack = 64;

/// The first and last offset of an axis.
struct Reach {
  std::int64_t low;
  std::int64_t high;
  std::int64_t length() const { return high - low; }
};

Reach reach_of(const Gather& gather, std::size_t axis) {
  Reach reach{gather.taps[0].offset[axis], gather.taps[0].offset[axis]};
  for (const Gather::Tap& tap : gather.taps) {
    reach.low = std::min(reach.low, tap.offset[axis]);
    reach.high = std::max(reach.high, tap.offset[axis]);
  }
  return reach;
}

class GatherShifted {
 public:
  explicit GatherShifted(const GatherSums& sums)
      : s_(sums),
        gather_(sums.parts[0]),
        tiles_(TileProducts::of_this_cpu()),
        products_(*shifted_products()),
        rows_(round_up(sums.results, tiles_.rows)),
        weights_(sums, gather_, rows_),
        down_(reach_of(gather_, 1)),
        across_(reach_of(gather_, 2)),
        width_(gather_.positions[2] + across_.length()) {
    for (const Gather::Tap& tap : gather_.taps) slices_.push_back(tap.offset[0]);
    std::sort(slices_.begin(), slices_.end());
    slices_.erase(std::unique(slices_.begin(), slices_.end()), slices_.end());
    // Rows of a block: as many as fit, and some tiles at least.
    const std::int64_t line = s_.sources * std::int64_t(slices_.size()) * width_;
    const std::int64_t least = ceil_divide(4 * tiles_.columns(), width_);
    block_ = std::max(kPadded / line - down_.length(), least);
    block_ = std::clamp<std::int64_t>(block_, 1, gather_.positions[1]);
    held_ = block_ + down_.length();
    for (const Lines& lines : weights_.lines()) {
      for (std::int64_t channel = lines.channel; channel < lines.channel + lines.channels;
           ++channel) {
        for (std::int64_t tap = lines.tap; tap < lines.tap + lines.taps; ++tap)
          offsets_.push_back(offset_of(channel, gather_.taps[std::size_t(tap)]));
      }
    }
  }

  void run() {
    const std::int64_t blocks = ceil_divide(gather_.positions[1], block_);
    const std::int64_t tasks = s_.samples * s_.groups * gather_.positions[0] * blocks;
    parallel_for(tasks, ceil_divide(tasks, kPieces), [&](std::int64_t begin, std::int64_t end) {
      const FloatBuffer padded(s_.sources * slice_step() * std::int64_t(slices_.size()) + kSlack);
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t first = task % blocks * block_;
        const std::int64_t slice = task / blocks % gather_.positions[0];
        const std::int64_t plane = task / blocks / gather_.positions[0];  // sample and group
        const std::int64_t count = std::min(block_, gather_.positions[1] - first);
        pad(plane, slice, first, count, padded.data());
        multiply(plane, slice, first, count, padded.data());
      }
    });
  }

 private:
  /// Never a multiple of a page, whose lines would meet in the same places of the caches.
  std::int64_t slice_step() const { return round_up(held_ * width_, 32) + 16; }

  std::int64_t offset_of(std::int64_t channel, const Gather::Tap& tap) const {
    const auto slice = std::lower_bound(slices_.begin(), slices_.end(), tap.offset[0]);
    return (channel * std::int64_t(slices_.size()) + (slice - slices_.begin())) * slice_step() +
           (tap.offset[1] - down_.low) * width_ + tap.offset[2] - across_.low;
  }

  /// Copies what the positions of some rows see, with zeros for what lies outside.
  void pad(std::int64_t plane, std::int64_t position, std::int64_t first, std::int64_t count,
           float* to) const {
    const Extents3& source = gather_.source;
    const std::int64_t begin = std::clamp<std::int64_t>(-across_.low, 0, width_);
    const std::int64_t end = std::clamp<std::int64_t>(source[2] - across_.low, begin, width_);
    for (std::int64_t channel = 0; channel < s_.sources; ++channel) {
      const float* from = s_.source + (plane * s_.sources + channel) * s_.source_plane();
      for (std::int64_t slice : slices_) {
        const std::int64_t depth = position + slice;
        for (std::int64_t i = 0; i < count + down_.length(); ++i) {
          const std::int64_t row = first + down_.low + i;
          float* line = to + i * width_;
          if (depth < 0 || depth >= source[0] || row < 0 || row >= source[1]) {
            std::fill_n(line, width_, 0.0f);
            continue;
          }
          const float* seen = from + (depth * source[1] + row) * source[2];
          std::fill(line, line + begin, 0.0f);
          if (begin < end) std::copy_n(seen + begin + across_.low, end - begin, line + begin);
          std::fill(line + end, line + width_, 0.0f);
        }
        to += slice_step();
      }
    }
  }

  void multiply(std::int64_t plane, std::int64_t slice, std::int64_t first, std::int64_t count,
                const float* padded) const {
    const std::int64_t columns = (count - 1) * width_ + gather_.positions[2];
    float* result = s_.result + plane * s_.results * s_.result_plane() +
                    (slice * gather_.positions[1] + first) * gather_.positions[2];
    alignas(64) float tile[TileProducts::kMostElements];
    const std::int64_t* offsets = offsets_.data();
    for (std::size_t piece = 0; piece < weights_.lines().size(); ++piece) {
      const std::int64_t depth = weights_.lines()[piece].count();
      const float* weights = weights_.of(plane % s_.groups, piece);
      for (std::int64_t column = 0; column < columns; column += tiles_.columns()) {
        const std::int64_t wide = std::min(tiles_.columns(), columns - column);
        const std::int64_t vectors = ceil_divide(wide, tiles_.lanes);
        for (std::int64_t row = 0; row < s_.results; row += tiles_.rows) {
          const std::int64_t high = std::min(tiles_.rows, s_.results - row);
          const ShiftedProduct* products =
              high * 2 > tiles_.rows ? products_.whole : products_.half;
          products[vectors - 1](weights + row * kDepth, padded + column, offsets, depth, tile);
          put(tile, vectors * tiles_.lanes, high, column, wide, result + row * s_.result_plane(),
              piece > 0);
        }
      }
      offsets += depth;
    }
  }

  /// Writes those columns of a tile that are positions, or adds them.
  void put(const float* tile, std::int64_t tile_step, std::int64_t high, std::int64_t column,
           std::int64_t wide, float* result, bool adds) const {
    const std::int64_t across = gather_.positions[2];
    for (std::int64_t i = 0; i < wide;) {
      const std::int64_t line = (column + i) / width_;
      const std::int64_t place = (column + i) % width_;
      const std::int64_t left = std::min(width_ - place, wide - i);
      const std::int64_t count = std::min(across - place, left);
      float* to = result + line * across + place;
      for (std::int64_t row = 0; row < (count > 0 ? high : 0); ++row) {
        const float* from = tile + row * tile_step + i;
        float* target = to + row * s_.result_plane();
        if (adds) {
          for (std::int64_t k = 0; k < count; ++k) target[k] += from[k];
        } else {
          for (std::int64_t k = 0; k < count; ++k) target[k] = from[k];
        }
      }
      i += left;
    }
  }

  const GatherSums& s_;
  const Gather& gather_;
  const TileProducts& tiles_;
  const ShiftedProducts& products_;
  std::int64_t rows_;  // whole tiles
  PackedWeights weights_;
  Reach down_;
  Reach across_;
  std::int64_t width_;                 // of a padded row
  std::vector<std::int64_t> slices_;   // the different offsets along the first axis
  std::vector<std::int64_t> offsets_;  // of all lines
  std::int64_t block_ = 1;             // rows of positions
  std::int64_t held_ = 1;              // rows that these see
};

constexpr Extents3 kOnes{1, 1, 1};
constexpr Extents3 kZeros{0, 0, 0};

}  // namespace

bool is_shifted(const GatherSums& sums) {
  if (sums.parts.size() != 1 || shifted_products() == nullptr) return false;
  const Gather& gather = sums.parts[0];
  if (gather.taps.empty() || gather.step != kOnes || gather.spacing != kOnes ||
      gather.first != kZeros || gather.result != gather.positions ||
      product(gather.positions) == 0 || sums.sources == 0)
    return false;
  for (const Gather::Tap& tap : gather.taps) {
    for (std::int64_t offset : tap.offset)
      if (offset < -kFar || offset > kFar) return false;
  }
  // Not where most would be padding, or where a plane has few tiles.
  const std::int64_t down = gather.positions[1];
  const std::int64_t across = gather.positions[2];
  return reach_of(gather, 2).length() <= across / 8 && reach_of(gather, 1).length() <= down &&
         down * across >= kLeastPlane;
}

void gather_shifted(const GatherSums& sums) { GatherShifted(sums).run(); }

}  // namespace pyaclnn::sim
