// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/complex.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/common/prefetch.hpp"
#include "opapi/indexing/add_rows.hpp"
#include "opapi/indexing/parts.hpp"

namespace pyaclnn::sim {
namespace {

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

/// Adds elements to those chosen. Apart from what calls it, whose variables would take its
/// registers.
template <class T>
__attribute__((noinline)) void add_each(const T* terms, std::int64_t count, T* sums,
                                        std::int64_t step, const std::int64_t* offsets) {
  for (std::int64_t p = 0; p < count; ++p) {
    T& sum = sums[p * step + offsets[p]];
    sum = combined(Combine::kAdd, sum, terms[p]);
  }
}

/// The table as values of T, combined with what goes there, and written back.
template <class T>
void accumulate(const KernelMemory& memory, const Walk& walk, const View& table, const View& before,
                Combine combine, bool include_self, T factor, OutOfRange& bad) {
  const auto table_size = std::int64_t(dtype_size(table.dtype));
  const auto other_size = std::int64_t(dtype_size(walk.other().dtype));
  const LoadFn load_other = loader<T>(walk.other().dtype);
  const LoadFn load_table = loader<T>(table.dtype);
  const StoreFn store = storer<T>(table.dtype, Rounding::kTruncate);
  const FlatView flat(table);
  const FlatView held(before);
  const std::int64_t count = flat.count();
  // Not cleared: all of it is loaded.
  const std::unique_ptr<T[]> values(new T[static_cast<std::size_t>(count)]);
  std::vector<std::int64_t> met(include_self && combine != Combine::kMean ? 0 : std::size_t(count));
  for (std::int64_t i = 0; i < count;) {
    const std::int64_t run = std::min(held.left_in_run(i), count - i);
    load_table(held.at(memory, i), held.step() / table_size, run, &values[std::size_t(i)]);
    i += run;
  }
  const std::byte* other = walk.other_base(memory);
  const LoopNest& slice = walk.slice();
  const bool scales = is_factor(factor);
  const bool adds = met.empty() && combine == Combine::kAdd;
  T block[kBlock];
  const auto load = [&](std::int64_t from, std::int64_t step, std::int64_t take) {
    load_other(other + from * other_size, step, take, block);
    if (scales)
      for (std::int64_t i = 0; i < take; ++i)
        block[i] = combined(Combine::kMultiply, block[i], factor);
  };
  const auto put = [&](std::int64_t place, const T& value) {
    const auto at = std::size_t(place);
    const bool replaces = !met.empty() && met[at]++ == 0 && !include_self;
    values[at] = replaces ? value : combined(combine, values[at], value);
  };
  walk.for_each(memory, 0, walk.positions(), bad,
                [&](std::int64_t from, std::int64_t to, std::int64_t from_step,
                    std::int64_t to_step, const std::int64_t* offsets, std::int64_t positions) {
                  if (slice.count == 1) {
                    load(from, from_step, positions);
                    if (!adds) {
                      for (std::int64_t p = 0; p < positions; ++p)
                        put(to + p * to_step + offsets[p], block[p]);
                      return;
                    }
                    return add_each(block, positions, values.get() + to, to_step, offsets);
                  }
                  for (std::int64_t p = 0; p < positions; ++p) {
                    LoopCursor cursor(slice, 0);
                    for (std::int64_t left = slice.count; left > 0;) {
                      const std::int64_t take = std::min({left, kBlock, cursor.left_in_row()});
                      load(from + p * from_step + cursor.offset(0), slice.inner_stride(0), take);
                      const std::int64_t place = to + p * to_step + offsets[p] + cursor.offset(1);
                      if (adds && slice.inner_stride(1) == 1) {
                        T* sums = &values[std::size_t(place)];
                        for (std::int64_t i = 0; i < take; ++i)
                          sums[i] = combined(Combine::kAdd, sums[i], block[i]);
                      } else {
                        for (std::int64_t i = 0; i < take; ++i)
                          put(place + i * slice.inner_stride(1), block[i]);
                      }
                      cursor.advance(take);
                      left -= take;
                    }
                  }
                });
  if (combine == Combine::kMean) {
    for (std::size_t i = 0; i < std::size_t(count); ++i) {
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

template <class T>
T element_at(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Integers wrap.
template <class T>
T combined_in_place(Combine combine, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(combined<std::int64_t>(combine, a, b));
  } else {
    return combined<T>(combine, a, b);
  }
}

/// Combines `count` elements, some steps apart, with others times a factor.
template <class T>
void combine_line(Combine combine, T factor, std::byte* to, std::int64_t to_step,
                  const std::byte* from, std::int64_t from_step, std::int64_t count) {
  constexpr auto kSize = std::int64_t(sizeof(T));
  if (combine == Combine::kAdd && factor == T(1) && to_step == 1 && from_step == 1) {
    for (std::int64_t i = 0; i < count; ++i) {
      const T sum = combined_in_place(Combine::kAdd, element_at<T>(to + i * kSize),
                                      element_at<T>(from + i * kSize));
      std::memcpy(to + i * kSize, &sum, sizeof sum);
    }
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::byte* target = to + i * to_step * kSize;
    const T other =
        combined_in_place(Combine::kMultiply, element_at<T>(from + i * from_step * kSize), factor);
    const T result = combined_in_place(combine, element_at<T>(target), other);
    std::memcpy(target, &result, sizeof result);
  }
}

/// Combines in the table itself, whose elements are of type T as the others are.
template <class T>
void accumulate_in_place(const KernelMemory& memory, const Walk& walk, Combine combine, T factor,
                         OutOfRange& bad) {
  constexpr auto kSize = std::int64_t(sizeof(T));
  std::byte* table = memory.operands[walk.table().operand];
  const std::byte* other = walk.other_base(memory);
  const LoopNest& slice = walk.slice();
  if (walk.is_of_elements() && combine == Combine::kAdd && factor == T(1)) {
    // Captured as copies: bytes that are written might be those of a variable.
    walk.for_each_element<true>(
        memory, 0, walk.positions(), bad, [=](std::int64_t from, std::int64_t to) {
          const T sum = combined_in_place(Combine::kAdd, element_at<T>(table + to * kSize),
                                          element_at<T>(other + from * kSize));
          std::memcpy(table + to * kSize, &sum, sizeof sum);
        });
    return;
  }
  walk.for_each(
      memory, 0, walk.positions(), bad,
      [&](std::int64_t from, std::int64_t to, std::int64_t from_step, std::int64_t to_step,
          const std::int64_t* offsets, std::int64_t positions) {
        if (slice.count == 1) {
          for (std::int64_t p = 0; p < positions; ++p)
            combine_line<T>(combine, factor, table + (to + p * to_step + offsets[p]) * kSize, 1,
                            other + (from + p * from_step) * kSize, 1, 1);
          return;
        }
        for (std::int64_t p = 0; p < positions; ++p) {
          if (p + 1 < positions)
            prefetch<true>(table + (to + (p + 1) * to_step + offsets[p + 1]) * kSize,
                           std::min(slice.count * kSize, kMostAhead));
          LoopCursor cursor(slice, 0);
          for (std::int64_t left = slice.count; left > 0;) {
            const std::int64_t take = std::min(left, cursor.left_in_row());
            combine_line<T>(
                combine, factor, table + (to + p * to_step + offsets[p] + cursor.offset(1)) * kSize,
                slice.inner_stride(1), other + (from + p * from_step + cursor.offset(0)) * kSize,
                slice.inner_stride(0), take);
            cursor.advance(take);
            left -= take;
          }
        }
      });
}

/// Whether elements are combined where they lie: those that are as precise as what is computed in.
bool is_combined_in_place(const Chosen& chosen, Combine combine, bool include_self) {
  if (!include_self || combine == Combine::kMean) return false;
  switch (chosen.table.dtype) {
    case ACL_FLOAT:
    case ACL_DOUBLE:
    case ACL_INT32:
    case ACL_INT64:
      return chosen.other.dtype == chosen.table.dtype;
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_INT16:
      // What wraps in the end may wrap each time, but what is compared or divided.
      return chosen.other.dtype == chosen.table.dtype && combine == Combine::kAdd;
    default:
      return false;
  }
}

/// The walk through a buffer that holds the table's elements one behind the other.
Walk in_buffer(Chosen chosen) {
  chosen.table.strides = contiguous_strides(chosen.table.shape);
  chosen.table.offset = 0;
  return Walk(chosen);
}

/// One part of what is combined, each by a thread of its own.
struct Combination {
  Walk walk;
  View table;
  View before;
  TableCopy copy;  // where it is combined in place
};

}  // namespace

Launch combine_kernel(const char* api, const Chosen& chosen, Combine combine, bool include_self) {
  if (adds_rows(chosen, combine, include_self)) return add_rows_kernel(api, chosen);
  const bool in_place = is_combined_in_place(chosen, combine, include_self);
  const auto parts = std::make_shared<std::vector<Combination>>();
  for (const Chosen& part : parts_of(chosen, !in_place)) {
    if (in_place) {
      parts->push_back({Walk(part), part.table, part.table, copy_of(part)});
    } else {
      parts->push_back({in_buffer(part), part.table, part.before.value_or(part.table), {}});
    }
  }
  return [parts, combine, include_self, in_place, real = chosen.factor, whole = chosen.whole_factor,
          api](const KernelMemory& memory) {
    OutOfRange bad;
    parallel_for(std::int64_t(parts->size()), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const Combination& part = (*parts)[std::size_t(i)];
        const Walk& walk = part.walk;
        const aclDataType dtype = part.table.dtype;
        const auto by_way_of = [&](auto factor) {
          accumulate(memory, walk, part.table, part.before, combine, include_self, factor, bad);
        };
        part.copy.run(memory);
        if (!in_place && (dtype == ACL_COMPLEX64 || dtype == ACL_COMPLEX128)) {
          by_way_of(Complex<double>{real, 0});
        } else if (!in_place && is_integral(dtype)) {
          by_way_of(whole);
        } else if (!in_place && dtype != ACL_DOUBLE && dtype != ACL_FLOAT) {
          by_way_of(float(real));
        } else if (!in_place) {
          by_way_of(real);
        } else if (dtype == ACL_FLOAT) {
          accumulate_in_place<float>(memory, walk, combine, float(real), bad);
        } else if (dtype == ACL_DOUBLE) {
          accumulate_in_place<double>(memory, walk, combine, real, bad);
        } else if (dtype == ACL_INT8) {
          accumulate_in_place<std::int8_t>(memory, walk, combine, std::int8_t(whole), bad);
        } else if (dtype == ACL_UINT8) {
          accumulate_in_place<std::uint8_t>(memory, walk, combine, std::uint8_t(whole), bad);
        } else if (dtype == ACL_INT16) {
          accumulate_in_place<std::int16_t>(memory, walk, combine, std::int16_t(whole), bad);
        } else if (dtype == ACL_INT32) {
          accumulate_in_place<std::int32_t>(memory, walk, combine, std::int32_t(whole), bad);
        } else {
          accumulate_in_place<std::int64_t>(memory, walk, combine, whole, bad);
        }
      }
    });
    bad.refuse(api);
  };
}

}  // namespace pyaclnn::sim
