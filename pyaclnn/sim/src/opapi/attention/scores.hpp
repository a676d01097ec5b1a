// Scores: what stands between the products of queries and keys and their softmax, for the forward
// and the backward pass.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "opapi/attention/attention.hpp"
#include "opapi/attention/rows.hpp"

namespace pyaclnn::sim {

/// A score that the mask hides; one outside of the sequence or its band is minus infinity.
constexpr float kHidden = std::numeric_limits<float>::lowest();

/// Rows of some heads that share keys: line l is row first_row + l % rows of head first_head + l /
/// rows.
struct AttentionLines {
  std::int64_t sequence;  // its number
  std::int64_t key_head;
  std::int64_t first_head;
  std::int64_t heads;
  std::int64_t first_row;
  std::int64_t rows;

  std::int64_t count() const { return heads * rows; }
  std::int64_t head(std::int64_t line) const { return first_head + line / rows; }
  std::int64_t row(std::int64_t line) const { return first_row + line % rows; }
};

/// How the lines of a sequence that share a head of keys are cut, at most `most` in a piece.
class LineCut {
 public:
  LineCut(std::int64_t rows, std::int64_t group, std::int64_t most);

  std::int64_t pieces() const { return sets_ * parts_; }
  std::int64_t largest() const { return heads_ * part_rows_; }
  AttentionLines piece(std::int64_t number, std::int64_t sequence, std::int64_t key_head) const;

 private:
  std::int64_t rows_;
  std::int64_t group_;
  std::int64_t heads_;      // in a piece
  std::int64_t part_rows_;  // in a piece
  std::int64_t sets_;
  std::int64_t parts_;
};

/// Columns that a row sees: those of the band, and the prefix before it.
struct SeenColumns {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t prefix;

  bool any_of(std::int64_t first, std::int64_t count) const {
    return first < prefix || (first < end && first + count > begin);
  }
};

SeenColumns seen_columns(const AttentionSequence& sequence, std::int64_t first_row,
                         std::int64_t rows);

class Scores {
 public:
  explicit Scores(const Attention& attention);

  /// Turns products of a line with `count` keys from `first` on into scores, and returns the
  /// largest of them. `scratch` has room for `count` numbers.
  float finish(const KernelMemory& memory, std::int64_t number, std::int64_t head, std::int64_t row,
               std::int64_t first, std::int64_t count, float* scores, float* scratch) const;
  /// What becomes of weights by dropout: 0, or their part of `keep`.
  void drop(const KernelMemory& memory, std::int64_t number, std::int64_t head, std::int64_t row,
            std::int64_t first, std::int64_t count, float* weights) const;
  bool drops() const { return drops_.has_value(); }

 private:
  /// What stands between products and scores, but for what a row does not see.
  void change(const KernelMemory& memory, std::int64_t number, std::int64_t head, std::int64_t row,
              std::int64_t first, std::int64_t count, float* scores, float* scratch) const;
  /// The row and the column of the mask and the bias at which a sequence begins.
  std::pair<std::int64_t, std::int64_t> origin_of(const AttentionSequence& sequence) const;
  void add_bias(const KernelMemory& memory, std::int64_t number, std::int64_t head,
                std::int64_t row, std::int64_t first, std::int64_t count, float* bias) const;

  /// The same, of numbers that are drawn.
  void draw(std::int64_t number, std::int64_t head, std::int64_t row, std::int64_t first,
            std::int64_t count, float* weights) const;

  const Attention& attention_;
  std::optional<RowView> bias_;
  std::optional<RowView> mask_;
  std::optional<AttentionDropout> drops_;
  /// Pairs of a row and a column of one head in all sequences before, and columns.
  std::vector<std::int64_t> pairs_before_;
  std::vector<std::int64_t> columns_before_;
  /// Blocks of random numbers of one head in all sequences before.
  std::vector<std::int64_t> drawn_before_;
  bool only_scales_;
};

/// Loops over a line, for this processor.
struct LineLoops {
  void (*scale)(float* values, std::int64_t count, float factor);
  void (*add)(float* values, const float* more, std::int64_t count);
  void (*hide)(float* values, const float* mask, std::int64_t count);
  void (*largest)(const float* values, std::int64_t count, float* result);
  /// The two of them at once.
  void (*scale_largest)(float* values, std::int64_t count, float factor, float* result);
  /// values = e^(values - shift), with their sum.
  void (*powers)(float* values, std::int64_t count, float shift, float* sum);
  void (*dot)(const float* a, const float* b, std::int64_t count, float* result);
  /// to = p (values - shift)
  void (*slopes)(const float* p, const float* values, float shift, std::int64_t count, float* to);

  static const LineLoops& of_this_cpu();
};

}  // namespace pyaclnn::sim
