// SPDX-License-Identifier: MIT
#include "opapi/attention/attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/attention/packed.hpp"
#include "opapi/attention/rounded_as.hpp"
#include "opapi/attention/rows.hpp"
#include "opapi/attention/scores.hpp"
#include "opapi/attention/selection.hpp"
#include "opapi/attention/spare_rooms.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kLeastLines = 128;  // of a tile
constexpr std::int64_t kMostLines = 512;   // keys are packed once for them
constexpr std::int64_t kManyTasks = 16;    // rather than more lines in each
constexpr std::int64_t kColumns = 240;     // of a tile: whole vectors for every processor
constexpr std::int64_t kPairs = kDepth / 2;
constexpr std::int64_t kTogether = 32;  // lines whose scores stay in the L1 cache
constexpr std::int64_t kFew = 3;        // lines for which it does not pay to pack the keys

/// Lines of a tile: many, if there are enough for all threads. Not by the number of these, on which
/// no bit of a result depends.
std::int64_t most_lines_of(const Attention& attention) {
  std::int64_t lines = 0;
  for (const AttentionSequence& sequence : attention.sequences)
    lines += sequence.rows * attention.heads();
  std::int64_t most = kMostLines;
  while (most > kLeastLines && lines < kManyTasks * most) most /= 2;
  return most;
}

/// What stands between products of numbers of 8 bits.
class Bytes {
 public:
  Bytes(const AttentionBytes& bytes, aclDataType dtype, const KernelMemory& memory)
      : score_(one_of(bytes.score, memory, 1)),
        value_(one_of(bytes.value, memory, 1)),
        weight_(one_of(bytes.weight, memory, bytes.plain_weight)),
        in_halves_(bytes.in_halves),
        half_(ACL_FLOAT16),
        byte_(dtype),
        loops_(LineLoops::of_this_cpu()) {
    if (bytes.plain_weight != 0) value_ /= weight_;
    if (bytes.rows.has_value()) rows_.emplace(*bytes.rows);
  }

  void restore_scores(const KernelMemory& memory, std::int64_t batch, std::int64_t head,
                      std::int64_t row, float* scores, std::int64_t count) const {
    float factor = score_;
    if (rows_.has_value()) {
      rows_->load(memory, batch, head, row, 0, 1, &factor);
      factor *= score_;
    }
    restore(factor, scores, count);
  }
  void restore_values(float* values, std::int64_t count) const { restore(value_, values, count); }
  void round_weights(float* weights, std::int64_t count) const {
    loops_.scale(weights, count, weight_);
    byte_.round(weights, count);
  }

 private:
  void restore(float scale, float* values, std::int64_t count) const {
    loops_.scale(values, count, scale);
    if (in_halves_) half_.round(values, count);
  }
  static float one_of(const std::optional<View>& view, const KernelMemory& memory, float other) {
    if (!view.has_value()) return other;
    float one;
    std::memcpy(&one, memory.operands[view->operand] + view->offset * std::int64_t(sizeof one),
                sizeof one);
    return one;
  }

  float score_;
  float value_;
  float weight_;
  bool in_halves_;
  std::optional<RowView> rows_;
  RoundedAs half_;
  RoundedAs byte_;
  const LineLoops& loops_;
};

/// Rows of the result on their way to numbers of 8 bits.
class Scaled {
 public:
  Scaled(const AttentionRounding& rounding, const Dims& out)
      : scale_(broadcast_view(rounding.scale, out)) {
    if (rounding.offset.has_value()) offset_.emplace(broadcast_view(*rounding.offset, out));
  }

  void scale(const KernelMemory& memory, std::int64_t batch, std::int64_t head, std::int64_t row,
             std::int64_t count, float* values, float* scratch) const {
    scale_.load(memory, batch, head, row, 0, count, scratch);
    for (std::int64_t i = 0; i < count; ++i) values[i] *= scratch[i];
    if (!offset_.has_value()) return;
    offset_->load(memory, batch, head, row, 0, count, scratch);
    for (std::int64_t i = 0; i < count; ++i) values[i] += scratch[i];
  }

 private:
  RowView scale_;
  std::optional<RowView> offset_;
};

