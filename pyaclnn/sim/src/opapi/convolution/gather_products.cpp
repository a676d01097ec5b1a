// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "core/config.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/convolution/columns.hpp"
#include "opapi/convolution/packed_weights.hpp"
#include "opapi/convolution/sums.hpp"
#include "opapi/product/matrix.hpp"
#include "opapi/product/pairs.hpp"

namespace pyaclnn::sim {

namespace {

// Unfolded elements held at a time, for the second level cache.
constexpr std::int64_t kUnfolded = 3 << 14;
// Scratch memory is made that many times at most.
constexpr std::int64_t kPieces = 64;

/// Writes a tile and a number for each of its rows to the result, or adds them.
struct PutTile {
  template <Isa isa>
  static SIM_ALWAYS_INLINE void run(const float* tile, std::int64_t tile_step, std::int64_t rows,
                                    const Columns::Run* run, const Columns::Run* last,
                                    float* result, std::int64_t channel, std::int64_t spacing,
                                    bool adds, const float* more) {
    for (; run != last; ++run) {
      for (std::int64_t row = 0; row < rows; ++row) {
        const float* from = tile + row * tile_step + run->column;
        float* to = result + row * channel + run->result;
        const float extra = more[row];
        if (spacing != 1) {
          for (std::int32_t i = 0; i < run->length; ++i)
            to[i * spacing] = (adds ? to[i * spacing] : -0.0f) + from[i] + extra;
        } else if (adds) {
          for (std::int32_t i = 0; i < run->length; ++i) to[i] = to[i] + from[i] + extra;
        } else {
          for (std::int32_t i = 0; i < run->length; ++i) to[i] = from[i] + extra;
        }
      }
    }
  }
};

class GatherProducts {
 public:
  explicit GatherProducts(const GatherSums& sums)
      : s_(sums),
        products_(sums.of_pairs ? *pair_products() : TileProducts::of_this_cpu()),
        rows_(round_up(sums.results, products_.rows)),
        put_(loop_for_cpu<PutTile, const float*, std::int64_t, std::int64_t, const Columns::Run*,
                          const Columns::Run*, float*, std::int64_t, std::int64_t, bool,
                          const float*>()),
        nothing_(std::size_t(sums.results), -0.0f),
        bias_(std::size_t(sums.groups * sums.results)) {
    for (std::size_t i = 0; i < bias_.size(); ++i) bias_[i] = sums.bias_of(std::int64_t(i));
    std::int64_t deepest = 1;  // lines of a piece
    std::int64_t most_columns = 0;
    for (const Gather& gather : s_.parts) {
      for (const Lines& lines : cut_lines(s_.sources, std::int64_t(gather.taps.size()), kDepth))
        deepest = std::max(deepest, lines.count());
      most_columns = std::max(most_columns, columns_of(gather));
    }
    const std::int64_t width = products_.columns();
    const std::int64_t block = std::max<std::int64_t>(4, kUnfolded / deepest / width) * width;
    blocks_ = ceil_divide(most_columns, block);
    room_ = round_up(std::min(block, most_columns), width) * deepest;
    // Weights that one block needs are packed piece by piece, into the second level cache.
    using When = PackedWeights::When;
    for (const Gather& gather : s_.parts)
      parts_.emplace_back(gather, s_, rows_, blocks_ == 1 ? When::kByUser : When::kAtOnce);
  }

  void run() {
    const std::int64_t chunks = std::clamp<std::int64_t>(kTasks / blocks_, 1, s_.groups);
    // Each piece of the rows unfolds the columns again: no more of them than threads that wait.
    const std::int64_t idle = std::int64_t(config().threads) / (blocks_ * chunks);
    const std::int64_t pieces =
        std::clamp<std::int64_t>(idle, 1, ceil_divide(rows_, 4 * products_.rows));
    const std::int64_t tasks = blocks_ * chunks * pieces;
    parallel_for(tasks, ceil_divide(tasks, kPieces), [&](std::int64_t begin, std::int64_t end) {
      const Room scratch{FloatBuffer::unset(room_),
                         FloatBuffer::unset(blocks_ == 1 ? rows_ * kDepth : 0)};
      for (std::int64_t task = begin; task < end; ++task) {
        for (const Part& part : parts_) {
          const std::int64_t index = task / pieces / chunks;
          const std::int64_t columns = columns_of(part.gather);
          const std::int64_t first = columns * index / blocks_;
          const std::int64_t chunk = task / pieces % chunks;
          const std::int64_t piece = task % pieces;
          const std::int64_t tiles = rows_ / products_.rows;
          add_block(part, first, columns * (index + 1) / blocks_ - first,
                    {s_.groups * chunk / chunks, s_.groups * (chunk + 1) / chunks},
                    {tiles * piece / pieces * products_.rows,
                     std::min(tiles * (piece + 1) / pieces * products_.rows, s_.results)},
                    scratch);
        }
      }
    });
  }

