// SPDX-License-Identifier: MIT
#include "opapi/indexing/add_rows.hpp"

#include <algorithm>

#include "opapi/common/prefetch.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kNone = -1;

/// What goes to each row, in the order of the positions.
class Terms {
 public:
  Terms(const KernelMemory& memory, const Walk& walk, std::int64_t rows, std::int64_t step,
        OutOfRange& bad)
      : chains_(std::size_t(rows)) {
    terms_.reserve(std::size_t(walk.positions()));
    walk.for_each(memory, 0, walk.positions(), bad,
                  [&](std::int64_t from, std::int64_t, std::int64_t from_step, std::int64_t,
                      const std::int64_t* offsets, std::int64_t count) {
                    for (std::int64_t p = 0; p < count; ++p)
                      add(offsets[p] / step, from + p * from_step);
                  });
  }

  /// Where the first is, or kNone.
  std::int64_t first(std::int64_t row) const { return chains_[std::size_t(row)].first; }
  std::int64_t next(std::int64_t term) const { return terms_[std::size_t(term)].next; }
  /// Of its first element in other.
  std::int64_t offset(std::int64_t term) const { return terms_[std::size_t(term)].offset; }

 private:
  struct Term {
    std::int64_t offset;
    std::int64_t next;
  };
  struct Chain {
    std::int64_t first = kNone;
    std::int64_t last = kNone;
  };

  void add(std::int64_t row, std::int64_t offset) {
    const auto term = std::int64_t(terms_.size());
    Chain& chain = chains_[std::size_t(row)];
    if (chain.first == kNone) {
      chain.first = term;
    } else {
      terms_[std::size_t(chain.last)].next = term;
    }
    chain.last = term;
    terms_.push_back({offset, kNone});
  }

  std::vector<Chain> chains_;
  std::vector<Term> terms_;
};

}  // namespace

bool adds_rows(const Chosen& chosen, Combine combine, bool include_self) {
  if (combine != Combine::kAdd || !include_self || chosen.constant || chosen.choices.size() != 1)
    return false;
  const aclDataType dtype = chosen.table.dtype;
  if (dtype != ACL_FLOAT16 && dtype != ACL_BF16) return false;
  for (std::size_t axis : chosen.position_axes)
    if (axis != Chosen::kNone) return false;
  // One axis is enough for what is used most.
  if (chosen.slice_axes.size() != 1 || chosen.table.strides.empty()) return false;
  return chosen.table.strides[chosen.slice_axes[0]] == 1 && chosen.other.strides.back() == 1 &&
         chosen.table.strides[chosen.choices[0].axis] > 0;
}

void add_rows(const KernelMemory& memory, const Walk& walk, const View& table, std::size_t axis,
              float factor, OutOfRange& bad) {
  const LoadFn load_other = loader<float>(walk.other().dtype);
  const LoadFn load_table = loader<float>(table.dtype);
  const StoreFn store = storer<float>(table.dtype, Rounding::kTruncate);
  const auto other_size = std::int64_t(dtype_size(walk.other().dtype));
  const auto table_size = std::int64_t(dtype_size(table.dtype));
  const std::int64_t step = table.strides[axis];
  const std::int64_t length = walk.slice().count;
  const Terms terms(memory, walk, table.shape[axis], step, bad);
  const std::byte* other = walk.other_base(memory);
  std::byte* const base = memory.operands[table.operand] + table.offset * table_size;

  const auto expect = [&](std::int64_t row) {
    if (row >= table.shape[axis] || terms.first(row) == kNone) return;
    prefetch(other + terms.offset(terms.first(row)) * other_size,
             std::min(length * other_size, kMostAhead));
  };
  float sums[kBlock];
  float block[kBlock];
  for (std::int64_t row = 0; row < table.shape[axis]; ++row) {
    expect(row + 2);
    if (terms.first(row) == kNone) continue;
    for (std::int64_t done = 0; done < length; done += kBlock) {
      const std::int64_t take = std::min(kBlock, length - done);
      std::byte* place = base + (row * step + done) * table_size;
      load_table(place, 1, take, sums);
      for (std::int64_t term = terms.first(row); term != kNone; term = terms.next(term)) {
        load_other(other + (terms.offset(term) + done) * other_size, 1, take, block);
        if (factor == 1) {
          for (std::int64_t i = 0; i < take; ++i) sums[i] += block[i];
        } else {
          for (std::int64_t i = 0; i < take; ++i) sums[i] += block[i] * factor;
        }
      }
      store(sums, take, place, 1);
    }
  }
}

}  // namespace pyaclnn::sim
