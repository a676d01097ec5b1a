// SPDX-License-Identifier: MIT
#include "opapi/attention/index_scores.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "opapi/attention/layouts.hpp"
#include "opapi/common/view.hpp"

namespace pyaclnn::sim {
namespace {

/// Where the tokens of a sequence begin, and how many it has, of so many.
std::pair<std::int64_t, std::int64_t> range_of(const std::vector<std::int64_t>& lengths,
                                               std::size_t i, bool are_packed, std::int64_t all) {
  if (i >= lengths.size()) return {0, are_packed ? 0 : all};
  const std::int64_t begin =
      are_packed && i > 0 ? std::clamp<std::int64_t>(lengths[i - 1], 0, all) : 0;
  return {begin, std::clamp<std::int64_t>(lengths[i], begin, all) - begin};
}

}  // namespace

std::vector<IndexedSequence> SequenceCut::sequences(const std::vector<std::int64_t>& row_lengths,
                                                    const std::vector<std::int64_t>& column_lengths,
                                                    const Compression& compression) const {
  std::vector<IndexedSequence> result(static_cast<std::size_t>(batch));
  for (std::size_t i = 0; i < result.size(); ++i) {
    IndexedSequence& sequence = result[i];
    sequence.query_batch = rows_are_packed ? 0 : std::int64_t(i);
    sequence.key_batch = columns_are_packed ? 0 : std::int64_t(i);
    std::tie(sequence.first_row, sequence.rows) = range_of(row_lengths, i, rows_are_packed, rows);
    std::tie(sequence.first_column, sequence.columns) =
        range_of(column_lengths, i, columns_are_packed, columns);
    sequence.ratio = compression.ratio;
    if (!is_causal) continue;
    sequence.ahead = sequence.columns * sequence.ratio - sequence.rows;
    if (i < compression.residuals.size()) sequence.ahead += compression.residuals[i];
  }
  return result;
}

RowsOfSequences::RowsOfSequences(const std::vector<IndexedSequence>& sequences) {
  std::int64_t end = 0;
  for (const IndexedSequence& sequence : sequences) ends_.push_back(end += sequence.rows);
}

std::pair<std::int64_t, std::int64_t> RowsOfSequences::at(std::int64_t number) const {
  const auto found = std::upper_bound(ends_.begin(), ends_.end(), number);
  const std::int64_t before = found == ends_.begin() ? 0 : *(found - 1);
  return {found - ends_.begin(), number - before};
}

TokenProducts::TokenProducts(const KernelMemory& memory, const RowReader& query, std::int64_t heads,
                             const RowReader& key, std::int64_t key_heads)
    : memory_(memory),
      query_(query),
      key_(key),
      heads_(heads),
      key_heads_(key_heads),
      depth_(query.depth()),
      tiles_(TileProducts::of_this_cpu()),
      loops_(LineLoops::of_this_cpu()),
      queries_(heads * depth_),
      lines_(key_heads == 1 ? heads : 1, depth_),
      rows_(kColumns * depth_),
      keys_(kColumns * depth_),
      sums_((key_heads == 1 ? heads : 1) * kColumns) {}

void TokenProducts::take(std::int64_t number, const AttentionSequence& sequence, std::int64_t row) {
  number_ = number;
  sequence_ = &sequence;
  for (std::int64_t n = 0; n < heads_; ++n) {
    float* to = queries_.data() + n * depth_;
    query_.load(memory_, number, sequence.query_batch, n, sequence.first_row + row, to);
    if (key_heads_ == 1) lines_.set(n, to);
  }
}

void TokenProducts::multiply(const std::int64_t* columns, std::int64_t count, float* to,
                             std::int64_t step) {
  const std::int64_t group = heads_ / key_heads_;
  for (std::int64_t k = 0; k < key_heads_; ++k) {
    for (std::int64_t j = 0; j < count; ++j)
      key_.load(memory_, number_, sequence_->key_batch, k, sequence_->first_column + columns[j],
                rows_.data() + j * depth_);
    if (key_heads_ > 1) {
      for (std::int64_t n = k * group; n < (k + 1) * group; ++n)
        for (std::int64_t j = 0; j < count; ++j)
          loops_.dot(query(n), rows_.data() + j * depth_, depth_, to + n * step + j);
      continue;
    }
    transpose(rows_.data(), depth_, count, depth_, keys_.data(), kColumns);
    lines_.multiply(tiles_, heads_, keys_.data(), kColumns, count, sums_.data(), kColumns);
    for (std::int64_t n = 0; n < heads_; ++n)
      std::copy_n(sums_.data() + n * kColumns, count, to + n * step);
  }
}

void weigh(const float* products, std::int64_t step, const float* weights, std::int64_t heads,
           std::int64_t count, float* scores) {
  std::fill_n(scores, count, 0.0f);
  for (std::int64_t n = 0; n < heads; ++n)
    for (std::int64_t j = 0; j < count; ++j)
      scores[j] += weights[n] * std::max(products[n * step + j], 0.0f);
}

View numbers_by_heads(const View& view, const std::string& layout) {
  View deep = view;
  deep.shape.push_back(1);
  deep.strides.push_back(0);
  return by_heads(deep, layout, 1);
}

}  // namespace pyaclnn::sim
