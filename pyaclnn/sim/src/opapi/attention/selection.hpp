// Columns that rows see by lists of blocks.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "opapi/attention/attention.hpp"
#include "opapi/attention/rows.hpp"

namespace pyaclnn::sim {

/// The lists of some heads and rows of a sequence, as ranges of columns.
class SelectedColumns {
 public:
  /// Whether one of these rows sees one of the columns.
  bool any_of(std::int64_t first_head, std::int64_t heads, std::int64_t first_row,
              std::int64_t rows, std::int64_t first, std::int64_t count) const;
  /// Scores of the columns that the row does not see become minus infinity.
  void hide(std::int64_t head, std::int64_t row, std::int64_t first, std::int64_t count,
            float* scores) const;

 private:
  friend class Selection;

  struct Range {
    std::int64_t begin;
    std::int64_t end;
  };
  using Ranges = std::vector<Range>;

  static Ranges::const_iterator after(const Ranges& ranges, std::int64_t column);
  const Ranges& of(std::int64_t head_group, std::int64_t block) const {
    return lists_[std::size_t((head_group - first_group_) * blocks_ + block - first_block_)];
  }

  std::int64_t group_ = 1;
  std::int64_t row_block_ = 1;
  std::int64_t first_group_ = 0;
  std::int64_t first_block_ = 0;
  std::int64_t blocks_ = 0;
  std::vector<Ranges> lists_;  // [groups of heads, blocks of rows], ascending
};

/// Reads lists.
class Selection {
 public:
  explicit Selection(const Attention& attention);

  SelectedColumns read(const KernelMemory& memory, std::int64_t number, std::int64_t first_head,
                       std::int64_t heads, std::int64_t first_row, std::int64_t rows) const;

 private:
  SelectedColumns::Ranges list(const KernelMemory& memory, std::int64_t batch, std::int64_t group,
                               std::int64_t block, std::int64_t columns,
                               std::vector<float>& values) const;

  const Attention& attention_;
  const AttentionLists& lists_;
  RowView values_;
  std::optional<RowView> counts_;
  std::int64_t group_;                     // heads that share a list
  std::vector<std::int64_t> first_block_;  // of sequences that are packed
};

}  // namespace pyaclnn::sim
