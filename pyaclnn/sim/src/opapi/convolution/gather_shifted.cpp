// Convolutions without unfolding their source: in rows that are padded, what a tap sees of all
// positions lies behind one another, some elements further on. Positions at the end of a row that
// see the next one are computed and thrown away. With a stride, elements that are a stride apart
// make an image of their own, a phase, for each of those that taps see.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/scratch.hpp"
#include "opapi/convolution/packed_weights.hpp"
#include "opapi/convolution/shifted_tiles.hpp"
#include "opapi/convolution/sums.hpp"
#include "opapi/product/pairs.hpp"

namespace pyaclnn::sim {
namespace {

// Padded elements held at a time, for the second level cache.
constexpr std::int64_t kPadded = 3 << 15;
// With a stride, not where the phases of the least rows would take more.
constexpr std::int64_t kMostPadded = 4 * kPadded;
// Scratch memory is made that many times at most.
constexpr std::int64_t kPieces = 64;
// Offsets beyond are nobody's: what is computed with them must not overflow.
constexpr std::int64_t kFar = std::int64_t(1) << 32;
constexpr std::int64_t kLeastPlane = 96;
constexpr std::int64_t kMostRows = 8;  // of a tile
// Vectors that begin in the last row may end behind it.
constexpr std::int64_t kSlack = 64;

/// The first and last offset of an axis.
struct Reach {
  std::int64_t low;
  std::int64_t high;
  std::int64_t length() const { return high - low; }
};

/// Where a tap sees the first position: in which of the images, and how far from its first element.
struct Seen {
  Extents3 image;  // slice, and phases down and across
  std::int64_t down;
  std::int64_t across;
};

Seen seen_by(const Gather& gather, const Gather::Tap& tap) {
  const std::int64_t down = floor_divide(tap.offset[1], gather.step[1]);
  const std::int64_t across = floor_divide(tap.offset[2], gather.step[2]);
  return {{tap.offset[0], tap.offset[1] - down * gather.step[1],
           tap.offset[2] - across * gather.step[2]},
          down,
          across};
}

Reach reach_of(const Gather& gather, std::int64_t Seen::* distance) {
  const std::int64_t first = seen_by(gather, gather.taps[0]).*distance;
  Reach reach{first, first};
  for (const Gather::Tap& tap : gather.taps) {
    const std::int64_t far = seen_by(gather, tap).*distance;
    reach.low = std::min(reach.low, far);
    reach.high = std::max(reach.high, far);
  }
  return reach;
}

/// The images that taps see, in order.
std::vector<Extents3> images_of(const Gather& gather) {
  std::vector<Extents3> images;
  for (const Gather::Tap& tap : gather.taps) images.push_back(seen_by(gather, tap).image);
  std::sort(images.begin(), images.end());
  images.erase(std::unique(images.begin(), images.end()), images.end());
  return images;
}

/// Rows of positions that make some tiles.
std::int64_t least_rows(std::int64_t width) {
  return ceil_divide(4 * TileProducts::of_this_cpu().columns(), width);
}

/// The least of padded elements that have to be held of a channel.
std::int64_t padded_of(const Gather& gather) {
  const std::int64_t width = gather.positions[2] + reach_of(gather, &Seen::across).length();
  const std::int64_t rows = std::min(gather.positions[1], least_rows(width));
  return std::int64_t(images_of(gather).size()) * width *
         (rows + reach_of(gather, &Seen::down).length());
}

struct CopySpaced {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* from, std::int64_t step, std::int64_t count,
                                    float* to) {
    if (step == 2) {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) to[i] = from[2 * i];
    } else {
      for (std::int64_t i = 0; i < count; ++i) to[i] = from[i * step];
    }
  }
};

class GatherShifted {
 public:
  explicit GatherShifted(const GatherSums& sums)
      : s_(sums),
        gather_(sums.parts[0]),
        tiles_(sums.of_pairs ? *pair_products() : TileProducts::of_this_cpu()),
        products_(sums.of_pairs ? *shifted_pair_products() : *shifted_products()),
        rows_(sums.results == 1 ? 1 : round_up(sums.results, tiles_.rows)),
        weights_(sums, gather_, rows_, PackedWeights::When::kAlways),
        down_(reach_of(gather_, &Seen::down)),
        across_(reach_of(gather_, &Seen::across)),
        width_(gather_.positions[2] + across_.length()),
        images_(images_of(gather_)),
        copy_spaced_(
            wide_loop_for_cpu<CopySpaced, const float*, std::int64_t, std::int64_t, float*>()) {
    // Rows of a block: as many as fit, and some tiles at least.
    const std::int64_t line = s_.sources * std::int64_t(images_.size()) * width_;
    block_ = std::max(kPadded / line - down_.length(), least_rows(width_));
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
    share_out([this](std::int64_t plane, std::int64_t slice, std::int64_t first, std::int64_t count,
                     const float* padded) {
      multiply(plane, count, padded, s_.result + place(plane, slice, first), s_.result_plane());
    });
  }

