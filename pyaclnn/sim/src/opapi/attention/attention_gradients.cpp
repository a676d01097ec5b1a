// SPDX-License-Identifier: MIT
#include "opapi/attention/attention_gradients.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/attention/packed.hpp"
#include "opapi/attention/rows.hpp"
#include "opapi/attention/scores.hpp"
#include "opapi/attention/selection.hpp"
#include "opapi/attention/spare_rooms.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kLines = 128;    // of a tile
constexpr std::int64_t kTogether = 32;  // lines whose weights stay in the L1 cache
constexpr std::int64_t kKept = 512;     // lines that are read once for all columns
constexpr std::int64_t kColumns = 144;  // of a tile: whole vectors for every processor

/// Rows of a gradient, part of which may belong to the rope.
class RowWriter {
 public:
  RowWriter(const View& rows, const std::optional<View>& rope) : rows_(rows) {
    if (rope.has_value()) rope_.emplace(*rope);
  }

  void store(const KernelMemory& memory, std::int64_t batch, std::int64_t head, std::int64_t row,
             const float* from) const {
    rows_.store(memory, batch, head, row, from, rows_.length());
    if (rope_.has_value())
      rope_->store(memory, batch, head, row, from + rows_.length(), rope_->length());
  }

 private:
  RowView rows_;
  std::optional<RowView> rope_;
};

class Backward {
 public:
  Backward(const AttentionGradients& gradients, const KernelMemory& memory)
      : attention_(gradients.forward),
        memory_(memory),
        query_(attention_.query),
        key_(attention_.key),
        value_(attention_.value),
        out_(attention_.out),
        grad_(gradients.grad),
        maximum_(attention_.sum.has_value() ? *attention_.maximum : *attention_.lse),
        query_grad_(gradients.query, gradients.query_rope),
        key_grad_(gradients.key, gradients.key_rope),
        value_grad_(gradients.value, std::nullopt),
        scores_(attention_),
        tiles_(TileProducts::of_this_cpu()),
        loops_(LineLoops::of_this_cpu()),
        depth_(query_.depth()),
        value_depth_(value_.depth()),
        depth_step_(round_up(depth_, tiles_.lanes)),
        value_step_(round_up(value_depth_, tiles_.lanes)),
        group_(attention_.heads() / attention_.key_heads()),
        has_pairs_(query_.has_pairs() && key_.has_pairs() && value_.has_pairs() &&
                   gradients.grad.dtype == ACL_BF16 &&
                   std::max(query_.depth(), value_.depth()) <= kDepth &&
                   pair_products() != nullptr) {
    for (const AttentionSequence& sequence : attention_.sequences) {
      most_rows_ = std::max(most_rows_, sequence.rows);
      const std::int64_t lines = LineCut(sequence.rows, group_, kLines).largest();
      const std::int64_t all = group_ * sequence.rows;
      most_lines_ = std::max(most_lines_, lines);
      most_kept_ = std::max(most_kept_, all <= kKept ? all : lines);
      most_columns_ = std::max(most_columns_, std::min(sequence.columns, kColumns));
    }
    if (attention_.sum.has_value()) sum_.emplace(*attention_.sum);
    if (attention_.lists.has_value()) selection_.emplace(attention_);
    if (gradients.sink.has_value()) {
      sink_ = *gradients.sink;
      sinks_.resize(attention_.sequences.size() * std::size_t(attention_.heads()));
    }
  }

  void run() {
    const auto sequences = std::int64_t(attention_.sequences.size());
    const std::int64_t heads = attention_.key_heads();
    SpareRooms<Work> rooms;
    parallel_for(heads * sequences, 1, [&](std::int64_t begin, std::int64_t end) {
      rooms.with([this] { return std::make_unique<Work>(*this); },
                 [&](Work& work) {
                   for (std::int64_t task = begin; task < end; ++task)
                     run_heads(task / heads, task % heads, work);
                 });
    });
    if (sink_.has_value()) store_sinks();
  }

