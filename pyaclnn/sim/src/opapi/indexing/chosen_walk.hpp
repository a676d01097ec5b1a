// The positions of a Chosen, walked through together with the table's slices they choose.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/prefetch.hpp"
#include "opapi/indexing/chosen.hpp"

namespace pyaclnn::sim {

constexpr std::int64_t kBlock = 256;       // positions at a time
constexpr std::int64_t kMostAhead = 2048;  // bytes of a row asked for in time
// No offset: those within a tensor are far from it.
constexpr std::int64_t kOutside = std::numeric_limits<std::int64_t>::min();

/// A number that a table does not have.
class OutOfRange {
 public:
  void note(std::int64_t number, std::int64_t extent) {
    bool expected = false;
    if (noted_.compare_exchange_strong(expected, true)) {
      number_ = number;
      extent_ = extent;
    }
  }
  bool any() const { return noted_; }
  std::int64_t number() const { return number_; }
  std::int64_t extent() const { return extent_; }
  void refuse(const char* api) const {
    if (noted_)
      fail(kRtAicoreException,
           "%s: an index is %lld, the dimension has %lld places; the device would access memory "
           "outside of the tensor",
           api, static_cast<long long>(number_), static_cast<long long>(extent_));
  }

 private:
  std::atomic<bool> noted_{false};
  std::int64_t number_ = 0;
  std::int64_t extent_ = 0;
};

/// How numbers move through a table.
struct Moves {
  View numbers;
  LoadFn load = nullptr;
  std::int64_t size = 0;
  std::int64_t extent = 0;
  std::int64_t step = 0;
  bool wraps = false;
};

/// Adds what numbers stand for to offsets, unless one is out of range or has been before.
inline bool add_offsets(const Moves& moves, const std::int64_t* numbers, std::int64_t count,
                        std::int64_t* offsets) {
  const std::int64_t below = moves.wraps ? moves.extent : 0;
  bool outside = false;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t number = numbers[i] + (numbers[i] < 0 ? below : 0);
    outside |= number < 0 || number >= moves.extent || offsets[i] == kOutside;
  }
  if (outside) return false;
  for (std::int64_t i = 0; i < count; ++i)
    offsets[i] += (numbers[i] + (numbers[i] < 0 ? below : 0)) * moves.step;
  return true;
}

/// The offsets that neighbouring numbers stand for; false if one of them is out of range.
using OffsetsOf = bool (*)(const std::byte* numbers, std::int64_t count, std::int64_t extent,
                           std::int64_t below, std::int64_t step, std::int64_t* offsets);

/// For numbers of so many bytes, 4 or 8.
OffsetsOf offsets_for_cpu(std::int64_t size);

/// Calls body(position, offset) for numbers of type I, some bytes apart; one that is out of range
/// is noted and left out.
template <class I, class Body>
void each_offset(const Moves& moves, const std::byte* numbers, std::int64_t bytes,
                 std::int64_t count, OutOfRange* bad, Body body) {
  const std::int64_t below = moves.wraps ? moves.extent : 0;
  for (std::int64_t i = 0; i < count; ++i) {
    I given;
    std::memcpy(&given, numbers + i * bytes, sizeof given);
    const std::int64_t number = std::int64_t(given) + (given < 0 ? below : 0);
    if (std::uint64_t(number) >= std::uint64_t(moves.extent)) {
      if (bad != nullptr) bad->note(std::int64_t(given), moves.extent);
      continue;
    }
    body(i, number * moves.step);
  }
}

inline View part_of(const View& view, std::size_t begin, std::size_t end) {
  View part = view;
  part.shape = part.strides = Dims();
  for (std::size_t i = begin; i < end; ++i) {
    part.shape.push_back(view.shape[i]);
    part.strides.push_back(view.strides[i]);
  }
  return part;
}

/// Both sides of a Chosen, walked together.
class Walk {
 public:
  explicit Walk(const Chosen& chosen)
      : table_(chosen.table),
        other_(chosen.other),
        constant_(chosen.constant),
        ignores_outside_(chosen.ignores_outside) {
    const View other_positions = part_of(chosen.other, 0, chosen.positions);
    View table_positions = with_axes(chosen.table, chosen.position_axes);
    table_positions.shape = other_positions.shape;
    std::vector<View> views{other_positions, table_positions};
    for (const Choice& choice : chosen.choices) {
      Moves moves;
      moves.numbers = broadcast_view(choice.numbers, other_positions.shape);
      moves.load = loader<std::int64_t>(choice.numbers.dtype);
      moves.size = std::int64_t(dtype_size(choice.numbers.dtype));
      moves.extent = chosen.table.shape.empty() ? 1 : chosen.table.shape[choice.axis];
      moves.step = chosen.table.strides.empty() ? 0 : chosen.table.strides[choice.axis];
      moves.wraps = choice.wraps;
      views.push_back(moves.numbers);
      moves_.push_back(moves);
    }
    if (is_of_one_number()) offsets_ = offsets_for_cpu(moves_[0].size);
    positions_ = plan_loops(views);
    View table_slice = with_axes(chosen.table, chosen.slice_axes);
    const View other_slice = part_of(chosen.other, chosen.positions, chosen.other.shape.size());
    table_slice.shape = other_slice.shape;
    slice_ = plan_loops({other_slice, table_slice});
  }

