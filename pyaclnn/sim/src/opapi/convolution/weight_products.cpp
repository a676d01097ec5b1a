// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "core/config.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/scratch.hpp"
#include "opapi/convolution/columns.hpp"
#include "opapi/convolution/sums.hpp"
#include "opapi/product/matrix.hpp"
#include "opapi/product/pairs.hpp"

namespace pyaclnn::sim {

namespace {

// Largest weight of a group that is summed in several copies beside one another.
constexpr std::int64_t kCopied = 1 << 16;
// Its pieces by channels, and the lines that one has at least: each lays out the results again.
constexpr std::int64_t kSmallPieces = 4;
constexpr std::int64_t kPieceLines = 96;
// Lines whose weights are finished together: those of a result channel fill a cache line.
constexpr std::int64_t kFinished = 16;
constexpr std::int64_t kPairs = kDepth / 2;
// Floats between lines that are turned round: whole pages apart they would share a line of the
// cache.
constexpr std::int64_t kApart = 16;

/// Adds a tile of floats to sums, or makes the first of it.
struct AddTile {
  template <Isa isa>
  static SIM_ALWAYS_INLINE void run(const float* tile, std::int64_t rows, std::int64_t columns,
                                    double* sums, std::int64_t step, bool adds) {
    for (std::int64_t row = 0; row < rows; ++row) {
      if (adds) {
        for (std::int64_t i = 0; i < columns; ++i) sums[i] += double(tile[i]);
      } else {
        for (std::int64_t i = 0; i < columns; ++i) sums[i] = double(tile[i]);
      }
      tile += columns;
      sums += step;
    }
  }
};

/// By group, the unfolded source times the result, both by position: lines by result channels.
class WeightProducts {
 public:
  explicit WeightProducts(const WeightSums& sums)
      : s_(sums),
        of_pairs_(sums.of_bfloat16 && pair_products() != nullptr),
        products_(of_pairs_ ? *pair_products() : TileProducts::of_this_cpu()),
        add_(loop_for_cpu<AddTile, const float*, std::int64_t, std::int64_t, double*, std::int64_t,
                          bool>()) {
    const std::int64_t vectors = ceil_divide(s_.results, products_.lanes);
    const std::int64_t panels = ceil_divide(vectors, TileProducts::kVectors);
    width_ = ceil_divide(vectors, panels) * products_.lanes;
    padded_results_ = vectors * products_.lanes;
    lines_ = s_.sources * s_.taps();
    blocks_ = ceil_divide(s_.samples * s_.result_plane(), kDepth);
    // A large weight is shared out by source channels; a small one, besides, summed in copies.
    const std::int64_t wanted = ceil_divide(kTasks, s_.groups);
    const bool is_small = lines_ * s_.results <= kCopied;
    const std::int64_t several = std::clamp<std::int64_t>(lines_ / kPieceLines, 1, kSmallPieces);
    // Pieces of a large one lay out the results again each, and change no sum.
    const std::int64_t shared = ceil_divide(std::int64_t(config().threads), s_.groups);
    pieces_ = std::min(is_small ? several : shared, s_.sources);
    copies_ = is_small ? std::min(ceil_divide(wanted, pieces_), blocks_) : 1;
    if (blocks_ > 1) sums_ = Scratch<double>(copies_ * s_.groups * lines_ * padded_results_);
  }

  void run() {
    const std::int64_t tasks = s_.groups * copies_ * pieces_;
    parallel_for(tasks, ceil_divide(tasks, 4 * kTasks), [&](std::int64_t begin, std::int64_t end) {
      const Room scratch(padded_results_, of_pairs_, blocks_ == 1);
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t piece = task % pieces_;
        const std::int64_t copy = task / pieces_ / s_.groups;
        const std::int64_t channel = s_.sources * piece / pieces_;
        add_blocks(task / pieces_ % s_.groups, copy, channel,
                   s_.sources * (piece + 1) / pieces_ - channel, scratch);
      }
    });
    if (blocks_ == 1) return;
    const std::int64_t parts = ceil_divide(lines_, kFinished);
    parallel_for(s_.groups * parts, 8, [&](std::int64_t begin, std::int64_t end) {
      const FloatBuffer room = FloatBuffer::unset(kFinished * room_step());
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t first = i % parts * kFinished;
        finish(i / parts, first, std::min(kFinished, lines_ - first),
               sums_of(0, i / parts) + first * padded_results_, room.data());
      }
    });
  }

 private:
  struct Room {
    Room(std::int64_t results, bool of_pairs, bool one_block)
        : unfolded((kDepth + 8) * kDepth),
          transposed(results * kDepth),
          unfolded_pairs(of_pairs ? (kDepth + 8) * kPairs : 0),
          transposed_pairs(of_pairs ? results * kPairs : 0),
          sums(one_block ? (kDepth + 8) * results : 1),
          room(FloatBuffer::unset(one_block ? kFinished * (results + kApart) : 1)) {}
    FloatBuffer unfolded;
    FloatBuffer transposed;
    // Two of the depth in the place of one.
    FloatBuffer unfolded_pairs;
    FloatBuffer transposed_pairs;
    // Of some lines, which are finished at once where there is one block of positions.
    Scratch<double> sums;
    FloatBuffer room;
  };

  std::int64_t room_step() const { return padded_results_ + kApart; }

  double* sums_of(std::int64_t copy, std::int64_t group) {
    return sums_.data() + (copy * s_.groups + group) * lines_ * padded_results_;
  }