 private:
  /// Operands of bfloat16 whose products sum over lines or columns: two neighbours of these are a
  /// pair. Weights and slopes are rounded to the type of the others, as CANN's kernels do before
  /// their products.
  struct Pairs {
    explicit Pairs(const Backward& b)
        : query(pairs_of(b.most_lines_) * b.depth_step_),
          grad(pairs_of(b.most_lines_) * b.value_step_),
          keys(pairs_of(b.most_columns_) * b.depth_step_),
          weights(b.most_lines_, kDepth),
          slopes(b.most_lines_, kDepth),
          slope_lines(b.most_lines_, kDepth) {}

    FloatBuffer query;
    FloatBuffer grad;
    FloatBuffer keys;
    PackedLines weights;
    PackedLines slopes;
    PackedLines slope_lines;  // whose pairs are of columns
  };

  /// What the lines of one head of keys have, and the tile that is worked on.
  struct Work {
    explicit Work(const Backward& b)
        : query_sums(b.group_ * b.most_rows_ * b.depth_step_),
          query(b.most_kept_, b.depth_),
          grad(b.most_kept_, b.value_depth_),
          pairs(b.has_pairs_ ? std::make_unique<Pairs>(b) : nullptr),
          weights(b.most_lines_, kDepth),
          slopes(b.most_lines_, kDepth),
          turned(b.most_columns_, kDepth),
          row(std::max(b.depth_, b.value_depth_)),
          rows(std::max(b.most_columns_, b.most_lines_) * std::max(b.depth_, b.value_depth_)),
          keys(b.has_pairs_ ? 0 : b.most_columns_ * b.depth_step_),
          keys_turned(b.depth_ * kColumns),
          values_turned(b.value_depth_ * kColumns),
          key_sums(b.most_columns_ * b.depth_step_),
          value_sums(b.most_columns_ * b.value_step_),
          scratch(kColumns) {}

    FloatBuffer query_sums;
    std::vector<float> shared;  // sum of weights times their slopes
    std::vector<float> maximum;
    std::vector<float> sum;
    PackedLines query;  // and `grad`: floats, or pairs of neighbours of the depth
    PackedLines grad;
    std::unique_ptr<Pairs> pairs;  // of bfloat16
    PackedLines weights;
    PackedLines slopes;
    PackedLines turned;
    FloatBuffer row;
    FloatBuffer rows;
    FloatBuffer keys;
    FloatBuffer keys_turned;
    FloatBuffer values_turned;
    FloatBuffer key_sums;
    FloatBuffer value_sums;
    FloatBuffer scratch;
    SelectedColumns selected;
  };

  void run_heads(std::int64_t number, std::int64_t key_head, Work& work) {
    const AttentionSequence& sequence = attention_.sequences[std::size_t(number)];
    const LineCut cut(sequence.rows, group_, kLines);
    std::fill_n(work.query_sums.data(), group_ * sequence.rows * depth_step_, 0.0f);
    const bool keeps = group_ * sequence.rows <= kKept;
    load_statistics(sequence, key_head, keeps, work);
    for (std::int64_t piece = 0; keeps && piece < cut.pieces(); ++piece) {
      const AttentionLines lines = cut.piece(piece, number, key_head);
      load_lines(lines, start_of(lines), false, work);
    }
    if (selection_.has_value()) {
      work.selected =
          selection_->read(memory_, number, key_head * group_, group_, 0, sequence.rows);
    }
    for (std::int64_t first = 0; first < sequence.columns; first += kColumns) {
      const std::int64_t columns = std::min(kColumns, sequence.columns - first);
      load_columns(number, key_head, first, columns, work);
      for (std::int64_t piece = 0; piece < cut.pieces(); ++piece) {
        const AttentionLines lines = cut.piece(piece, number, key_head);
        if (!seen_columns(sequence, lines.first_row, lines.rows).any_of(first, columns) ||
            !is_selected(lines, first, columns, work))
          continue;
        if (!keeps) load_lines(lines, 0, true, work);
        add_tile(lines, keeps ? start_of(lines) : 0, first, columns, work);
      }
      store_columns(sequence, key_head, first, columns, work);
    }
    for (std::int64_t line = 0; line < group_ * sequence.rows; ++line) {
      float* sums = work.query_sums.data() + line * depth_step_;
      loops_.scale(sums, depth_, attention_.scale);
      query_grad_.store(memory_, sequence.query_batch, key_head * group_ + line / sequence.rows,
                        sequence.first_row + line % sequence.rows, sums);
    }
    if (sink_.has_value()) add_sinks(number, key_head, work);
  }