/// A tile of lines against all columns, with a maximum and a sum that run along.
class Forward {
 public:
  Forward(const Attention& attention, const KernelMemory& memory)
      : attention_(attention),
        memory_(memory),
        query_(attention.query),
        key_(attention.key),
        value_(attention.value),
        out_(attention.out),
        scores_(attention),
        tiles_(TileProducts::of_this_cpu()),
        has_pairs_(query_.has_pairs() && key_.has_pairs() && query_.depth() <= kDepth &&
                   pair_products() != nullptr),
        pair_tiles_(has_pairs_ ? pair_tiles() : nullptr),
        splits_weights_(pair_tiles_ != nullptr && value_.has_pairs() && !scores_.drops() &&
                        value_.depth() % tiles_.lanes == 0),
        loops_(LineLoops::of_this_cpu()),
        depth_(query_.depth()),
        value_depth_(value_.depth()),
        value_step_(round_up(value_depth_, tiles_.lanes)),
        group_(attention.heads() / attention.key_heads()) {
    const std::int64_t most = most_lines_of(attention);
    for (const AttentionSequence& sequence : attention.sequences) {
      cuts_.emplace_back(sequence.rows, group_, most);
      first_task_.push_back(tasks_);
      tasks_ += cuts_.back().pieces() * attention.key_heads();
      most_lines_ = std::max(most_lines_, cuts_.back().largest());
      most_columns_ = std::max(most_columns_, std::min(sequence.columns, kColumns));
    }
    if (attention.lists.has_value()) selection_.emplace(attention);
    if (attention.maximum.has_value()) maximum_.emplace(*attention.maximum);
    if (attention.sum.has_value()) sum_.emplace(*attention.sum);
    if (attention.lse.has_value()) lse_.emplace(*attention.lse);
    if (attention.bytes.has_value())
      bytes_.emplace(*attention.bytes, attention.query.view.dtype, memory);
    if (attention.rounding.has_value()) rounding_.emplace(*attention.rounding, attention.out.shape);
  }

  void run() const {
    SpareRooms<Buffers> rooms;
    parallel_for(tasks_, 1, [&](std::int64_t begin, std::int64_t end) {
      rooms.with([this] { return std::make_unique<Buffers>(*this); },
                 [&](Buffers& buffers) {
                   // From the last on, which see most columns.
                   for (std::int64_t task = begin; task < end; ++task)
                     run_task(tasks_ - 1 - task, buffers);
                 });
    });
  }

 private:
  struct Buffers {
    explicit Buffers(const Forward& f)
        : query(f.most_lines_, f.depth_),
          weights(kTogether, kDepth),
          parts(f.splits_weights_ ? 2 * kTogether * kPairs : 0),
          row(std::max(f.depth_, f.value_depth_)),
          rows(std::max(f.most_lines_, f.most_columns_) * std::max(f.depth_, f.value_depth_)),
          keys(f.depth_ * kColumns),
          values(f.most_columns_ * f.value_step_),
          sums(f.most_lines_ * f.value_step_),
          scratch(kColumns),
          largest(std::size_t(f.most_lines_)),
          total(std::size_t(f.most_lines_)),
          has_sums(std::size_t(ceil_divide(f.most_lines_, kTogether))) {}

    PackedLines query;
    PackedLines weights;  // of a part of the lines
    FloatBuffer parts;    // of the weights, in pairs
    FloatBuffer row;
    FloatBuffer rows;
    FloatBuffer keys;
    FloatBuffer values;
    FloatBuffer sums;
    FloatBuffer scratch;
    std::vector<float> largest;
    std::vector<float> total;
    std::vector<char> has_sums;  // of the parts of a tile: others hold anything
    SelectedColumns selected;
  };