  void run(TakeValues take) {
    share_out([this, take](std::int64_t plane, std::int64_t slice, std::int64_t first,
                           std::int64_t count, const float* padded) {
      const std::int64_t step = count * gather_.positions[2];
      const Scratch<float> sums(s_.results * step);
      multiply(plane, count, padded, sums.data(), step);
      for (std::int64_t i = 0; i < s_.results; ++i)
        take(place(plane, slice, first) + i * s_.result_plane(), step, sums.data() + i * step);
    });
  }

 private:
  /// Of the first of some rows of positions, in the first result channel of a sample and group.
  std::int64_t place(std::int64_t plane, std::int64_t slice, std::int64_t first) const {
    return plane * s_.results * s_.result_plane() +
           (slice * gather_.positions[1] + first) * gather_.positions[2];
  }

  /// Calls multiply_rows(plane, slice, first row, rows, padded) for all rows of positions.
  template <class Multiply>
  void share_out(Multiply multiply_rows) const {
    const std::int64_t blocks = ceil_divide(gather_.positions[1], block_);
    const std::int64_t tasks = s_.samples * s_.groups * gather_.positions[0] * blocks;
    parallel_for(tasks, ceil_divide(tasks, kPieces), [&](std::int64_t begin, std::int64_t end) {
      const FloatBuffer padded(s_.sources * image_step() * std::int64_t(images_.size()) + kSlack);
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t first = task % blocks * block_;
        const std::int64_t slice = task / blocks % gather_.positions[0];
        const std::int64_t plane = task / blocks / gather_.positions[0];  // sample and group
        const std::int64_t count = std::min(block_, gather_.positions[1] - first);
        pad(plane, slice, first, count, padded.data());
        multiply_rows(plane, slice, first, count, padded.data());
      }
    });
  }

  /// Never a multiple of a page, whose lines would meet in the same places of the caches.
  std::int64_t image_step() const { return round_up(held_ * width_, 32) + 16; }

  std::int64_t offset_of(std::int64_t channel, const Gather::Tap& tap) const {
    const Seen seen = seen_by(gather_, tap);
    const auto image = std::lower_bound(images_.begin(), images_.end(), seen.image);
    return (channel * std::int64_t(images_.size()) + (image - images_.begin())) * image_step() +
           (seen.down - down_.low) * width_ + seen.across - across_.low;
  }

  /// Copies what the positions of some rows see, with zeros for what lies outside.
  void pad(std::int64_t plane, std::int64_t position, std::int64_t first, std::int64_t count,
           float* to) const {
    for (std::int64_t channel = 0; channel < s_.sources; ++channel) {
      const std::int64_t from = (plane * s_.sources + channel) * s_.source_plane();
      for (const Extents3& image : images_) {
        pad_image(from, image, position * gather_.step[0] + image[0], first + down_.low,
                  count + down_.length(), to);
        to += image_step();
      }
    }
  }

  /// Rows of an image from `first` on; the plane begins with element `from` of the source.
  void pad_image(std::int64_t from, const Extents3& image, std::int64_t depth, std::int64_t first,
                 std::int64_t count, float* to) const {
    const Extents3& source = gather_.source;
    const std::int64_t step = gather_.step[2];
    // Elements of a row that lie inside.
    const std::int64_t begin = std::clamp<std::int64_t>(-across_.low, 0, width_);
    const std::int64_t all = floor_divide(source[2] - image[2] + step - 1, step);
    const std::int64_t end = std::clamp<std::int64_t>(all - across_.low, begin, width_);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t row = (first + i) * gather_.step[1] + image[1];
      float* line = to + i * width_;
      if (depth < 0 || depth >= source[0] || row < 0 || row >= source[1]) {
        std::fill_n(line, width_, 0.0f);
        continue;
      }
      const std::int64_t seen = from + (depth * source[1] + row) * source[2];
      std::fill(line, line + begin, 0.0f);
      if (begin < end)
        copy(seen + (begin + across_.low) * step + image[2], step, end - begin, line + begin);
      std::fill(line + end, line + width_, 0.0f);
    }
  }

  void copy(std::int64_t from, std::int64_t step, std::int64_t count, float* to) const {
    if (s_.load != nullptr) {
      s_.load(s_.unconverted + from * s_.unconverted_size, step, count, to);
    } else if (step == 1) {
      std::copy_n(s_.source + from, count, to);
    } else {
      copy_spaced_(s_.source + from, step, count, to);
    }
  }

  /// `result`: where the first position goes; result channels lie `channel` apart.
  void multiply(std::int64_t plane, std::int64_t count, const float* padded, float* result,
                std::int64_t channel) const {
    const std::int64_t columns = (count - 1) * width_ + gather_.positions[2];
    alignas(64) float tile[TileProducts::kMostElements];
    const std::int64_t* offsets = offsets_.data();
    for (std::size_t piece = 0; piece < weights_.lines().size(); ++piece) {
      const std::int64_t depth = weights_.lines()[piece].count();
      const float* weights = weights_.of(plane % s_.groups, piece);
      const bool ends = piece + 1 == weights_.lines().size();
      for (std::int64_t column = 0; column < columns; column += tiles_.columns()) {
        const std::int64_t wide = std::min(tiles_.columns(), columns - column);
        const std::int64_t vectors = ceil_divide(wide, tiles_.lanes);
        for (std::int64_t row = 0; row < s_.results; row += tiles_.rows) {
          const std::int64_t high = std::min(tiles_.rows, s_.results - row);
          const ShiftedProduct* products = products_of(high);
          products[vectors - 1](weights + row * kDepth, padded + column, offsets, depth, tile);
          float more[kMostRows];
          for (std::int64_t i = 0; i < high; ++i)
            more[i] = ends ? s_.bias_of(plane % s_.groups * s_.results + row + i) : -0.0f;
          put(tile, vectors * tiles_.lanes, {high, column, wide, piece > 0}, more,
              result + row * channel, channel);
        }
      }
      offsets += depth;
    }
  }

  const ShiftedProduct* products_of(std::int64_t high) const {
    if (s_.results == 1) return products_.single;
    return high * 2 > tiles_.rows ? products_.whole : products_.half;
  }

  struct Place {
    std::int64_t high;
    std::int64_t column;  // the first
    std::int64_t wide;
    bool adds;
  };

  /// Writes those columns of a tile that are positions and a number for each row, or adds them.
  void put(const float* tile, std::int64_t tile_step, const Place& at, const float* more,
           float* result, std::int64_t channel) const {
    const std::int64_t across = gather_.positions[2];
    for (std::int64_t i = 0; i < at.wide;) {
      const std::int64_t line = (at.column + i) / width_;
      const std::int64_t place = (at.column + i) % width_;
      const std::int64_t left = std::min(width_ - place, at.wide - i);
      const std::int64_t count = std::min(across - place, left);
      float* to = result + line * across + place;
      for (std::int64_t row = 0; row < (count > 0 ? at.high : 0); ++row) {
        const float* from = tile + row * tile_step + i;
        float* target = to + row * channel;
        const float extra = more[row];
        if (at.adds) {
          for (std::int64_t k = 0; k < count; ++k) target[k] = target[k] + from[k] + extra;
        } else {
          for (std::int64_t k = 0; k < count; ++k) target[k] = from[k] + extra;
        }
      }
      i += left;
    }
  }

  const GatherSums& s_;
  const Gather& gather_;
  const TileProducts& tiles_;
  const ShiftedProducts& products_;
  std::int64_t rows_;  // whole tiles, or one
  PackedWeights weights_;
  Reach down_;
  Reach across_;
  std::int64_t width_;  // of a padded row
  std::vector<Extents3> images_;
  void (*copy_spaced_)(const float*, std::int64_t, std::int64_t, float*);
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
  if (gather.taps.empty() || gather.spacing != kOnes || gather.first != kZeros ||
      gather.result != gather.positions || product(gather.positions) == 0 || sums.sources == 0)
    return false;
  for (std::int64_t step : gather.step)
    if (step > kFar) return false;
  for (const Gather::Tap& tap : gather.taps) {
    for (std::int64_t offset : tap.offset)
      if (offset < -kFar || offset > kFar) return false;
  }
  // Not where most would be padding, or where a plane has few tiles.
  const std::int64_t down = gather.positions[1];
  const std::int64_t across = gather.positions[2];
  return reach_of(gather, &Seen::across).length() <= across / 8 &&
         reach_of(gather, &Seen::down).length() <= down && down * across >= kLeastPlane &&
         (gather.step == kOnes || sums.sources * padded_of(gather) <= kMostPadded);
}

void gather_shifted(const GatherSums& sums) { GatherShifted(sums).run(); }
void gather_shifted(const GatherSums& sums, TakeValues take) { GatherShifted(sums).run(take); }

}  // namespace pyaclnn::sim
