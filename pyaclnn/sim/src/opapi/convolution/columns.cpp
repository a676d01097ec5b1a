// SPDX-License-Identifier: MIT
#include "opapi/convolution/columns.hpp"

#include <algorithm>
#include <cstring>

#include "opapi/common/cpu.hpp"
#include "opapi/product/matrix.hpp"

namespace pyaclnn::sim {

namespace {

/// The first position whose element is not before `offset` elements back.
std::int64_t positions_before(std::int64_t offset, std::int64_t step) {
  return offset <= 0 ? 0 : ceil_divide(offset, step);
}

/// Copies a move; pieces of a row are short, so that a call of memcpy takes longer than the copy.
SIM_ALWAYS_INLINE void copy_short(const float* from, std::int64_t count, float* to) {
  using Vector = float __attribute__((vector_size(32)));
  constexpr std::int64_t kLanes = 8;
  const auto copy_vector = [&](std::int64_t at) {
    Vector values;
    std::memcpy(&values, from + at, sizeof values);
    std::memcpy(to + at, &values, sizeof values);
  };
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) copy_vector(i);
  if (i == count) return;
  if (count >= kLanes) return copy_vector(count - kLanes);  // some once more
  for (; i < count; ++i) to[i] = from[i];
}

template <std::int64_t fixed>
SIM_ALWAYS_INLINE void copy_spaced(const float* from, std::int64_t step, std::int64_t count,
                                   float* to) {
  const std::int64_t spacing = fixed ? fixed : step;
  SIM_INDEPENDENT_ITERATIONS
  for (std::int64_t i = 0; i < count; ++i) to[i] = from[i * spacing];
}

/// One line: all moves of a tap, for one channel.
struct UnfoldLine {
  template <Isa isa>
  static SIM_ALWAYS_INLINE void run(const Columns::Move* move, const Columns::Move* last,
                                    const float* source, std::int64_t step, float* line,
                                    std::int64_t panel_step) {
    for (; move != last; ++move) {
      float* to = line + move->panel * panel_step + move->column;
      for (std::int32_t i = 0; i < move->before; ++i) to[i] = 0;
      to += move->before;
      const float* from = source + move->source;
      if (step == 1) {
        copy_short(from, move->seen, to);
      } else if (step == 2) {
        copy_spaced<2>(from, step, move->seen, to);
      } else {
        copy_spaced<0>(from, step, move->seen, to);
      }
      to += move->seen;
      for (std::int32_t i = 0; i < move->after; ++i) to[i] = 0;
    }
  }
};

}  // namespace

std::vector<Lines> cut_lines(std::int64_t channels, std::int64_t taps, std::int64_t most) {
  std::vector<Lines> all;
  if (taps == 0) return all;
  if (taps > most) {
    const std::int64_t pieces = ceil_divide(taps, most);
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      for (std::int64_t i = 0; i < pieces; ++i) {
        const std::int64_t first = taps * i / pieces;
        all.push_back({channel, 1, first, taps * (i + 1) / pieces - first});
      }
    }
    return all;
  }
  const std::int64_t pieces = ceil_divide(channels, most / taps);
  for (std::int64_t i = 0; i < pieces; ++i) {
    const std::int64_t first = channels * i / pieces;
    all.push_back({first, channels * (i + 1) / pieces - first, 0, taps});
  }
  return all;
}

void Columns::set(std::int64_t first, std::int64_t count, std::int64_t width) {
  count_ = count;
  pieces_.clear();
  runs_.clear();
  panel_begin_.clear();
  moves_.clear();
  const Extents3& positions = gather_.positions;
  for (std::int64_t done = 0; done < count;) {
    std::int64_t rest = first + done;
    Piece piece;
    for (std::size_t i = 3; i-- > 0; rest /= positions[i]) piece.position[i] = rest % positions[i];
    piece.sample = rest;
    piece.panel = std::int32_t(done / width);
    piece.column = std::int32_t(done % width);
    piece.length = std::int32_t(
        std::min({positions[2] - piece.position[2], count - done, width - piece.column}));
    piece.result = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      piece.result = piece.result * gather_.result[i] + gather_.first[i] +
                     piece.position[i] * gather_.spacing[i];
    }
    piece.result += piece.sample * result_step_;
    add_piece(done, piece);
    done += piece.length;
  }
  panel_begin_.push_back(runs_.size());
  for (const Gather::Tap& tap : gather_.taps) add_moves(tap);
}

void Columns::add_piece(std::int64_t done, const Piece& piece) {
  pieces_.push_back(piece);
  if (piece.column == 0) panel_begin_.push_back(runs_.size());
  const bool continues = done > 0 && piece.column > 0 && gather_.spacing[2] == 1 &&
                         runs_.back().result + runs_.back().length == piece.result;
  if (continues) {
    runs_.back().length += piece.length;
  } else {
    runs_.push_back({piece.result, piece.column, piece.length});
  }
}

void Columns::add_moves(const Gather::Tap& tap) {
  const Extents3& source = gather_.source;
  const std::int64_t step = gather_.step[2];
  // Of a row, the positions [low, high) see the source.
  const std::int64_t low = positions_before(-tap.offset[2], step);
  const std::int64_t high = positions_before(source[2] - tap.offset[2], step);
  for (const Piece& piece : pieces_) {
    Extents3 place;
    for (std::size_t i = 0; i < 3; ++i)
      place[i] = piece.position[i] * gather_.step[i] + tap.offset[i];
    const bool is_inside =
        place[0] >= 0 && place[0] < source[0] && place[1] >= 0 && place[1] < source[1];
    const std::int64_t begin = piece.position[2];
    const std::int64_t end = begin + piece.length;
    const std::int64_t from = is_inside ? std::clamp(low, begin, end) : end;
    const std::int64_t to = is_inside ? std::clamp(high, from, end) : end;
    Move move{0,
              piece.result,
              piece.panel,
              piece.column,
              std::int32_t(from - begin),
              std::int32_t(to - from),
              std::int32_t(end - to)};
    if (move.seen > 0) {
      move.source = piece.sample * source_step_ + (place[0] * source[1] + place[1]) * source[2] +
                    place[2] + (from - begin) * step;
    }
    moves_.push_back(move);
  }
}

void Columns::unfold(const float* source, std::int64_t channel_step, const Lines& lines, float* to,
                     std::int64_t panel_step, std::int64_t line_step) const {
  static const auto unfold_line = loop_for_cpu<UnfoldLine, const Move*, const Move*, const float*,
                                               std::int64_t, float*, std::int64_t>();
  for (std::int64_t i = 0; i < lines.channels; ++i) {
    const float* channel = source + (lines.channel + i) * channel_step;
    for (std::int64_t tap = lines.tap; tap < lines.tap + lines.taps; ++tap, to += line_step) {
      const Span<Move> all = moves(tap);
      unfold_line(all.begin(), all.end(), channel, gather_.step[2], to, panel_step);
    }
  }
}

}  // namespace pyaclnn::sim
