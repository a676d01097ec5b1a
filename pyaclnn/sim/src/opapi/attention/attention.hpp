// Attention of queries to keys, and the values it weighs, in tiles: memory is linear in the length
// of sequences, and results have the same bits for any number of threads.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Rows of queries, keys or values: [batch, heads, rows, depth], whatever the layout in memory; the
/// depth may be in two axes. Sequences behind another, as in TND, are row ranges of one batch.
struct AttentionRows {
  View view;
  /// More of the depth, behind that of `view`.
  std::optional<View> rope;
  /// As `view`, and added to it.
  std::optional<View> added;
  /// [sequences, pages] of int32: the batches of `view` are pages, of which these hold the rows of
  /// a sequence.
  std::optional<View> pages;
  /// (x + offset) * scale is the number; both broadcast to `view`, and a scale of exponents has the
  /// depth in two axes.
  std::optional<View> scale;
  std::optional<View> offset;
  /// What the number is rounded to, and before that the sum and all scales but exponents.
  std::optional<aclDataType> rounded_to;
  /// Rows of scale and offset are those of sequences, though `view` lies in pages, or has these
  /// behind one another, each from one of `starts` on.
  bool scales_sequences = false;
  std::vector<std::int64_t> starts;
  /// So many rows share one of the scale.
  std::int64_t rows_of_scale = 1;

  static AttentionRows of(View view) {
    AttentionRows rows;
    rows.view = std::move(view);
    return rows;
  }
  /// What `view` would be with one axis of depth.
  static Dims shape_of(const View& view) {
    const Dims& s = view.shape;
    return {s[0], s[1], s[2], s.size() > 4 ? s[3] * s[4] : s[3]};
  }
  std::int64_t depth() const { return shape_of(view)[3] + (rope ? shape_of(*rope)[3] : 0); }
};

/// One sample: which rows it has, and which of its pairs of a row i and a column j count.
struct AttentionSequence {
  static constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max() / 4;

  std::int64_t query_batch = 0;
  std::int64_t first_row = 0;
  std::int64_t rows = 0;
  std::int64_t key_batch = 0;
  std::int64_t first_column = 0;
  std::int64_t columns = 0;
  /// Row i sees the columns from i - behind to i + ahead, and all below `prefix`.
  std::int64_t behind = kUnbounded;
  std::int64_t ahead = kUnbounded;
  std::int64_t prefix = 0;
};

/// What is added to a score.
struct AttentionBias {
  /// [sequences, heads, rows, columns], where 0 strides broadcast.
  View view;
  /// Sequences lie behind another, each with its own [heads, rows, columns]; of `view` only where
  /// it starts and its type count.
  bool is_packed = false;
  /// Of a packed bias, [heads, 1, columns]: all rows of a sequence have the same.
  bool is_row = false;
  /// `view` has the last rows of a bias of the distance only: a row before them is the first of
  /// these, moved to the left. Shorter sequences have what is left of the last row's column.
  bool is_short = false;
};

/// A bias of the distance: -slope |i - j + shift|, or of its root.
struct AttentionSlopes {
  View view;  // [sequences, heads] of float32
  bool is_root = false;
  std::int64_t shift = 0;
};

/// Which weights stay after the softmax, by numbers of a generator: a byte each, in steps of 16,
/// with which each row begins.
struct DrawnWeights {
  std::uint64_t seed;
  std::uint64_t offset;  // of the first byte
  std::uint8_t largest;  // weights whose byte is not above it stay
};

/// Which weights stay after the softmax: a bit or a byte each, of [heads, rows, columns] of each
/// sequence behind another.
struct AttentionDropout {
  View view;  // uint8, unless they are drawn
  bool is_bits = true;
  float keep = 1.0f;  // weights that stay are divided by it
  std::optional<DrawnWeights> drawn;
};

/// Which blocks of columns rows see, where data say it.
struct AttentionLists {
  /// [sequences, heads, blocks of rows, any] of integers: numbers of blocks, of which those that
  /// are none do not count, or whether each block is seen. Heads in equal groups share lists.
  View view;
  bool is_flags = false;
  /// How many numbers count, of a view like `view` without the last axis.
  std::optional<View> counts;
  std::int64_t row_block = 1;
  std::int64_t column_block = 1;
  /// Blocks of rows of sequences lie behind another, in one batch.
  bool is_packed = false;
};

/// A number of each row.
struct AttentionStatistics {
  /// [batch, heads, rows, any]: every element of the last axis is the same.
  View view;
  /// Sequences lie behind another, each with its own [heads, rows, any]; of `view` only where it
  /// starts and the last axis count.
  bool is_packed = false;
};

/// Queries, keys and values are of 8 bits: int8 or a float. Views of one float each.
struct AttentionBytes {
  std::optional<View> score;   // products are multiplied by it
  std::optional<View> rows;    // [batch, heads, rows, 1]: and by the number of their row
  std::optional<View> weight;  // weights, of which the largest is 1, times it become numbers of
                               // the type
  float plain_weight = 0;      // the same where it is no view; sums of values are divided by
                               // either unless this is 0
  std::optional<View> value;   // sums of values are multiplied by it
  bool in_halves = true;       // what is multiplied so is rounded to float16
};

/// The result times a scale, with an offset, is rounded to its type; both broadcast to the result.
struct AttentionRounding {
  View scale;
  std::optional<View> offset;
};

/// out[b, n, i] = sum over j of softmax_j(scale query[b, n, i] . key[b, m, j] + bias[b, n, i, j])
/// value[b, m, j], where heads n share the head m of keys and values in equal groups.
struct Attention {
  AttentionRows query;
  AttentionRows key;
  AttentionRows value;
  View out;  // [batch, heads, rows, value depth]
  std::vector<AttentionSequence> sequences;

  float scale = 1.0f;
  /// The sum with the bias is scaled, not the product.
  bool scales_bias = false;
  std::optional<AttentionBias> bias;
  std::optional<AttentionSlopes> slopes;
  /// [sequences, heads, rows, columns], where 0 strides broadcast; columns that are not 0 are not
  /// seen.
  std::optional<View> mask;
  /// Rows and columns of the mask, and of a bias of all pairs, count from where the tensors begin,
  /// not from where a sequence does.
  bool counts_from_tensors = false;
  /// Rows of which the mask hides all columns give 0; otherwise the mean of the values that it
  /// hides. A row without any column gives 0.
  bool gives_zero_unseen = false;
  std::optional<AttentionDropout> dropout;
  /// [heads] of floats: a score of each row that has no value.
  std::optional<View> sink;

  /// The other columns are not seen.
  std::optional<AttentionLists> lists;

  std::optional<AttentionBytes> bytes;
  std::optional<AttentionRounding> rounding;

  std::optional<AttentionStatistics> maximum;
  std::optional<AttentionStatistics> sum;
  /// Logarithm of the sum of the powers of e; infinite where nothing is seen.
  std::optional<AttentionStatistics> lse;

  std::int64_t heads() const { return query.view.shape[1]; }
  std::int64_t key_heads() const { return key.view.shape[1]; }
};

void launch_attention(Plan& plan, Attention attention);

/// The same, for kernels that know their sequences only then.
void run_attention(const Attention& attention, const KernelMemory& memory);

}  // namespace pyaclnn::sim