 private:
  struct Range {
    std::int64_t begin;
    std::int64_t end;
  };

  struct Room {
    FloatBuffer unfolded;
    FloatBuffer weights;
  };

  /// One Gather, with the weights of its taps.
  struct Part {
    Part(const Gather& from, const GatherSums& s, std::int64_t rows, PackedWeights::When when)
        : gather(from), weights(s, from, rows, when) {}

    const Gather& gather;
    PackedWeights weights;
  };

  std::int64_t columns_of(const Gather& gather) const {
    return s_.samples * product(gather.positions);
  }

  /// Some columns of some rows, from all lines.
  void add_block(const Part& part, std::int64_t first, std::int64_t count, Range groups, Range rows,
                 const Room& scratch) const {
    const std::int64_t width = products_.columns();
    Columns columns(part.gather, s_.groups * s_.sources * s_.source_plane(),
                    s_.groups * s_.results * s_.result_plane());
    columns.set(first, count, width);
    for (std::int64_t group = groups.begin; group < groups.end; ++group) {
      const float* source = s_.source + group * s_.sources * s_.source_plane();
      if (part.weights.lines().empty()) put_zeros(columns, group, rows);
      for (std::size_t i = 0; i < part.weights.lines().size(); ++i) {
        const Lines& lines = part.weights.lines()[i];
        columns.unfold(source, s_.source_plane(), lines, scratch.unfolded.data(),
                       lines.count() * width, width);
        Weights weights{scratch.weights.data(), part.weights.step()};
        if (part.weights.are_packed_by_user()) {
          part.weights.pack(group, i, rows.begin, round_up(rows.end, products_.rows),
                            scratch.weights.data());
        } else {
          weights.first = part.weights.of(group, i);
        }
        add_lines(columns, lines, weights, scratch.unfolded.data(), group, rows, i > 0,
                  i + 1 == part.weights.lines().size());
      }
    }
  }

  struct Weights {
    const float* first;
    std::int64_t step;  // from one row to the next
  };

  void add_lines(const Columns& columns, const Lines& lines, Weights weights, const float* unfolded,
                 std::int64_t group, Range rows, bool adds, bool ends) const {
    const std::int64_t width = products_.columns();
    alignas(64) float tile[TileProducts::kMostElements];
    for (std::int64_t panel = 0; panel < columns.panels(); ++panel) {
      const std::int64_t wide = std::min(width, columns.count() - panel * width);
      const std::int64_t vectors = ceil_divide(wide, products_.lanes);
      const auto runs = columns.runs(panel);
      for (std::int64_t row = rows.begin; row < rows.end; row += products_.rows) {
        const std::int64_t high = std::min(products_.rows, rows.end - row);
        const TileProduct* products = high * 2 > products_.rows ? products_.whole : products_.half;
        products[vectors - 1](weights.first + row * weights.step, weights.step,
                              unfolded + panel * lines.count() * width, width, lines.count(), tile);
        put_(tile, vectors * products_.lanes, high, runs.begin(), runs.end(), result_of(group, row),
             s_.result_plane(), columns.result_spacing(), adds,
             (ends ? &bias_[std::size_t(group * s_.results)] : nothing_.data()) + row);
      }
    }
  }

  void put_zeros(const Columns& columns, std::int64_t group, Range rows) const {
    const std::vector<float> zeros(std::size_t(products_.columns()));
    for (std::int64_t panel = 0; panel < columns.panels(); ++panel) {
      const auto runs = columns.runs(panel);
      put_(zeros.data(), 0, rows.end - rows.begin, runs.begin(), runs.end(),
           result_of(group, rows.begin), s_.result_plane(), columns.result_spacing(), false,
           &bias_[std::size_t(group * s_.results + rows.begin)]);
    }
  }

  float* result_of(std::int64_t group, std::int64_t row) const {
    return s_.result + (group * s_.results + row) * s_.result_plane();
  }

  const GatherSums& s_;
  const TileProducts& products_;
  std::int64_t rows_;        // whole tiles
  std::int64_t blocks_ = 1;  // of columns
  std::int64_t room_ = 0;    // for those of one, unfolded
  void (*put_)(const float*, std::int64_t, std::int64_t, const Columns::Run*, const Columns::Run*,
               float*, std::int64_t, std::int64_t, bool, const float*);
  std::vector<float> nothing_;  // for each row of a group
  std::vector<float> bias_;
  std::vector<Part> parts_;
};

}  // namespace

void gather_by_products(const GatherSums& sums) { GatherProducts(sums).run(); }

}  // namespace pyaclnn::sim