  bool is_selected(const AttentionLines& lines, std::int64_t first, std::int64_t columns,
                   const Work& work) const {
    return !selection_.has_value() ||
           work.selected.any_of(lines.first_head, lines.heads, lines.first_row, lines.rows, first,
                                columns);
  }

  /// Where lines lie among those of all heads of a head of keys.
  std::int64_t start_of(const AttentionLines& lines) const {
    const std::int64_t rows = attention_.sequences[std::size_t(lines.sequence)].rows;
    return (lines.first_head - lines.key_head * group_) * rows + lines.first_row;
  }

  void load_statistics(const AttentionSequence& sequence, std::int64_t key_head, bool keeps_grad,
                       Work& work) {
    std::vector<float> out(static_cast<std::size_t>(value_depth_));
    for (std::vector<float>* numbers : {&work.shared, &work.maximum, &work.sum})
      numbers->resize(std::size_t(group_ * sequence.rows));
    for (std::size_t line = 0; line < work.shared.size(); ++line) {
      const std::int64_t head = key_head * group_ + std::int64_t(line) / sequence.rows;
      const std::int64_t row = std::int64_t(line) % sequence.rows;
      if (row + kAhead < sequence.rows) {
        for (const RowView* rows : {&out_, &grad_})
          rows->expect(memory_, sequence.query_batch, head, sequence.first_row + row + kAhead);
      }
      work.maximum[line] = maximum_.load(memory_, sequence, head, row);
      work.sum[line] = sum_.has_value() ? sum_->load(memory_, sequence, head, row) : 1.0f;
      out_.load(memory_, sequence.query_batch, head, sequence.first_row + row, 0, value_depth_,
                out.data());
      grad_.load(memory_, sequence.query_batch, head, sequence.first_row + row, 0, value_depth_,
                 work.row.data());
      loops_.dot(out.data(), work.row.data(), value_depth_, &work.shared[line]);
      if (keeps_grad && !has_pairs_) work.grad.set(std::int64_t(line), work.row.data());
    }
  }

  void load_columns(std::int64_t number, std::int64_t key_head, std::int64_t first,
                    std::int64_t columns, Work& work) const {
    const AttentionSequence& sequence = attention_.sequences[std::size_t(number)];
    if (has_pairs_) {
      const std::int64_t row = sequence.first_column + first;
      const PairSource keys = key_.pairs(memory_, sequence.key_batch, key_head, row);
      pack_pairs(keys, columns, depth_, work.keys_turned.data(), kColumns, work.rows.data());
      pack_pairs(value_.pairs(memory_, sequence.key_batch, key_head, row), columns, value_depth_,
                 work.values_turned.data(), kColumns, work.rows.data());
      pack_pairs({keys.data, keys.depth_step, keys.line_step}, depth_, columns,
                 work.pairs->keys.data(), depth_step_, work.rows.data());
    } else {
      const FloatRows keys = key_.some(memory_, number, sequence.key_batch, key_head,
                                       sequence.first_column + first, columns, work.rows.data());
      for (std::int64_t j = 0; j < columns; ++j)
        std::copy_n(keys.data + j * keys.step, depth_, work.keys.data() + j * depth_step_);
      transpose(keys.data, keys.step, columns, depth_, work.keys_turned.data(), kColumns);
      const FloatRows values =
          value_.some(memory_, number, sequence.key_batch, key_head, sequence.first_column + first,
                      columns, work.rows.data());
      transpose(values.data, values.step, columns, value_depth_, work.values_turned.data(),
                kColumns);
    }
    std::fill_n(work.key_sums.data(), columns * depth_step_, 0.0f);
    std::fill_n(work.value_sums.data(), columns * value_step_, 0.0f);
  }

