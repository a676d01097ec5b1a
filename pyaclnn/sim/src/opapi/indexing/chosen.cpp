// SPDX-License-Identifier: MIT
#include "opapi/indexing/chosen.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/complex.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/flat.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 256;
constexpr std::int64_t kGrain = 16384;  // elements worth a hand-over to another thread

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

View part_of(const View& view, std::size_t begin, std::size_t end) {
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
  std::int64_t positions() const { return positions_.count; }
  const LoopNest& slice() const { return slice_; }

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
      std::fill_n(offsets, count, std::int64_t(0));
      std::int64_t wrong = 0;
      for (std::size_t k = 0; k < moves_.size(); ++k) {
        const Moves& moves = moves_[k];
        const std::int64_t place = moves.numbers.offset + cursor.offset(2 + k);
        moves.load(memory.operands[moves.numbers.operand] + place * moves.size,
                   positions_.inner_stride(2 + k), count, numbers);
        for (std::int64_t i = 0; i < count; ++i) {
          std::int64_t number = numbers[i];
          if (moves.wraps && number < 0) number += moves.extent;
          if (number < 0 || number >= moves.extent) {
            if (!ignores_outside_) bad.note(numbers[i], moves.extent);
            wrong += offsets[i] == kOutside ? 0 : 1;
            offsets[i] = kOutside;
          } else if (offsets[i] != kOutside) {
            offsets[i] += number * moves.step;
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
  // No offset: those within a tensor are far from it.
  static constexpr std::int64_t kOutside = std::numeric_limits<std::int64_t>::min();

  View table_;
  View other_;
  std::shared_ptr<const std::array<std::byte, 16>> constant_;
  bool ignores_outside_ = false;
  LoopNest positions_;
  LoopNest slice_;
  std::vector<Moves> moves_;
};

template <std::size_t kSize>
void copy_each(std::byte* to, std::int64_t to_step, const std::int64_t* to_offsets,
               const std::byte* from, std::int64_t from_step, const std::int64_t* from_offsets,
               std::int64_t count) {
  constexpr auto kBytes = std::int64_t(kSize);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t to_place = i * to_step + (to_offsets == nullptr ? 0 : to_offsets[i]);
    const std::int64_t from_place = i * from_step + (from_offsets == nullptr ? 0 : from_offsets[i]);
    std::memcpy(to + to_place * kBytes, from + from_place * kBytes, kSize);
  }
}

using CopyEach = void (*)(std::byte*, std::int64_t, const std::int64_t*, const std::byte*,
                          std::int64_t, const std::int64_t*, std::int64_t);

CopyEach copy_each_of(std::int64_t size) {
  switch (size) {
    case 1:
      return copy_each<1>;
    case 2:
      return copy_each<2>;
    case 4:
      return copy_each<4>;
    case 8:
      return copy_each<8>;
    default:
      return copy_each<16>;
  }
}

/// Elements [begin, end) of a slice from one side to the other: `to` and `from` name the views.
void copy_slice(const LoopNest& nest, std::size_t to_view, std::size_t from_view, std::byte* to,
                const std::byte* from, std::int64_t size, std::int64_t begin, std::int64_t end) {
  LoopCursor cursor(nest, begin);
  while (begin < end) {
    const std::int64_t count = std::min(end - begin, cursor.left_in_row());
    copy_elements(to + cursor.offset(to_view) * size, nest.inner_stride(to_view) * size,
                  from + cursor.offset(from_view) * size, nest.inner_stride(from_view) * size,
                  count, size);
    cursor.advance(count);
    begin += count;
  }
}

template <class T>
T combined(Combine combine, T a, T b) {
  if constexpr (std::is_same_v<T, Complex<double>>) {
    if (combine == Combine::kMultiply) return a * b;
    return {a.re + b.re, a.im + b.im};
  } else {
    const auto wrapped = [](auto x, auto y, bool product) {
      if constexpr (std::is_same_v<T, std::int64_t>) {
        const auto u = static_cast<std::uint64_t>(x);
        const auto v = static_cast<std::uint64_t>(y);
        return static_cast<T>(product ? u * v : u + v);
      } else {
        return T(product ? x * y : x + y);
      }
    };
    switch (combine) {
      case Combine::kMultiply:
        return wrapped(a, b, true);
      case Combine::kMaximum:
        return a != a || a > b ? a : b;
      case Combine::kMinimum:
        return a != a || a < b ? a : b;
      case Combine::kDivide:
        if constexpr (std::is_same_v<T, std::int64_t>) {
          if (b == 0) return 0;
          return b == -1 ? wrapped(~a, T(1), false) : a / b;
        } else {
          return a / b;
        }
      default:
        return wrapped(a, b, false);
    }
  }
}

template <class T>
bool is_factor(T number) {
  return number != T(1);
}
bool is_factor(Complex<double> number) { return number.re != 1 || number.im != 0; }

/// The table as values of T, combined with what goes there, and written back.
template <class T>
void accumulate(const KernelMemory& memory, const Walk& walk, const View& table, Combine combine,
                bool include_self, T factor, OutOfRange& bad) {
  const auto table_size = std::int64_t(dtype_size(table.dtype));
  const auto other_size = std::int64_t(dtype_size(walk.other().dtype));
  const LoadFn load_other = loader<T>(walk.other().dtype);
  const LoadFn load_table = loader<T>(table.dtype);
  const StoreFn store = storer<T>(table.dtype, Rounding::kTruncate);
  const FlatView flat(table);
  const std::int64_t count = flat.count();
  std::vector<T> values(static_cast<std::size_t>(count));
  std::vector<std::int64_t> met(include_self && combine != Combine::kMean ? 0 : std::size_t(count));
  for (std::int64_t i = 0; i < count;) {
    const std::int64_t run = std::min(flat.left_in_run(i), count - i);
    load_table(flat.at(memory, i), flat.step() / table_size, run, &values[std::size_t(i)]);
    i += run;
  }
  const std::byte* other = walk.other_base(memory);
  const LoopNest& slice = walk.slice();
  const bool scales = is_factor(factor);
  walk.for_each(memory, 0, walk.positions(), bad,
                [&](std::int64_t from, std::int64_t to, std::int64_t from_step,
                    std::int64_t to_step, const std::int64_t* offsets, std::int64_t positions) {
                  for (std::int64_t p = 0; p < positions; ++p) {
                    LoopCursor cursor(slice, 0);
                    for (std::int64_t left = slice.count; left > 0;) {
                      T block[kBlock];
                      const std::int64_t take = std::min({left, kBlock, cursor.left_in_row()});
                      load_other(other + (from + p * from_step + cursor.offset(0)) * other_size,
                                 slice.inner_stride(0), take, block);
                      if (scales)
                        for (std::int64_t i = 0; i < take; ++i)
                          block[i] = combined(Combine::kMultiply, block[i], factor);
                      const std::int64_t place = to + p * to_step + offsets[p] + cursor.offset(1);
                      for (std::int64_t i = 0; i < take; ++i) {
                        const auto at = std::size_t(place + i * slice.inner_stride(1));
                        if (!met.empty() && met[at]++ == 0 && !include_self) {
                          values[at] = block[i];
                        } else {
                          values[at] = combined(combine, values[at], block[i]);
                        }
                      }
                      cursor.advance(take);
                      left -= take;
                    }
                  }
                });
  if (combine == Combine::kMean) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::int64_t terms = met[i] + (include_self ? 1 : 0);
      if (met[i] == 0 || terms <= 1) continue;
      if constexpr (std::is_same_v<T, std::int64_t>) {
        values[i] = T(std::floor(double(values[i]) / double(terms)));
      } else if constexpr (!std::is_same_v<T, Complex<double>>) {
        values[i] = values[i] / T(terms);
      }
    }
  }
  for (std::int64_t i = 0; i < count;) {
    const std::int64_t run = std::min(flat.left_in_run(i), count - i);
    store(&values[std::size_t(i)], run, flat.at(memory, i), flat.step() / table_size);
    i += run;
  }
}