  /// Adds a copy's positions, for some source channels.
  void add_blocks(std::int64_t group, std::int64_t copy, std::int64_t channel,
                  std::int64_t channels, const Room& scratch) {
    Columns columns(s_.gather, s_.groups * s_.sources * s_.source_plane(),
                    s_.groups * s_.results * s_.result_plane());
    const float* source = s_.source + (group * s_.sources + channel) * s_.source_plane();
    const std::vector<Lines> cut = cut_lines(channels, s_.taps(), kDepth);
    std::int64_t line = channel * s_.taps();
    double* const sums =
        blocks_ > 1 ? sums_of(copy, group) + line * padded_results_ : scratch.sums.data();
    const std::int64_t begin = blocks_ * copy / copies_;
    const std::int64_t last = blocks_ * (copy + 1) / copies_;
    for (std::int64_t block = begin; block < last; ++block) {
      const std::int64_t first = block * kDepth;
      columns.set(first, std::min(kDepth, s_.samples * s_.result_plane() - first), kDepth);
      transpose_results(columns, group, scratch.transposed.data());
      if (of_pairs_) pair_results(columns.count(), scratch);
      double* to = sums;
      for (const Lines& lines : cut) {
        columns.unfold(source, s_.source_plane(), lines, scratch.unfolded.data(), 0, kDepth);
        multiply(lines.count(), columns.count(), scratch, to, block > begin);
        if (blocks_ > 1) {
          to += lines.count() * padded_results_;
          continue;
        }
        for (std::int64_t i = 0; i < lines.count(); i += kFinished)
          finish(group, line + i, std::min(kFinished, lines.count() - i), to + i * padded_results_,
                 scratch.room.data());
        line += lines.count();
      }
    }
  }

  /// Lays out the results of a block: panels of channels, in them a line for each position.
  void transpose_results(const Columns& columns, std::int64_t group, float* to) const {
    const float* result = s_.result + group * s_.results * s_.result_plane();
    for (const Columns::Run& run : columns.runs(0)) {
      for (std::int64_t i = 0; i < s_.results; i += width_) {
        transpose(result + run.result + i * s_.result_plane(), s_.result_plane(),
                  std::min(width_, s_.results - i), run.length,
                  to + i * kDepth + run.column * panel_width(i), panel_width(i));
      }
    }
  }
  std::int64_t panel_width(std::int64_t first) const {
    return std::min(width_, padded_results_ - first);
  }

  void pair_results(std::int64_t depth, const Room& scratch) const {
    for (std::int64_t i = 0; i < padded_results_; i += width_) {
      const std::int64_t wide = panel_width(i);
      pair_lines(scratch.transposed.data() + i * kDepth, wide, depth, wide,
                 scratch.transposed_pairs.data() + i * kPairs, wide);
    }
  }

  void multiply(std::int64_t lines, std::int64_t depth, const Room& scratch, double* sums,
                bool adds) const {
    const float* left = scratch.unfolded.data();
    const float* right = scratch.transposed.data();
    std::int64_t step = kDepth;
    if (of_pairs_) {
      round_lines(left, kDepth, lines, depth, scratch.unfolded_pairs.data(), kPairs);
      left = scratch.unfolded_pairs.data();
      right = scratch.transposed_pairs.data();
      step = kPairs;
      depth = pairs_of(depth);
    }
    alignas(64) float tile[TileProducts::kMostElements];
    for (std::int64_t i = 0; i < padded_results_; i += width_) {
      const std::int64_t wide = panel_width(i);
      for (std::int64_t line = 0; line < lines; line += products_.rows) {
        const std::int64_t high = std::min(products_.rows, lines - line);
        const TileProduct* products = high * 2 > products_.rows ? products_.whole : products_.half;
        products[wide / products_.lanes - 1](left + line * step, step, right + i * step, wide,
                                             depth, tile);
        add_(tile, high, wide, sums + line * padded_results_ + i, padded_results_, adds);
      }
    }
  }

  /// Some lines of the weights, from the sums of all copies: `from` is where those of the first
  /// are.
  void finish(std::int64_t group, std::int64_t first, std::int64_t count, const double* from,
              float* room) const {
    const std::int64_t step = room_step();
    const std::int64_t copy = s_.groups * lines_ * padded_results_;
    for (std::int64_t line = 0; line < count; ++line, from += padded_results_) {
      for (std::int64_t i = 0; i < padded_results_; ++i) {
        double sum = 0.0 + from[i];  // no negative zero
        for (std::int64_t other = 1; other < copies_; ++other) sum += from[other * copy + i];
        room[line * step + i] = float(sum);
      }
    }
    transpose(room, step, count, s_.results, s_.weight + group * s_.results * lines_ + first,
              lines_);
  }

  const WeightSums& s_;
  bool of_pairs_;  // of bfloat16 along the depth
  const TileProducts& products_;
  void (*add_)(const float*, std::int64_t, std::int64_t, double*, std::int64_t, bool);
  std::int64_t width_;           // of a panel of result channels
  std::int64_t padded_results_;  // whole vectors
  std::int64_t lines_;
  std::int64_t blocks_;  // of positions
  std::int64_t pieces_;
  std::int64_t copies_;
  Scratch<double> sums_;  // by copy, group, line, result channel
};

}  // namespace

void weight_by_products(const WeightSums& sums) { WeightProducts(sums).run(); }

}  // namespace pyaclnn::sim