  const View& table() const { return table_; }
  const View& other() const { return other_; }
  const std::byte* other_base(const KernelMemory& memory) const {
    return constant_ ? constant_->data() : memory.operands[other_.operand];
  }
  /// From one position to the next, in other.
  std::int64_t other_step() const { return positions_.inner_stride(0); }
  std::int64_t positions() const { return positions_.count; }
  const LoopNest& slice() const { return slice_; }

  /// Whether each position is an element, and one number says which.
  bool is_of_elements() const { return slice_.count == 1 && is_of_one_number(); }

  /// The same of elements, body(offset in other, offset in table) for each.
  template <bool kToTable, class Body>
  void for_each_element(const KernelMemory& memory, std::int64_t begin, std::int64_t end,
                        OutOfRange& bad, Body body) const {
    const Moves& moves = moves_[0];
    OutOfRange* noted = ignores_outside_ ? nullptr : &bad;
    const std::int64_t other_step = positions_.inner_stride(0);
    const std::int64_t table_step = positions_.inner_stride(1);
    const std::int64_t bytes = positions_.inner_stride(2) * moves.size;
    const auto each_chosen = [&](std::int64_t in_other, std::int64_t in_table,
                                 const std::int64_t* offsets, std::int64_t count) {
      // Most often one of the two steps is 0 and the other 1.
      if (other_step == 1 && table_step == 0) {
        for (std::int64_t i = 0; i < count; ++i) body(in_other + i, in_table + offsets[i]);
      } else {
        for (std::int64_t i = 0; i < count; ++i)
          body(in_other + i * other_step, in_table + i * table_step + offsets[i]);
      }
    };
    LoopCursor cursor(positions_, begin);
    while (begin < end) {
      const std::int64_t other = other_.offset + cursor.offset(0);
      const std::int64_t table = table_.offset + cursor.offset(1);
      const std::byte* numbers = memory.operands[moves.numbers.operand] +
                                 (moves.numbers.offset + cursor.offset(2)) * moves.size;
      std::int64_t offsets[kBlock];
      const Rows rows = short_rows(cursor, end - begin);
      if (rows.count > 1 && find_offsets(numbers, rows.numbers, offsets)) {
        for (std::int64_t r = 0; r < rows.count; ++r)
          each_chosen(other + r * rows.other_step, table + r * rows.table_step,
                      offsets + r * rows.number_step, rows.length);
        cursor.advance(rows.count * rows.length);
        begin += rows.count * rows.length;
        continue;
      }
      const std::int64_t count = std::min(end - begin, cursor.left_in_row());
      for (std::int64_t done = 0; done < count; done += kBlock) {
        const std::int64_t take = std::min(kBlock, count - done);
        const std::byte* from = numbers + done * bytes;
        const std::int64_t in_other = other + done * other_step;
        const std::int64_t in_table = table + done * table_step;
        if (find_offsets(from, take, offsets)) {
          // Those that come next, while elements are moved: stores keep the processor from it.
          if constexpr (kToTable) prefetch(from + take * bytes, take * bytes);
          each_chosen(in_other, in_table, offsets, take);
          continue;
        }
        const auto at = [&](std::int64_t i, std::int64_t offset) {
          body(in_other + i * other_step, in_table + i * table_step + offset);
        };
        if (moves.size == 8) {
          each_offset<std::int64_t>(moves, from, bytes, take, noted, at);
        } else {
          each_offset<std::int32_t>(moves, from, bytes, take, noted, at);
        }
      }
      cursor.advance(count);
      begin += count;
    }
  }