/// The walk through a buffer that holds the table's elements one behind the other.
Walk in_buffer(Chosen chosen) {
  chosen.table.strides = contiguous_strides(chosen.table.shape);
  chosen.table.offset = 0;
  return Walk(chosen);
}

}  // namespace

View with_axes(const View& view, const std::vector<std::size_t>& axes) {
  View result = view;
  result.shape = result.strides = Dims();
  for (std::size_t axis : axes) {
    result.shape.push_back(axis == Chosen::kNone ? 1 : view.shape[axis]);
    result.strides.push_back(axis == Chosen::kNone ? 0 : view.strides[axis]);
  }
  return result;
}

void refuse_index(const char* api, std::int64_t extent) {
  fail(kRtAicoreException,
       "%s: an index is none of the %lld places there are; the device would access memory outside "
       "of the tensor",
       api, static_cast<long long>(extent));
}

void launch_gather(Plan& plan, const Chosen& chosen) {
  if (chosen.other.shape.product() == 0) return;
  const auto walk = std::make_shared<const Walk>(chosen);
  plan.launch([walk, api = plan.api()](const KernelMemory& memory) {
    const auto size = std::int64_t(dtype_size(walk->table().dtype));
    std::byte* to = memory.operands[walk->other().operand];
    const std::byte* from = memory.operands[walk->table().operand];
    const LoopNest& slice = walk->slice();
    const CopyEach copy = copy_each_of(size);
    OutOfRange bad;
    parallel_for(
        walk->positions(), std::max<std::int64_t>(1, kGrain / slice.count),
        [&](std::int64_t begin, std::int64_t end) {
          walk->for_each(
              memory, begin, end, bad,
              [&](std::int64_t other, std::int64_t table, std::int64_t other_step,
                  std::int64_t table_step, const std::int64_t* offsets, std::int64_t count) {
                if (slice.count == 1)
                  return copy(to + other * size, other_step, nullptr, from + table * size,
                              table_step, offsets, count);
                for (std::int64_t i = 0; i < count; ++i)
                  copy_slice(slice, 0, 1, to + (other + i * other_step) * size,
                             from + (table + i * table_step + offsets[i]) * size, size, 0,
                             slice.count);
              });
        });
    bad.refuse(api);
  });
}

