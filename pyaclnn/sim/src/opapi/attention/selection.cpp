// SPDX-License-Identifier: MIT
#include "opapi/attention/selection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "opapi/product/packed_product.hpp"

namespace pyaclnn::sim {
namespace {

/// Counts have no last axis.
View with_one(View view) {
  view.shape.push_back(1);
  view.strides.push_back(1);
  return view;
}

}  // namespace

SelectedColumns::Ranges::const_iterator SelectedColumns::after(const Ranges& ranges,
                                                               std::int64_t column) {
  return std::upper_bound(ranges.begin(), ranges.end(), column,
                          [](std::int64_t at, const Range& range) { return at < range.end; });
}

bool SelectedColumns::any_of(std::int64_t first_head, std::int64_t heads, std::int64_t first_row,
                             std::int64_t rows, std::int64_t first, std::int64_t count) const {
  for (std::int64_t g = first_head / group_; g <= (first_head + heads - 1) / group_; ++g) {
    for (std::int64_t b = first_row / row_block_; b <= (first_row + rows - 1) / row_block_; ++b) {
      const Ranges& ranges = of(g, b);
      const auto range = after(ranges, first);
      if (range != ranges.end() && range->begin < first + count) return true;
    }
  }
  return false;
}

void SelectedColumns::hide(std::int64_t head, std::int64_t row, std::int64_t first,
                           std::int64_t count, float* scores) const {
  const Ranges& ranges = of(head / group_, row / row_block_);
  constexpr float kUnseen = -std::numeric_limits<float>::infinity();
  std::int64_t from = 0;
  for (auto range = after(ranges, first); range != ranges.end() && from < count; ++range) {
    const std::int64_t begin = std::clamp<std::int64_t>(range->begin - first, from, count);
    std::fill(scores + from, scores + begin, kUnseen);
    from = std::clamp<std::int64_t>(range->end - first, begin, count);
  }
  std::fill(scores + from, scores + count, kUnseen);
}

Selection::Selection(const Attention& attention)
    : attention_(attention),
      lists_(*attention.lists),
      values_(lists_.view),
      group_(attention.heads() / lists_.view.shape[1]) {
  if (lists_.counts.has_value()) counts_.emplace(with_one(*lists_.counts));
  std::int64_t blocks = 0;
  for (const AttentionSequence& sequence : attention.sequences) {
    first_block_.push_back(blocks);
    if (lists_.is_packed) blocks += ceil_divide(sequence.rows, lists_.row_block);
  }
}

SelectedColumns::Ranges Selection::list(const KernelMemory& memory, std::int64_t batch,
                                        std::int64_t group, std::int64_t block,
                                        std::int64_t columns, std::vector<float>& values) const {
  SelectedColumns::Ranges ranges;
  const Dims& shape = lists_.view.shape;
  if (batch >= shape[0] || block >= shape[2]) return ranges;
  values.resize(std::size_t(shape[3]));
  values_.load(memory, batch, group, block, 0, shape[3], values.data());
  if (counts_.has_value()) {
    float count = 0;
    counts_->load(memory, batch, group, block, 0, 1, &count);
    values.resize(std::size_t(std::clamp(count, 0.0f, float(shape[3]))));
  }
  if (lists_.is_flags) {
    std::size_t seen = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != 0.0f) values[seen++] = float(i);
    }
    values.resize(seen);
  }
  std::sort(values.begin(), values.end());
  const std::int64_t width = lists_.column_block;
  const auto limit = float(ceil_divide(columns, width));
  for (const float value : values) {
    if (!(value >= 0.0f && value < limit)) continue;
    const std::int64_t begin = std::int64_t(value) * width;
    const std::int64_t end = std::min(begin + width, columns);
    if (!ranges.empty() && begin <= ranges.back().end)
      ranges.back().end = end;
    else
      ranges.push_back({begin, end});
  }
  return ranges;
}

SelectedColumns Selection::read(const KernelMemory& memory, std::int64_t number,
                                std::int64_t first_head, std::int64_t heads, std::int64_t first_row,
                                std::int64_t rows) const {
  const AttentionSequence& sequence = attention_.sequences[std::size_t(number)];
  SelectedColumns selected;
  selected.group_ = group_;
  selected.row_block_ = lists_.row_block;
  selected.first_group_ = first_head / group_;
  selected.first_block_ = first_row / lists_.row_block;
  selected.blocks_ =
      rows == 0 ? 0 : (first_row + rows - 1) / lists_.row_block - selected.first_block_ + 1;
  std::vector<float> values;
  for (std::int64_t g = selected.first_group_; g <= (first_head + heads - 1) / group_; ++g) {
    for (std::int64_t b = 0; b < selected.blocks_; ++b) {
      const std::int64_t block = first_block_[std::size_t(number)] + selected.first_block_ + b;
      selected.lists_.push_back(
          list(memory, lists_.is_packed ? 0 : number, g, block, sequence.columns, values));
    }
  }
  return selected;
}

}  // namespace pyaclnn::sim