  void store_columns(const AttentionSequence& sequence, std::int64_t key_head, std::int64_t first,
                     std::int64_t columns, Work& work) const {
    for (std::int64_t j = 0; j < columns; ++j) {
      const std::int64_t row = sequence.first_column + first + j;
      float* sums = work.key_sums.data() + j * depth_step_;
      loops_.scale(sums, depth_, attention_.scale);
      key_grad_.store(memory_, sequence.key_batch, key_head, row, sums);
      value_grad_.store(memory_, sequence.key_batch, key_head, row,
                        work.value_sums.data() + j * value_step_);
    }
  }

  /// Reads lines to those from `base` on.
  void load_lines(const AttentionLines& lines, std::int64_t base, bool loads_grad,
                  Work& work) const {
    if (has_pairs_) return load_pairs(lines, base, work);
    const AttentionSequence& sequence = attention_.sequences[std::size_t(lines.sequence)];
    const std::int64_t count = lines.count();
    for (std::int64_t l = 0; l < count; ++l) {
      const std::int64_t row = sequence.first_row + lines.row(l);
      if (const std::int64_t soon = l + kAhead; soon < count) {
        const std::int64_t next = sequence.first_row + lines.row(soon);
        query_.expect(memory_, lines.sequence, sequence.query_batch, lines.head(soon), next);
        if (loads_grad) grad_.expect(memory_, sequence.query_batch, lines.head(soon), next);
      }
      work.query.set(base + l, query_.one(memory_, lines.sequence, sequence.query_batch,
                                          lines.head(l), row, work.row.data()));
      if (!loads_grad) continue;
      grad_.load(memory_, sequence.query_batch, lines.head(l), row, 0, value_depth_,
                 work.row.data());
      work.grad.set(base + l, work.row.data());
    }
  }

  /// Adds what columns and lines give; the latter were read to those from `base` on.
  void add_tile(const AttentionLines& lines, std::int64_t base, std::int64_t first,
                std::int64_t columns, Work& work) {
    const std::int64_t count = lines.count();
    const std::int64_t start = start_of(lines);
    for (std::int64_t part = 0; part < count; part += kTogether) {
      const std::int64_t end = std::min(part + kTogether, count);
      multiply_part(base, part, end - part, columns, work);
      for (std::int64_t l = part; l < end; ++l)
        find_slopes(lines, l, std::size_t(start + l), first, columns, work);
    }
    if (has_pairs_) return add_pairs(count, base, start, columns, work);
    add_turned(work.weights, columns, count, work.grad, base, value_depth_, work.value_sums.data(),
               value_step_, work);
    add_packed_product(tiles_, work.slopes.line(0, 0), work.keys.data(), depth_step_, count, depth_,
                       columns, work.query_sums.data() + start * depth_step_, depth_step_);
    add_turned(work.slopes, columns, count, work.query, base, depth_, work.key_sums.data(),
               depth_step_, work);
  }