void launch_scatter(Plan& plan, const Chosen& chosen, Combine combine, bool include_self) {
  if (chosen.other.shape.product() == 0) return;
  if (combine != Combine::kReplace) {
    const auto walk = std::make_shared<const Walk>(in_buffer(chosen));
    plan.launch([walk, table = chosen.table, combine, include_self, factor = chosen.factor,
                 whole_factor = chosen.whole_factor, api = plan.api()](const KernelMemory& memory) {
      OutOfRange bad;
      const Walk& own = *walk;
      if (table.dtype == ACL_COMPLEX64 || table.dtype == ACL_COMPLEX128) {
        accumulate<Complex<double>>(memory, own, table, combine, include_self, {factor, 0}, bad);
      } else if (is_integral(table.dtype)) {
        accumulate<std::int64_t>(memory, own, table, combine, include_self, whole_factor, bad);
      } else {
        accumulate<double>(memory, own, table, combine, include_self, factor, bad);
      }
      bad.refuse(api);
    });
    return;
  }
  const auto walk = std::make_shared<const Walk>(chosen);
  plan.launch([walk, api = plan.api()](const KernelMemory& memory) {
    const auto size = std::int64_t(dtype_size(walk->table().dtype));
    const std::byte* from = walk->other_base(memory);
    std::byte* to = memory.operands[walk->table().operand];
    const LoopNest& slice = walk->slice();
    const CopyEach copy = copy_each_of(size);
    OutOfRange bad;
    // Where numbers repeat the last one counts: threads share out the slice, not the positions.
    parallel_for(slice.count, kGrain, [&](std::int64_t begin, std::int64_t end) {
      walk->for_each(memory, 0, walk->positions(), bad,
                     [&](std::int64_t other, std::int64_t table, std::int64_t other_step,
                         std::int64_t table_step, const std::int64_t* offsets, std::int64_t count) {
                       if (slice.count == 1)
                         return copy(to + table * size, table_step, offsets, from + other * size,
                                     other_step, nullptr, count);
                       for (std::int64_t i = 0; i < count; ++i)
                         copy_slice(slice, 1, 0, to + (table + i * table_step + offsets[i]) * size,
                                    from + (other + i * other_step) * size, size, begin, end);
                     });
    });
    bad.refuse(api);
  });
}