  /// Calls body(offset in other, offset in table, step of other, step of table, chosen offsets,
  /// count) for stretches of positions; a position with a number out of range is left out.
  template <class Body>
  void for_each(const KernelMemory& memory, std::int64_t begin, std::int64_t end, OutOfRange& bad,
                Body body) const {
    LoopCursor cursor(positions_, begin);
    std::int64_t numbers[kBlock];
    std::int64_t offsets[kBlock];
    while (begin < end) {
      const std::int64_t count = std::min({kBlock, end - begin, cursor.left_in_row()});
      if (is_of_one_number()) {
        const Moves& moves = moves_[0];
        const std::byte* from = memory.operands[moves.numbers.operand] +
                                (moves.numbers.offset + cursor.offset(2)) * moves.size;
        if (find_offsets(from, count, offsets)) {
          body(other_.offset + cursor.offset(0), table_.offset + cursor.offset(1),
               positions_.inner_stride(0), positions_.inner_stride(1), offsets, count);
          cursor.advance(count);
          begin += count;
          continue;
        }
      }
      std::fill_n(offsets, count, std::int64_t(0));
      std::int64_t wrong = 0;
      for (std::size_t k = 0; k < moves_.size(); ++k) {
        const Moves& moves = moves_[k];
        const std::int64_t place = moves.numbers.offset + cursor.offset(2 + k);
        moves.load(memory.operands[moves.numbers.operand] + place * moves.size,
                   positions_.inner_stride(2 + k), count, numbers);
        if (add_offsets(moves, numbers, count, offsets)) continue;
        // Some are out of range: one by one.
        for (std::int64_t i = 0; i < count; ++i) {
          const std::int64_t wrapped =
              numbers[i] + (moves.wraps && numbers[i] < 0 ? moves.extent : 0);
          if (wrapped < 0 || wrapped >= moves.extent) {
            if (!ignores_outside_) bad.note(numbers[i], moves.extent);
            wrong += offsets[i] == kOutside ? 0 : 1;
            offsets[i] = kOutside;
          } else if (offsets[i] != kOutside) {
            offsets[i] += wrapped * moves.step;
          }
        }
      }
      const std::int64_t other = other_.offset + cursor.offset(0);
      const std::int64_t table = table_.offset + cursor.offset(1);
      const std::int64_t other_step = positions_.inner_stride(0);
      const std::int64_t table_step = positions_.inner_stride(1);
      if (wrong == 0) {
        body(other, table, other_step, table_step, offsets, count);
      } else if (wrong < count) {
        for (std::int64_t i = 0; i < count; ++i)
          if (offsets[i] != kOutside)
            body(other + i * other_step, table + i * table_step, other_step, table_step,
                 offsets + i, 1);
      }
      cursor.advance(count);
      begin += count;
    }
  }

 private:
  /// The offsets of numbers that follow one another; false where they do not lie densely, or one is
  /// out of range.
  bool find_offsets(const std::byte* numbers, std::int64_t count, std::int64_t* offsets) const {
    const Moves& moves = moves_[0];
    return positions_.inner_stride(2) == 1 &&
           offsets_(numbers, count, moves.extent, moves.wraps ? moves.extent : 0, moves.step,
                    offsets);
  }

  /// Rows of which the offsets are found together.
  struct Rows {
    std::int64_t count = 0;
    std::int64_t length = 0;
    std::int64_t numbers = 0;  // of all
    std::int64_t number_step = 0;
    std::int64_t other_step = 0;
    std::int64_t table_step = 0;
  };

  /// Those at the cursor, within so many positions, that are short and whose numbers lie one behind
  /// the other, or are the same; else none.
  Rows short_rows(const LoopCursor& cursor, std::int64_t positions) const {
    const std::size_t rank = positions_.extents.size();
    const std::int64_t length = positions_.inner_extent();
    if (rank < 2 || length > kBlock || cursor.left_in_row() != length) return {};
    const auto step = [&](std::size_t view) { return positions_.strides[view][rank - 2]; };
    const bool same = step(2) == 0;
    if (!same && step(2) != length) return {};
    Rows rows;
    rows.count = std::min(cursor.rows_left(), positions / length);
    if (!same) rows.count = std::min(rows.count, kBlock / length);
    rows.length = length;
    rows.numbers = same ? length : rows.count * length;
    rows.number_step = step(2);
    rows.other_step = step(0);
    rows.table_step = step(1);
    return rows;
  }

  bool is_of_one_number() const {
    return moves_.size() == 1 &&
           (moves_[0].numbers.dtype == ACL_INT64 || moves_[0].numbers.dtype == ACL_INT32);
  }

  View table_;
  View other_;
  std::shared_ptr<const std::array<std::byte, 16>> constant_;
  bool ignores_outside_ = false;
  LoopNest positions_;
  LoopNest slice_;
  std::vector<Moves> moves_;
  OffsetsOf offsets_ = nullptr;
};

/// What scatter_kernel does but replacing.
Launch combine_kernel(const char* api, const Chosen& chosen, Combine combine, bool include_self);

}  // namespace pyaclnn::sim
