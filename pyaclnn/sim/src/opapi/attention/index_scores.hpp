// Scores by which an indexer chooses keys: score[t, s] = sum over the heads n of
// weight[t, n] max(0, query[t, n] . key[s]).
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "opapi/attention/attention.hpp"
#include "opapi/attention/packed.hpp"
#include "opapi/attention/rows.hpp"
#include "opapi/attention/scores.hpp"

namespace pyaclnn::sim {

constexpr std::int64_t kIndexDepth = 128;
constexpr std::int64_t kAllTokens = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kCausal = 3;

/// The layout that a null text stands for.
inline std::string layout_of(const Text& text) { return text.given() ? text.text : "BSND"; }

/// Keys of which each stands for several tokens; how many are left over in each sequence.
struct Compression {
  std::int64_t ratio = 1;
  std::vector<std::int64_t> residuals;
};

/// A sequence of an indexer: row i sees the columns that end before token i + ahead + 1.
struct IndexedSequence : AttentionSequence {
  std::int64_t ratio = 1;
};

/// How tokens make sequences: in a batch each, or behind one another with sums of their lengths.
struct SequenceCut {
  std::int64_t batch;
  std::int64_t rows;     // of queries: of each sequence, or of all
  std::int64_t columns;  // of keys
  bool rows_are_packed;
  bool columns_are_packed;
  /// A row sees as many columns from the end on as rows are left behind it; otherwise all.
  bool is_causal;

  /// Of the lengths that are given; what lies outside is left out.
  std::vector<IndexedSequence> sequences(const std::vector<std::int64_t>& row_lengths,
                                         const std::vector<std::int64_t>& column_lengths,
                                         const Compression& compression = {}) const;
};

/// Columns that a row sees.
inline std::int64_t seen_of(const IndexedSequence& sequence, std::int64_t row) {
  if (sequence.ahead / sequence.ratio >= sequence.columns) return sequence.columns;
  const std::int64_t end = row + sequence.ahead + 1;
  return end < 0 ? 0 : std::min(end / sequence.ratio, sequence.columns);
}

/// All rows of some sequences, counted through.
class RowsOfSequences {
 public:
  explicit RowsOfSequences(const std::vector<IndexedSequence>& sequences);
  std::int64_t count() const { return ends_.empty() ? 0 : ends_.back(); }
  /// The number of the sequence, and the row in it.
  std::pair<std::int64_t, std::int64_t> at(std::int64_t number) const;

 private:
  std::vector<std::int64_t> ends_;
};

/// Products of the queries of one token with keys. Heads share those of keys in equal groups.
class TokenProducts {
 public:
  static constexpr std::int64_t kColumns = kDepth;

  TokenProducts(const KernelMemory& memory, const RowReader& query, std::int64_t heads,
                const RowReader& key, std::int64_t key_heads);

  void take(std::int64_t number, const AttentionSequence& sequence, std::int64_t row);
  /// Products with keys of some columns, at most kColumns: to[head step + j].
  void multiply(const std::int64_t* columns, std::int64_t count, float* to, std::int64_t step);
  const float* query(std::int64_t head) const { return queries_.data() + head * depth_; }

 private:
  const KernelMemory& memory_;
  const RowReader& query_;
  const RowReader& key_;
  std::int64_t heads_;
  std::int64_t key_heads_;
  std::int64_t depth_;
  std::int64_t number_ = 0;
  const AttentionSequence* sequence_ = nullptr;
  const TileProducts& tiles_;
  const LineLoops& loops_;
  FloatBuffer queries_;
  PackedLines lines_;
  FloatBuffer rows_;
  FloatBuffer keys_;
  FloatBuffer sums_;
};

/// sum over the heads of weights[n] max(0, products[n step + j]), for `count` columns.
void weigh(const float* products, std::int64_t step, const float* weights, std::int64_t heads,
           std::int64_t count, float* scores);

/// [batch, rows, heads] or [tokens, heads] as [batch, heads, rows, 1].
View numbers_by_heads(const View& view, const std::string& layout);

}  // namespace pyaclnn::sim