void set_factor(Chosen& chosen, const ScalarIn& number, aclDataType dtype) {
  if (dtype == ACL_BOOL) {
    chosen.whole_factor = number->to_bool() ? 1 : 0;
  } else if (is_integral(dtype)) {
    std::array<std::byte, 8> element{};
    const std::int64_t value = number->to_int();
    storer<std::int64_t>(dtype, Rounding::kTruncate)(&value, 1, element.data(), 1);
    loader<std::int64_t>(dtype)(element.data(), 1, 1, &chosen.whole_factor);
  } else {
    std::array<std::byte, 8> element{};
    const double value = number->to_double();
    storer<double>(dtype, Rounding::kTruncate)(&value, 1, element.data(), 1);
    loader<double>(dtype)(element.data(), 1, 1, &chosen.factor);
  }
}

View listed(View view) {
  if (view.shape.empty()) {
    view.shape.push_back(1);
    view.strides.push_back(1);
  }
  return view;
}

void set_constant(Chosen& chosen, const ScalarIn& number, aclDataType dtype, const Dims& shape) {
  auto bytes = std::make_shared<std::array<std::byte, 16>>();
  if (dtype == ACL_COMPLEX64 || dtype == ACL_COMPLEX128) {
    const Complex<double> value{number->to_double(), number->imaginary()};
    storer<Complex<double>>(dtype, Rounding::kTruncate)(&value, 1, bytes->data(), 1);
  } else if (dtype == ACL_BOOL) {
    (*bytes)[0] = std::byte{number->to_bool()};
  } else if (is_integral(dtype)) {
    const std::int64_t value = number->to_int();
    storer<std::int64_t>(dtype, Rounding::kTruncate)(&value, 1, bytes->data(), 1);
  } else {
    const double value = number->to_double();
    storer<double>(dtype, Rounding::kTruncate)(&value, 1, bytes->data(), 1);
  }
  chosen.constant = std::move(bytes);
  chosen.other = View();
  chosen.other.dtype = dtype;
  chosen.other.shape = shape;
  for (std::size_t i = 0; i < shape.size(); ++i) chosen.other.strides.push_back(0);
}

Chosen chosen_elements(const View& table, std::size_t axis, const View& numbers, const View& other,
                       bool wraps) {
  Chosen chosen;
  chosen.table = table;
  chosen.other = other;
  chosen.other.shape = numbers.shape;
  chosen.positions = numbers.shape.size();
  for (std::size_t i = 0; i < numbers.shape.size(); ++i)
    chosen.position_axes.push_back(i == axis || table.shape.empty() ? Chosen::kNone : i);
  chosen.choices.push_back({numbers, axis, wraps});
  return chosen;
}

Chosen chosen_slices(const View& table, std::size_t axis, const View& numbers, const View& other,
                     bool wraps) {
  Chosen chosen;
  chosen.table = table;
  chosen.positions = numbers.shape.size();
  chosen.position_axes.assign(chosen.positions, Chosen::kNone);
  std::vector<std::size_t> order;  // of the other's axes: the numbers' first
  for (std::size_t i = 0; i < chosen.positions; ++i) order.push_back(axis + i);
  for (std::size_t i = 0; i < table.shape.size(); ++i) {
    if (i == axis) continue;
    chosen.slice_axes.push_back(i);
    order.push_back(i < axis ? i : i - 1 + chosen.positions);
  }
  chosen.other = with_axes(other, order);
  chosen.choices.push_back({numbers, axis, wraps});
  return chosen;
}

}  // namespace pyaclnn::sim