  /// The same from weights and slopes on, of bfloat16.
  void add_pairs(std::int64_t count, std::int64_t base, std::int64_t start, std::int64_t columns,
                 Work& work) const {
    const TileProducts& tiles = *pair_products();
    const Pairs& pairs = *work.pairs;
    const auto add_turned_pairs = [&](const PackedLines& a, const PackedLines& a_pairs,
                                      const PackedLines& b, const FloatBuffer& b_pairs,
                                      std::int64_t depth, std::int64_t step,
                                      const FloatBuffer& sums) {
      pair_lines(a.line(0, 0), kDepth, count, columns, a_pairs.line(0, 0), kDepth);
      const auto* rows = reinterpret_cast<const std::byte*>(b.line(0, base));
      pack_pairs({rows, 1, 2 * kDepth}, depth, count, b_pairs.data(), step, nullptr);
      add_turned_product(tiles, a_pairs.line(0, 0), kDepth, {b_pairs.data(), step}, columns, depth,
                         pairs_of(count), sums.data(), step);
    };
    add_turned_pairs(work.weights, pairs.weights, work.grad, pairs.grad, value_depth_, value_step_,
                     work.value_sums);
    add_turned_pairs(work.slopes, pairs.slopes, work.query, pairs.query, depth_, depth_step_,
                     work.key_sums);
    round_lines(work.slopes.line(0, 0), kDepth, count, columns, pairs.slope_lines.line(0, 0),
                kDepth);
    add_packed_product(tiles, pairs.slope_lines.line(0, 0), pairs.keys.data(), depth_step_, count,
                       depth_, pairs_of(columns), work.query_sums.data() + start * depth_step_,
                       depth_step_);
  }

  void load_pairs(const AttentionLines& lines, std::int64_t base, Work& work) const {
    const AttentionSequence& sequence = attention_.sequences[std::size_t(lines.sequence)];
    const std::int64_t row = sequence.first_row + lines.first_row;
    for (std::int64_t h = 0; h < lines.heads; ++h) {
      const std::int64_t head = lines.first_head + h;
      pack_lines(query_.pairs(memory_, sequence.query_batch, head, row), lines.rows, depth_,
                 work.query.line(0, base + h * lines.rows), kDepth, work.rows.data());
      pack_lines(grad_.pairs(memory_, sequence.query_batch, head, row), lines.rows, value_depth_,
                 work.grad.line(0, base + h * lines.rows), kDepth, work.rows.data());
    }
  }

  /// Products of queries with keys, and of the gradient with values.
  void multiply_part(std::int64_t base, std::int64_t first, std::int64_t count,
                     std::int64_t columns, Work& work) const {
    float* weights = work.weights.line(0, first);
    float* slopes = work.slopes.line(0, first);
    if (has_pairs_) {
      multiply_pairs(work.query.line(0, base + first), work.keys_turned.data(), kColumns, count,
                     columns, depth_, weights);
      multiply_pairs(work.grad.line(0, base + first), work.values_turned.data(), kColumns, count,
                     columns, value_depth_, slopes);
    } else {
      work.query.multiply(tiles_, count, work.keys_turned.data(), kColumns, columns, weights,
                          kDepth, base + first);
      work.grad.multiply(tiles_, count, work.values_turned.data(), kColumns, columns, slopes,
                         kDepth, base + first);
    }
  }

  /// From products to the weights that values had, and to the slopes of scores.
  void find_slopes(const AttentionLines& lines, std::int64_t l, std::size_t line,
                   std::int64_t first, std::int64_t columns, Work& work) {
    float* weights = work.weights.line(0, l);
    float* slopes = work.slopes.line(0, l);
    const std::int64_t head = lines.head(l);
    const std::int64_t row = lines.row(l);
    scores_.finish(memory_, lines.sequence, head, row, first, columns, weights,
                   work.scratch.data());
    if (selection_.has_value()) work.selected.hide(head, row, first, columns, weights);
    float ignored = 0;
    loops_.powers(weights, columns, work.maximum[line], &ignored);
    loops_.scale(weights, columns, 1.0f / work.sum[line]);
    if (scores_.drops()) scores_.drop(memory_, lines.sequence, head, row, first, columns, slopes);
    loops_.slopes(weights, slopes, work.shared[line], columns, slopes);
    if (scores_.drops()) scores_.drop(memory_, lines.sequence, head, row, first, columns, weights);
  }