  void run_task(std::int64_t task, Buffers& buffers) const {
    const auto after = std::upper_bound(first_task_.begin(), first_task_.end(), task);
    const std::int64_t number = after - first_task_.begin() - 1;
    const std::int64_t own = task - first_task_[std::size_t(number)];
    const LineCut& cut = cuts_[std::size_t(number)];
    const AttentionLines lines = cut.piece(own % cut.pieces(), number, own / cut.pieces());
    const AttentionSequence& sequence = attention_.sequences[std::size_t(number)];
    const std::int64_t count = lines.count();

    load_lines(lines, buffers);
    std::fill(buffers.has_sums.begin(), buffers.has_sums.end(), false);
    std::fill_n(buffers.largest.begin(), count, kHidden);
    std::fill_n(buffers.total.begin(), count, 0.0f);
    const SeenColumns seen = seen_columns(sequence, lines.first_row, lines.rows);
    if (selection_.has_value()) {
      buffers.selected = selection_->read(memory_, number, lines.first_head, lines.heads,
                                          lines.first_row, lines.rows);
    }
    const auto each_tile = [&](auto run) {
      for (std::int64_t first = 0; first < std::max(seen.end, seen.prefix); first += kColumns) {
        const std::int64_t columns = std::min(kColumns, sequence.columns - first);
        if (seen.any_of(first, columns) && is_selected(lines, first, columns, buffers))
          (this->*run)(lines, first, columns, buffers);
      }
    };
    // Weights are rounded relative to the largest of the row, not of the columns so far.
    if (bytes_.has_value()) each_tile(&Forward::find_largest);
    each_tile(&Forward::add_columns);
    for (std::int64_t l = 0; l < count; l += kTogether) {
      const std::int64_t own = std::min(kTogether, count - l) * value_step_;
      if (!buffers.has_sums[std::size_t(l / kTogether)])
        std::fill_n(buffers.sums.data() + l * value_step_, own, 0.0f);
    }
    if (attention_.sink.has_value()) add_sink(lines, buffers);
    for (std::int64_t l = 0; l < count; ++l) store(lines, l, buffers);
  }

  bool is_selected(const AttentionLines& lines, std::int64_t first, std::int64_t columns,
                   const Buffers& buffers) const {
    return !selection_.has_value() ||
           buffers.selected.any_of(lines.first_head, lines.heads, lines.first_row, lines.rows,
                                   first, columns);
  }

  /// Of the sequence, so that it does not depend on the tile.
  bool is_few(const AttentionLines& lines) const {
    return attention_.sequences[std::size_t(lines.sequence)].rows * group_ <= kFew;
  }

  bool uses_pairs(const AttentionLines& lines) const { return has_pairs_ && !is_few(lines); }

  void load_lines(const AttentionLines& lines, Buffers& buffers) const {
    const AttentionSequence& sequence = attention_.sequences[std::size_t(lines.sequence)];
    if (uses_pairs(lines)) {
      for (std::int64_t h = 0; h < lines.heads; ++h) {
        const PairSource from = query_.pairs(memory_, sequence.query_batch, lines.first_head + h,
                                             sequence.first_row + lines.first_row);
        pack_lines(from, lines.rows, depth_, buffers.query.line(0, h * lines.rows), kDepth,
                   buffers.rows.data());
      }
      return;
    }
    for (std::int64_t l = 0; l < lines.count(); ++l) {
      if (const std::int64_t soon = l + kAhead; soon < lines.count())
        query_.expect(memory_, lines.sequence, sequence.query_batch, lines.head(soon),
                      sequence.first_row + lines.row(soon));
      buffers.query.set(l, query_.one(memory_, lines.sequence, sequence.query_batch, lines.head(l),
                                      sequence.first_row + lines.row(l), buffers.row.data()));
    }
  }

  /// Some lines of a tile.
  struct Part {
    std::int64_t first;
    std::int64_t count;
  };

  /// Whether keys are multiplied as they lie.
  bool multiplies_rows(const AttentionLines& lines) const {
    return is_few(lines) && depth_ <= kDepth;
  }

