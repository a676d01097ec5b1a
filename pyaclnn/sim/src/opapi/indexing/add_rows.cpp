// SPDX-License-Identifier: MIT
#include "opapi/indexing/add_rows.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "core/bulk_copy.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/prefetch.hpp"

namespace pyaclnn::sim {
namespace {

/// What goes to each row, in the order of the positions.
class Terms {
 public:
  Terms(const KernelMemory& memory, const Walk& walk, std::int64_t rows, std::int64_t step,
        OutOfRange& bad)
      : ends_(std::size_t(rows) + 1) {
    std::vector<Term> given;
    given.reserve(std::size_t(walk.positions()));
    walk.for_each(memory, 0, walk.positions(), bad,
                  [&](std::int64_t from, std::int64_t, std::int64_t from_step, std::int64_t,
                      const std::int64_t* offsets, std::int64_t count) {
                    for (std::int64_t p = 0; p < count; ++p) {
                      const std::int64_t row = offsets[p] / step;
                      ++ends_[std::size_t(row) + 1];
                      given.push_back({row, from + p * from_step});
                    }
                  });
    for (std::size_t row = 1; row < ends_.size(); ++row) ends_[row] += ends_[row - 1];
    offsets_.resize(given.size());
    // Where a row begins moves on to where it ends, which is where the next one began.
    for (const Term& term : given) offsets_[ends_[std::size_t(term.row)]++] = term.offset;
  }

  /// Of the first elements in other.
  const std::int64_t* begin(std::int64_t row) const {
    return offsets_.data() + (row == 0 ? 0 : ends_[std::size_t(row) - 1]);
  }
  const std::int64_t* end(std::int64_t row) const {
    return offsets_.data() + ends_[std::size_t(row)];
  }

 private:
  struct Term {
    std::int64_t row;
    std::int64_t offset;
  };

  std::vector<std::size_t> ends_;
  std::vector<std::int64_t> offsets_;
};

struct AddScaled {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(float* sums, const float* terms, float factor,
                                    std::int64_t count) {
    if (factor == 1) {
      for (std::int64_t i = 0; i < count; ++i) sums[i] += terms[i];
    } else {
      for (std::int64_t i = 0; i < count; ++i) sums[i] += terms[i] * factor;
    }
  }
};

struct Rows {
  Walk walk;
  View table;
  View before;  // the table itself, where it is added to
  std::int64_t count = 0;
  std::int64_t step = 0;  // from row to row
  std::int64_t step_before = 0;
  float factor = 1;

  explicit Rows(const Chosen& chosen)
      : walk(chosen), table(chosen.table), before(chosen.before.value_or(chosen.table)) {
    const std::size_t axis = chosen.choices[0].axis;
    count = table.shape[axis];
    step = table.strides[axis];
    step_before = before.strides[axis];
    factor = float(chosen.factor);
  }

  bool in_place() const { return before.operand == table.operand; }
  std::int64_t length() const { return walk.slice().count; }

  /// Elements that are added up at a time: fewer where few rows would leave threads without work.
  std::int64_t block() const {
    constexpr std::int64_t kFew = 64;
    return count >= kFew ? kBlock : std::clamp<std::int64_t>(length() / 8, 32, kBlock);
  }
  std::int64_t blocks_of_row() const { return (length() - 1) / block() + 1; }