  /// sums += a^T b, of which lines from `base` on are multiplied.
  void add_turned(const PackedLines& a, std::int64_t columns, std::int64_t lines,
                  const PackedLines& b, std::int64_t base, std::int64_t depth, float* sums,
                  std::int64_t step, Work& work) const {
    bool is_turned = false;
    for (std::int64_t k = 0; k < depth; k += kDepth) {
      const std::int64_t count = std::min(kDepth, depth - k);
      const float* right = b.line(k / kDepth, base);
      if (add_turned_product(tiles_, a.line(0, 0), kDepth, {right, kDepth}, columns, count, lines,
                             sums + k, step))
        continue;
      if (!is_turned)
        transpose(a.line(0, 0), kDepth, lines, columns, work.turned.line(0, 0), kDepth);
      is_turned = true;
      add_packed_product(tiles_, work.turned.line(0, 0), right, kDepth, columns, count, lines,
                         sums + k, step);
    }
  }

  void add_sinks(std::int64_t number, std::int64_t key_head, const Work& work) {
    const View& view = *attention_.sink;
    const auto* scores = reinterpret_cast<const float*>(memory_.operands[view.operand]);
    const std::int64_t rows = attention_.sequences[std::size_t(number)].rows;
    for (std::size_t line = 0; line < work.shared.size(); ++line) {
      const std::int64_t head = key_head * group_ + std::int64_t(line) / rows;
      const float score = scores[view.offset + head * view.strides[0]];
      const float weight = std::exp(score - work.maximum[line]) / work.sum[line];
      sinks_[std::size_t(number * attention_.heads() + head)] -=
          double(weight) * double(work.shared[line]);
    }
  }

  void store_sinks() const {
    const std::int64_t heads = attention_.heads();
    const auto size = std::int64_t(dtype_size(sink_->dtype));
    for (std::int64_t head = 0; head < heads; ++head) {
      double sum = 0;
      for (std::size_t at = std::size_t(head); at < sinks_.size(); at += std::size_t(heads))
        sum += sinks_[at];
      const auto value = static_cast<float>(sum);
      std::byte* to =
          memory_.operands[sink_->operand] + (sink_->offset + head * sink_->strides[0]) * size;
      storer<float>(sink_->dtype, Rounding::kNearestEven)(&value, 1, to, 1);
    }
  }

  const Attention& attention_;
  const KernelMemory& memory_;
  RowReader query_;
  RowReader key_;
  RowReader value_;
  RowView out_;
  RowView grad_;
  StatisticRows maximum_;
  std::optional<StatisticRows> sum_;
  RowWriter query_grad_;
  RowWriter key_grad_;
  RowWriter value_grad_;
  Scores scores_;
  std::optional<Selection> selection_;
  const TileProducts& tiles_;
  const LineLoops& loops_;
  std::int64_t depth_;
  std::int64_t value_depth_;
  std::int64_t depth_step_;
  std::int64_t value_step_;
  std::int64_t group_;
  std::int64_t most_rows_ = 0;
  std::int64_t most_lines_ = 0;
  std::int64_t most_kept_ = 0;
  std::int64_t most_columns_ = 0;
  bool has_pairs_;  // of bfloat16, two neighbours of the depth at once
  std::optional<View> sink_;
  std::vector<double> sinks_;  // [sequences, heads]
};

}  // namespace

void run_attention_gradients(const AttentionGradients& gradients, const KernelMemory& memory) {
  Backward(gradients, memory).run();
}

void launch_attention_gradients(Plan& plan, AttentionGradients gradients) {
  plan.launch([gradients = std::move(gradients)](const KernelMemory& memory) {
    run_attention_gradients(gradients, memory);
  });
}

}  // namespace pyaclnn::sim