  /// Packs the keys of a tile, unless they are multiplied as they lie.
  FloatRows prepare_keys(const AttentionLines& lines, std::int64_t first, std::int64_t columns,
                         Buffers& buffers) const {
    const AttentionSequence& sequence = attention_.sequences[std::size_t(lines.sequence)];
    if (uses_pairs(lines)) {
      const PairSource keys =
          key_.pairs(memory_, sequence.key_batch, lines.key_head, sequence.first_column + first);
      pack_pairs(keys, columns, depth_, buffers.keys.data(), kColumns, buffers.rows.data());
      return {};
    }
    const FloatRows keys = key_.some(memory_, lines.sequence, sequence.key_batch, lines.key_head,
                                     sequence.first_column + first, columns, buffers.rows.data());
    if (!multiplies_rows(lines))
      transpose(keys.data, keys.step, columns, depth_, buffers.keys.data(), kColumns);
    return keys;
  }

  /// Products of lines with keys.
  void multiply_keys(const AttentionLines& lines, const Part& part, const FloatRows& keys,
                     std::int64_t columns, Buffers& buffers) const {
    add_products(lines, part, keys, columns, buffers);
    if (!bytes_.has_value()) return;
    const AttentionSequence& sequence = attention_.sequences[std::size_t(lines.sequence)];
    for (std::int64_t i = 0; i < part.count; ++i)
      bytes_->restore_scores(memory_, sequence.query_batch, lines.head(part.first + i),
                             sequence.first_row + lines.row(part.first + i),
                             buffers.weights.line(0, i), columns);
  }

  void add_products(const AttentionLines& lines, const Part& part, const FloatRows& keys,
                    std::int64_t columns, Buffers& buffers) const {
    float* scores = buffers.weights.line(0, 0);
    if (multiplies_rows(lines)) {
      for (std::int64_t j = 0; j < columns; ++j) {
        for (std::int64_t l = 0; l < lines.count(); ++l)
          loops_.dot(buffers.query.line(0, l), keys.data + j * keys.step, depth_,
                     scores + l * kDepth + j);
      }
    } else if (uses_pairs(lines)) {
      multiply_pairs(buffers.query.line(0, part.first), buffers.keys.data(), kColumns, part.count,
                     columns, depth_, scores);
    } else {
      buffers.query.multiply(tiles_, part.count, buffers.keys.data(), kColumns, columns, scores,
                             kDepth, part.first);
    }
  }

  /// How many columns of a tile some line of a part sees. Beyond them weights are 0, which change
  /// no sum as long as the lanes of loops over a line are whole.
  std::int64_t seen_of(const AttentionLines& lines, const Part& part, std::int64_t first,
                       std::int64_t columns) const {
    constexpr std::int64_t kWhole = 32;
    const std::int64_t row = part.first % lines.rows;
    const bool is_of_one_head = row + part.count <= lines.rows;
    const SeenColumns seen = seen_columns(attention_.sequences[std::size_t(lines.sequence)],
                                          lines.first_row + (is_of_one_head ? row : 0),
                                          is_of_one_head ? part.count : lines.rows);
    if (!seen.any_of(first, columns)) return 0;
    return std::min(columns, round_up(std::max(seen.end, seen.prefix) - first, kWhole));
  }

  /// Only the largest score of each line.
  void find_largest(const AttentionLines& lines, std::int64_t first, std::int64_t columns,
                    Buffers& buffers) const {
    const FloatRows keys = prepare_keys(lines, first, columns, buffers);
    for (std::int64_t l = 0; l < lines.count(); l += kTogether) {
      const Part part{l, std::min(kTogether, lines.count() - l)};
      const std::int64_t seen = seen_of(lines, part, first, columns);
      if (seen == 0) continue;
      multiply_keys(lines, part, keys, seen, buffers);
      for (std::int64_t i = 0; i < part.count; ++i) {
        const float most = finish(lines, l + i, first, seen, buffers.weights.line(0, i), buffers);
        float& largest = buffers.largest[std::size_t(l + i)];
        largest = std::max(largest, most);
      }
    }
  }

  void add_columns(const AttentionLines& lines, std::int64_t first, std::int64_t columns,
                   Buffers& buffers) const {
    const FloatRows keys = prepare_keys(lines, first, columns, buffers);
    FloatRows values{};
    bool has_values = false;
    for (std::int64_t l = 0; l < lines.count(); l += kTogether) {
      const Part part{l, std::min(kTogether, lines.count() - l)};
      const std::int64_t seen = seen_of(lines, part, first, columns);
      if (seen == 0) continue;
      multiply_keys(lines, part, keys, seen, buffers);
      // Not before: keys may lie where values come to lie.
      if (!has_values) values = prepare_values(lines, first, columns, buffers);
      has_values = true;
      for (std::int64_t i = 0; i < part.count; ++i)
        weigh(lines, l + i, first, seen, buffers.weights.line(0, i), buffers);
      add_values(part, values, seen, buffers);
    }
  }

