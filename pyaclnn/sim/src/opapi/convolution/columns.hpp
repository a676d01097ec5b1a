// The unfolded source of a Gather, a block of it at a time: a line for each channel and tap, a
// column for each position of each sample.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opapi/convolution/window.hpp"

namespace pyaclnn::sim {

/// Channels and taps whose lines are needed at a time: several channels with all taps, or one.
struct Lines {
  std::int64_t channel;
  std::int64_t channels;
  std::int64_t tap;
  std::int64_t taps;

  std::int64_t count() const { return channels * taps; }
};

/// Cuts all lines into about equal pieces of at most `most`.
std::vector<Lines> cut_lines(std::int64_t channels, std::int64_t taps, std::int64_t most);

/// Columns [first, first + count), in panels of `width`.
class Columns {
 public:
  /// What a tap sees of columns that lie behind one another in the source and in the result.
  struct Move {
    std::int64_t source;  // of the first element seen
    std::int64_t result;  // of the first column
    std::int32_t panel;
    std::int32_t column;  // of the panel
    std::int32_t before;  // columns that see nothing
    std::int32_t seen;
    std::int32_t after;
  };
  /// Columns of a panel that lie behind one another in the result.
  struct Run {
    std::int64_t result;
    std::int32_t column;
    std::int32_t length;
  };
  template <class T>
  struct Span {
    const T* first;
    const T* last;
    const T* begin() const { return first; }
    const T* end() const { return last; }
  };

  /// Samples lie `source_step` elements apart in the source, `result_step` in the result.
  Columns(const Gather& gather, std::int64_t source_step, std::int64_t result_step)
      : gather_(gather), source_step_(source_step), result_step_(result_step) {}

  void set(std::int64_t first, std::int64_t count, std::int64_t width);

  std::int64_t count() const { return count_; }
  std::int64_t panels() const { return std::int64_t(panel_begin_.size()) - 1; }
  Span<Run> runs(std::int64_t panel) const {
    return {&runs_[panel_begin_[std::size_t(panel)]],
            &runs_[0] + panel_begin_[std::size_t(panel) + 1]};
  }
  Span<Move> moves(std::int64_t tap) const {
    return {moves_.data() + std::size_t(tap) * pieces_.size(),
            moves_.data() + std::size_t(tap + 1) * pieces_.size()};
  }
  std::int64_t source_spacing() const { return gather_.step[2]; }
  std::int64_t result_spacing() const { return gather_.spacing[2]; }

  /// Writes lines, `line_step` apart within a panel, panels `panel_step` apart; a channel of the
  /// source has `channel_step` elements.
  void unfold(const float* source, std::int64_t channel_step, const Lines& lines, float* to,
              std::int64_t panel_step, std::int64_t line_step) const;

 private:
  struct Piece {
    std::int64_t sample;
    Extents3 position;
    std::int64_t result;
    std::int32_t panel;
    std::int32_t column;
    std::int32_t length;
  };

  void add_piece(std::int64_t done, const Piece& piece);
  void add_moves(const Gather::Tap& tap);

  const Gather& gather_;
  std::int64_t source_step_;
  std::int64_t result_step_;
  std::int64_t count_ = 0;
  std::vector<Piece> pieces_;
  std::vector<Run> runs_;
  std::vector<std::size_t> panel_begin_;  // into runs_
  std::vector<Move> moves_;               // by tap, then piece
};

}  // namespace pyaclnn::sim