  /// Adds to blocks [begin, end) of all rows.
  void add(const KernelMemory& memory, const Terms& terms, std::int64_t begin,
           std::int64_t end) const {
    static const auto add_scaled =
        loop_for_cpu<AddScaled, float*, const float*, float, std::int64_t>();
    const aclDataType dtype = table.dtype;
    const LoadFn load = loader<float>(dtype);
    const LoadFn load_other = loader<float>(walk.other().dtype);
    const StoreFn store = storer<float>(dtype, Rounding::kTruncate);
    const auto size = std::int64_t(dtype_size(dtype));
    const auto other_size = std::int64_t(dtype_size(walk.other().dtype));
    const std::byte* other = walk.other_base(memory);
    const std::byte* from = memory.operands[before.operand] + before.offset * size;
    std::byte* const to = memory.operands[table.operand] + table.offset * size;
    const bool bulk = !in_place() && std::size_t(count * length() * size) >= kBulkBytes;
    // Floats, of which other has the same then, are added where they lie.
    const bool is_there = dtype == ACL_FLOAT && !bulk;
    const auto put = [&](std::byte* target, const void* values, std::int64_t elements) {
      const auto bytes = std::size_t(elements * size);
      if (bulk) {
        bulk_copy(target, values, bytes);
      } else {
        std::memmove(target, values, bytes);
      }
    };
    const std::int64_t* const all = terms.end(count - 1);
    const std::int64_t ahead = std::min(length() * other_size, kMostAhead);
    constexpr std::int64_t kAhead = 3;  // terms, of which the processor does not know
    float sums[kBlock];
    float block_of_terms[kBlock];
    std::byte stored[sizeof sums];
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t row = i / blocks_of_row();
      const std::int64_t done = i % blocks_of_row() * block();
      const std::int64_t take = std::min(block(), length() - done);
      const std::int64_t* const first = terms.begin(row);
      const std::int64_t* const last = terms.end(row);
      std::byte* const target = to + (row * step + done) * size;
      const std::byte* const source = from + (row * step_before + done) * size;
      if (first == last) {
        if (!in_place()) put(target, source, take);
        continue;
      }
      if (!is_there) {
        load(source, 1, take, sums);
      } else if (!in_place()) {
        put(target, source, take);
      }
      float* const sum = is_there ? reinterpret_cast<float*>(target) : sums;
      for (const std::int64_t* term = first; term != last; ++term) {
        // Not in a function of its own, whose calls GCC takes for without effect.
        if (done == 0 && all - term > kAhead) prefetch(other + term[kAhead] * other_size, ahead);
        const std::byte* const added = other + (*term + done) * other_size;
        if (!is_there) load_other(added, 1, take, block_of_terms);
        add_scaled(sum, is_there ? reinterpret_cast<const float*>(added) : block_of_terms, factor,
                   take);
      }
      if (is_there) continue;
      store(sums, take, stored, 1);
      put(target, stored, take);
    }
    if (bulk) bulk_copy_done();
  }
};

}  // namespace

bool adds_rows(const Chosen& chosen, Combine combine, bool include_self) {
  if (combine != Combine::kAdd || !include_self || chosen.constant || chosen.choices.size() != 1)
    return false;
  const aclDataType dtype = chosen.table.dtype;
  if (dtype != ACL_FLOAT && !is_16_bit_float(dtype)) return false;
  if (dtype == ACL_FLOAT && chosen.other.dtype != dtype) return false;
  for (std::size_t axis : chosen.position_axes)
    if (axis != Chosen::kNone) return false;
  // One axis is enough for what is used most.
  if (chosen.slice_axes.size() != 1 || chosen.table.strides.empty()) return false;
  // Each row is looked at: that is much where elements go to few of many.
  const std::int64_t rows = chosen.table.shape[chosen.choices[0].axis];
  if (dtype == ACL_FLOAT && !chosen.before && chosen.choices[0].numbers.shape.product() < rows / 4)
    return false;
  const std::size_t along = chosen.slice_axes[0];
  return chosen.table.strides[along] == 1 && chosen.other.strides.back() == 1 &&
         (!chosen.before || chosen.before->strides[along] == 1) &&
         chosen.table.strides[chosen.choices[0].axis] > 0;
}

Launch add_rows_kernel(const char* api, const Chosen& chosen) {
  constexpr std::int64_t kGrain = 16384;  // elements worth a hand-over to another thread
  const auto rows = std::make_shared<const Rows>(chosen);
  const std::int64_t blocks = rows->count * rows->blocks_of_row();
  // A block is of the table's elements and those added to them.
  const std::int64_t added = rows->walk.positions() / std::max<std::int64_t>(1, rows->count);
  const std::int64_t elements = (1 + std::min(added, kGrain)) * rows->block();
  const std::int64_t grain = std::max<std::int64_t>(1, kGrain / elements);
  return [rows, blocks, grain, api](const KernelMemory& memory) {
    OutOfRange bad;
    const Terms terms(memory, rows->walk, rows->count, rows->step, bad);
    parallel_for(blocks, grain, [&](std::int64_t begin, std::int64_t end) {
      rows->add(memory, terms, begin, end);
    });
    bad.refuse(api);
  };
}

}  // namespace pyaclnn::sim