  /// From products of a line to its scores, of which it returns the largest.
  float finish(const AttentionLines& lines, std::int64_t l, std::int64_t first,
               std::int64_t columns, float* scores, Buffers& buffers) const {
    float most = scores_.finish(memory_, lines.sequence, lines.head(l), lines.row(l), first,
                                columns, scores, buffers.scratch.data());
    if (selection_.has_value()) {
      buffers.selected.hide(lines.head(l), lines.row(l), first, columns, scores);
      loops_.largest(scores, columns, &most);
    }
    return most;
  }

  /// From the products of a line to its weights.
  void weigh(const AttentionLines& lines, std::int64_t l, std::int64_t first, std::int64_t columns,
             float* weights, Buffers& buffers) const {
    const float most = finish(lines, l, first, columns, weights, buffers);
    float& largest = buffers.largest[std::size_t(l)];
    float& total = buffers.total[std::size_t(l)];
    if (most > largest) {
      rescale(l, largest - most, buffers);
      largest = most;
    }
    float sum = 0;
    loops_.powers(weights, columns, largest, &sum);
    total += sum;
    if (bytes_.has_value()) bytes_->round_weights(weights, columns);
    if (scores_.drops())
      scores_.drop(memory_, lines.sequence, lines.head(l), lines.row(l), first, columns, weights);
  }

  /// What was summed is of a maximum that is surpassed.
  void rescale(std::int64_t line, float difference, Buffers& buffers) const {
    const float factor = std::exp(difference);
    buffers.total[std::size_t(line)] *= factor;
    loops_.scale(buffers.sums.data() + line * value_step_, value_depth_, factor);
  }

  /// Packs the values of a tile, and returns none, if they are multiplied in pairs: by weights that
  /// are sums of two bfloat16, which keep 16 of their digits. Not where values are not finite, of
  /// which the second would be another multiple.
  FloatRows prepare_values(const AttentionLines& lines, std::int64_t first, std::int64_t columns,
                           Buffers& buffers) const {
    const AttentionSequence& sequence = attention_.sequences[std::size_t(lines.sequence)];
    const std::int64_t row = sequence.first_column + first;
    float* to = buffers.values.data();
    if (splits_weights_ && uses_pairs(lines)) {
      const PairSource rows = value_.pairs(memory_, sequence.key_batch, lines.key_head, row);
      pack_pairs({rows.data, rows.depth_step, rows.line_step}, value_depth_, columns, to,
                 value_step_, buffers.rows.data());
      if (are_finite(to, pairs_of(columns) * value_step_ / tiles_.lanes)) return {};
    }
    const FloatRows values = value_.some(memory_, lines.sequence, sequence.key_batch,
                                         lines.key_head, row, columns, buffers.rows.data());
    // Vectors must be whole.
    if (value_depth_ == value_step_) return values;
    for (std::int64_t j = 0; j < columns; ++j)
      std::copy_n(values.data + j * values.step, value_depth_, to + j * value_step_);
    return {to, value_step_};
  }

  void add_values(const Part& part, const FloatRows& values, std::int64_t columns,
                  Buffers& buffers) const {
    const float* weights = buffers.weights.line(0, 0);
    float* sums = buffers.sums.data() + part.first * value_step_;
    const bool adds = std::exchange(buffers.has_sums[std::size_t(part.first / kTogether)], true);
    if (values.data != nullptr) {
      add_packed_product(tiles_, weights, values.data, values.step, part.count, value_depth_,
                         columns, sums, value_step_, adds);
      return;
    }
    float* high = buffers.parts.data();
    float* low = high + kTogether * kPairs;
    split_lines(weights, kDepth, part.count, columns, high, low, kPairs);
    pair_tiles_({high, kPairs, buffers.values.data(), value_step_, part.count, value_depth_,
                 pairs_of(columns), low},
                adds, sums, value_step_);
  }

