// Rows of attention's operands as packed floats, wherever they lie in memory.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "opapi/attention/attention.hpp"
#include "opapi/attention/rounded_as.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/prefetch.hpp"
#include "opapi/product/pairs.hpp"

namespace pyaclnn::sim {

/// A view of four axes whose last is read or written a row at a time. It may be split in two: lanes
/// of so many elements, which lie apart.
class RowView {
 public:
  explicit RowView(const View& view);

  /// Elements of a row.
  std::int64_t length() const { return length_; }
  void load(const KernelMemory& memory, std::int64_t batch, std::int64_t head, std::int64_t row,
            std::int64_t from, std::int64_t count, float* to) const {
    if (lane_ > 0) return load_lanes(memory, batch, head, row, from, count, to);
    load_from(memory, element(batch, head, row) + from * steps_[3], count, to);
  }
  void store(const KernelMemory& memory, std::int64_t batch, std::int64_t head, std::int64_t row,
             const float* from, std::int64_t count) const {
    store_(from, count, at(memory, batch, head, row), steps_[3]);
  }
  /// The row itself, where it is an array of floats.
  const float* floats(const KernelMemory& memory, std::int64_t batch, std::int64_t head,
                      std::int64_t row) const;
  std::int64_t row_step() const { return steps_[2]; }
  /// Asks for a row that is read soon.
  void expect(const KernelMemory& memory, std::int64_t batch, std::int64_t head,
              std::int64_t row) const {
    if (steps_[3] == 1 && !is_halves_ && lane_ == 0)
      prefetch(at(memory, batch, head, row), length_ * size_);
  }
  /// Rows from this one on, which must be of bfloat16.
  PairSource pairs(const KernelMemory& memory, std::int64_t batch, std::int64_t head,
                   std::int64_t row) const {
    return {at(memory, batch, head, row), steps_[2], steps_[3]};
  }

 private:
  std::int64_t element(std::int64_t batch, std::int64_t head, std::int64_t row) const {
    return offset_ + batch * steps_[0] + head * steps_[1] + row * steps_[2];
  }
  std::byte* at(const KernelMemory& memory, std::int64_t batch, std::int64_t head,
                std::int64_t row) const {
    return memory.operands[operand_] + element(batch, head, row) * size_;
  }
  /// Numbers of one lane, from an element on.
  void load_from(const KernelMemory& memory, std::int64_t first, std::int64_t count,
                 float* to) const {
    const std::byte* const operand = memory.operands[operand_];
    if (is_halves_) return read_halves(dtype_, operand, first, steps_[3], count, to);
    load_(operand + first * size_, steps_[3], count, to);
  }
  void load_lanes(const KernelMemory& memory, std::int64_t batch, std::int64_t head,
                  std::int64_t row, std::int64_t from, std::int64_t count, float* to) const;

  std::size_t operand_;
  std::int64_t offset_;
  std::int64_t size_;
  std::int64_t lane_;  // elements of one; 0 for an axis that is not split
  std::int64_t lane_step_;
  std::int64_t steps_[4];
  std::int64_t length_;
  bool is_floats_;
  bool is_halves_;  // of which a byte holds two
  aclDataType dtype_;
  LoadFn load_;
  StoreFn store_;
};

/// Gives every element of a view of four axes a value.
void fill_rows(const View& view, const KernelMemory& memory, float value);

/// Reads and writes a number of each row.
class StatisticRows {
 public:
  explicit StatisticRows(const AttentionStatistics& statistics);

  float load(const KernelMemory& memory, const AttentionSequence& sequence, std::int64_t head,
             std::int64_t row) const;
  void store(const KernelMemory& memory, const AttentionSequence& sequence, std::int64_t head,
             std::int64_t row, float value) const;

 private:
  float* at(const KernelMemory& memory, const AttentionSequence& sequence, std::int64_t head,
            std::int64_t row) const;

  View view_;
  bool is_packed_;
};

/// Some rows as floats, `step` apart.
struct FloatRows {
  const float* data;
  std::int64_t step;
};

/// So many rows before it is read, a row is asked for: those of a head lie apart. More of them at
/// once would push each other from the cache.
constexpr std::int64_t kAhead = 5;

/// Reads rows of sequences.
class RowReader {
 public:
  explicit RowReader(const AttentionRows& rows);

  std::int64_t depth() const { return depth_; }
  /// Whether all of a row lies behind one another in bfloat16.
  bool has_pairs() const { return has_pairs_; }
  PairSource pairs(const KernelMemory& memory, std::int64_t batch, std::int64_t head,
                   std::int64_t row) const {
    return rows_.pairs(memory, batch, head, row);
  }
  /// Reads one row. `sequence` is its number, `batch` where it lies, unless it lies in pages.
  void load(const KernelMemory& memory, std::int64_t sequence, std::int64_t batch,
            std::int64_t head, std::int64_t row, float* to) const;
  /// One row where it is, if it is an array of floats; otherwise read to `scratch`.
  const float* one(const KernelMemory& memory, std::int64_t sequence, std::int64_t batch,
                   std::int64_t head, std::int64_t row, float* scratch) const;
  /// Asks for a row that is read soon.
  void expect(const KernelMemory& memory, std::int64_t sequence, std::int64_t batch,
              std::int64_t head, std::int64_t row) const;
  /// Rows where they are, if they are floats that lie near one another; otherwise read to
  /// `scratch`, depth() apart.
  FloatRows some(const KernelMemory& memory, std::int64_t sequence, std::int64_t batch,
                 std::int64_t head, std::int64_t first, std::int64_t count, float* scratch) const;

 private:
  /// Where a row lies, and where its scale does.
  struct Place {
    std::int64_t batch;
    std::int64_t row;
  };
  void load_at(const KernelMemory& memory, const Place& place, std::int64_t head,
               const Place& scale, float* to) const;
  /// From what lies there to the numbers it stands for.
  void dequantise(const KernelMemory& memory, const Place& scale, std::int64_t head,
                  std::int64_t count, float* to) const;
  /// The page that has a row of a sequence; negative for none.
  std::int64_t page_of(const KernelMemory& memory, std::int64_t sequence, std::int64_t row) const;

  std::int64_t depth_;
  bool has_pairs_;
  bool is_plain_;  // a row is what lies there
  RowView rows_;
  std::optional<RowView> rope_;
  std::optional<RowView> added_;
  std::optional<RowView> scale_;
  std::optional<RowView> offset_;
  std::optional<RoundedAs> rounded_;
  bool has_exponents_ = false;  // for scales
  bool scales_sequences_;
  std::vector<std::int64_t> starts_;
  std::int64_t rows_of_scale_;
  std::optional<View> pages_;
  std::int64_t page_count_;
  std::int64_t page_rows_;
};

}  // namespace pyaclnn::sim