  void add_sink(const AttentionLines& lines, Buffers& buffers) const {
    const View& sink = *attention_.sink;
    const LoadFn load = loader<float>(sink.dtype);
    const auto size = std::int64_t(dtype_size(sink.dtype));
    for (std::int64_t l = 0; l < lines.count(); ++l) {
      const std::int64_t at = sink.offset + lines.head(l) * sink.strides[0];
      float score = 0;
      load(memory_.operands[sink.operand] + at * size, 1, 1, &score);
      float& largest = buffers.largest[std::size_t(l)];
      if (score > largest) {
        rescale(l, largest - score, buffers);
        largest = score;
      }
      buffers.total[std::size_t(l)] += std::exp(score - largest);
    }
  }

  void store(const AttentionLines& lines, std::int64_t line, Buffers& buffers) const {
    const AttentionSequence& sequence = attention_.sequences[std::size_t(lines.sequence)];
    const std::int64_t head = lines.head(line);
    const std::int64_t row = sequence.first_row + lines.row(line);
    float largest = buffers.largest[std::size_t(line)];
    float total = buffers.total[std::size_t(line)];
    float* sums = buffers.sums.data() + line * value_step_;
    const bool is_hidden = largest == kHidden && !std::isnan(total);
    const bool is_unseen = total == 0.0f || (is_hidden && attention_.gives_zero_unseen);
    if (is_unseen) {
      std::fill_n(sums, value_depth_, 0.0f);
      largest = kHidden;
      total = std::numeric_limits<float>::max();
    } else {
      if (bytes_.has_value()) bytes_->restore_values(sums, value_depth_);
      // Not by the reciprocal, which is 0 for a sum that is too large.
      for (std::int64_t i = 0; i < value_depth_; ++i) sums[i] /= total;
    }
    if (rounding_.has_value())
      rounding_->scale(memory_, sequence.query_batch, head, row, value_depth_, sums,
                       buffers.row.data());
    out_.store(memory_, sequence.query_batch, head, row, sums, value_depth_);
    const bool sees_nothing = is_unseen || is_hidden;
    const float lse =
        sees_nothing ? std::numeric_limits<float>::infinity() : std::log(total) + largest;
    if (sequence.columns == 0) largest = total = 0.0f;
    const std::int64_t own_row = lines.row(line);
    if (maximum_.has_value()) maximum_->store(memory_, sequence, head, own_row, largest);
    if (sum_.has_value()) sum_->store(memory_, sequence, head, own_row, total);
    if (lse_.has_value()) lse_->store(memory_, sequence, head, own_row, lse);
  }

  const Attention& attention_;
  const KernelMemory& memory_;
  RowReader query_;
  RowReader key_;
  RowReader value_;
  RowView out_;
  std::optional<StatisticRows> maximum_;
  std::optional<StatisticRows> sum_;
  std::optional<StatisticRows> lse_;
  Scores scores_;
  std::optional<Selection> selection_;
  std::optional<Bytes> bytes_;
  std::optional<Scaled> rounding_;
  const TileProducts& tiles_;
  bool has_pairs_;        // of bfloat16, two neighbours of the depth at once
  PairTiles pair_tiles_;  // of these, where the processor has such registers
  bool splits_weights_;
  const LineLoops& loops_;
  std::int64_t depth_;
  std::int64_t value_depth_;
  std::int64_t value_step_;
  std::int64_t group_;
  std::vector<LineCut> cuts_;
  std::vector<std::int64_t> first_task_;
  std::int64_t tasks_ = 0;
  std::int64_t most_lines_ = 0;
  std::int64_t most_columns_ = 0;
};

}  // namespace

void run_attention(const Attention& attention, const KernelMemory& memory) {
  Forward(attention, memory).run();
}

void launch_attention(Plan& plan, Attention attention) {
  plan.launch([attention = std::move(attention)](const KernelMemory& memory) {
    run_attention(attention, memory);
  });
}

}  // namespace pyaclnn::sim
