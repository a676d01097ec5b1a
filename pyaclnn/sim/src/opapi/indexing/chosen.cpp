// SPDX-License-Identifier: MIT
#include "opapi/indexing/chosen.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "check/undefined.hpp"
#include "core/bulk_copy.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/complex.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/indexing/parts.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 16384;  // elements worth a hand-over to another thread

template <std::size_t kSize>
void copy_each(std::byte* to, std::int64_t to_step, const std::int64_t* to_offsets,
               const std::byte* from, std::int64_t from_step, const std::int64_t* from_offsets,
               std::int64_t count) {
  constexpr auto kBytes = std::int64_t(kSize);
  const auto copy = [&](std::int64_t to_place, std::int64_t from_place) {
    std::memcpy(to + to_place * kBytes, from + from_place * kBytes, kSize);
  };
  if (to_offsets == nullptr && to_step == 1 && from_step == 0) {
    for (std::int64_t i = 0; i < count; ++i) copy(i, from_offsets[i]);
  } else if (to_offsets == nullptr) {
    for (std::int64_t i = 0; i < count; ++i) copy(i * to_step, i * from_step + from_offsets[i]);
  } else {
    for (std::int64_t i = 0; i < count; ++i) copy(i * to_step + to_offsets[i], i * from_step);
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

/// Elements by number, to other or from it.
template <std::size_t kSize>
void move_elements(const KernelMemory& memory, const Walk& walk, bool to_table, std::int64_t begin,
                   std::int64_t end, OutOfRange& bad) {
  constexpr auto kBytes = std::int64_t(kSize);
  std::byte* table = memory.operands[walk.table().operand];
  // Captured as copies: bytes that are written might be those of a variable.
  if (to_table) {
    const std::byte* other = walk.other_base(memory);
    walk.for_each_element<true>(memory, begin, end, bad, [=](std::int64_t from, std::int64_t to) {
      std::memcpy(table + to * kBytes, other + from * kBytes, kSize);
    });
  } else {
    std::byte* other = memory.operands[walk.other().operand];
    walk.for_each_element<false>(memory, begin, end, bad, [=](std::int64_t to, std::int64_t from) {
      std::memcpy(other + to * kBytes, table + from * kBytes, kSize);
    });
  }
}

using MoveElements = void (*)(const KernelMemory&, const Walk&, bool, std::int64_t, std::int64_t,
                              OutOfRange&);

MoveElements move_elements_of(std::int64_t size) {
  switch (size) {
    case 1:
      return move_elements<1>;
    case 2:
      return move_elements<2>;
    case 4:
      return move_elements<4>;
    case 8:
      return move_elements<8>;
    default:
      return move_elements<16>;
  }
}

/// Whether positions lie closer to one another than the elements of a slice.
bool positions_are_closer(const LoopNest& slice, std::int64_t other_step) {
  return slice.count > 1 && other_step != 0 &&
         std::llabs(slice.inner_stride(0)) > std::llabs(other_step);
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

/// Rows of bytes that lie apart, to places one behind the other.
void copy_rows(std::byte* to, std::int64_t to_step, const std::byte* from, std::int64_t from_step,
               const std::int64_t* from_offsets, std::int64_t count, std::int64_t size,
               std::int64_t bytes, bool bulk) {
  const auto source = [&](std::int64_t i) {
    return from + (i * from_step + from_offsets[i]) * size;
  };
  for (std::int64_t i = 0; i < count; ++i) {
    std::byte* target = to + i * to_step * size;
    if (bulk) {
      bulk_copy(target, source(i), std::size_t(bytes));
    } else {
      std::memmove(target, source(i), std::size_t(bytes));
    }
  }
}

/// Calls body(offset in other, offset in table) for elements [begin, end) of a slice.
template <class Body>
void each_element(const LoopNest& slice, std::int64_t begin, std::int64_t end, Body body) {
  LoopCursor cursor(slice, begin);
  while (begin < end) {
    const std::int64_t count = std::min(end - begin, cursor.left_in_row());
    for (std::int64_t i = 0; i < count; ++i)
      body(cursor.offset(0) + i * slice.inner_stride(0),
           cursor.offset(1) + i * slice.inner_stride(1));
    cursor.advance(count);
    begin += count;
  }
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

namespace {

/// Tells of numbers whose meaning CANN leaves open.
class Numbers {
 public:
  /// `once`: no place may be chosen twice, by values that may differ.
  Numbers(const char* api, const Chosen& chosen, bool once)
      : api_(api), walk_(unrestrained(chosen)), ignores_outside_(chosen.ignores_outside) {
    once_ = once && chosen.constant == nullptr;
    if (chosen.choices.size() == 1 && !chosen.table.strides.empty())
      step_ = chosen.table.strides[chosen.choices[0].axis];
  }

  void look(const KernelMemory& memory) const {
    OutOfRange outside;
    std::unordered_map<std::int64_t, std::int64_t> seen;  // place in the table -> in other
    std::optional<std::int64_t> twice;
    walk_.for_each(memory, 0, walk_.positions(), outside,
                   [&](std::int64_t other, std::int64_t table, std::int64_t other_step,
                       std::int64_t table_step, const std::int64_t* offsets, std::int64_t count) {
                     for (std::int64_t i = 0; once_ && !twice && i < count; ++i) {
                       const std::int64_t place = table + i * table_step + offsets[i];
                       const std::int64_t value = other + i * other_step;
                       const auto [first, is_new] = seen.emplace(place, value);
                       if (is_new || have_same_bytes(memory, first->second, value)) continue;
                       twice = step_ == 0 ? place : offsets[i] / step_;
                     }
                   });
    if (twice) undefined::tell_of_repeat(api_, *twice);
    // Where they are not left out, the kernel refuses them.
    if (!ignores_outside_ || !outside.any()) return;
    undefined::tell(std::string(api_) + ": an index is " + std::to_string(outside.number()) +
                    ", the dimension has " + std::to_string(outside.extent()) +
                    " places; it is left out here, and CANN promises nothing");
  }

 private:
  bool have_same_bytes(const KernelMemory& memory, std::int64_t a, std::int64_t b) const {
    const auto size = std::int64_t(dtype_size(walk_.other().dtype));
    const std::byte* from = walk_.other_base(memory);
    bool same = true;
    each_element(walk_.slice(), 0, walk_.slice().count, [&](std::int64_t at, std::int64_t) {
      same = same &&
             std::memcmp(from + (a + at) * size, from + (b + at) * size, std::size_t(size)) == 0;
    });
    return same;
  }

  static Chosen unrestrained(Chosen chosen) {
    chosen.ignores_outside = false;
    return chosen;
  }

  const char* api_;
  const Walk walk_;
  const bool ignores_outside_;
  bool once_ = false;
  std::int64_t step_ = 0;  // of one number, in elements of the table
};

/// A kernel, behind a look at its numbers where somebody wants that.
Launch looked_at(const char* api, const Chosen& chosen, bool once, Launch kernel) {
  if (!undefined::enabled()) return kernel;
  const auto numbers = std::make_shared<const Numbers>(api, chosen, once);
  const auto all = std::make_shared<const Launch>(std::move(kernel));
  return [numbers, all](const KernelMemory& memory) {
    numbers->look(memory);
    (*all)(memory);
  };
}

Launch replacing_kernel(const char* api, const Chosen& chosen);
Launch reading_kernel(const char* api, const Chosen& chosen);

}  // namespace

Launch gather_kernel(const char* api, const Chosen& chosen) {
  return looked_at(api, chosen, false, reading_kernel(api, chosen));
}

Launch scatter_kernel(const char* api, const Chosen& chosen, Combine combine, bool include_self) {
  const bool replaces = combine == Combine::kReplace;
  return looked_at(api, chosen, replaces,
                   replaces ? replacing_kernel(api, chosen)
                            : combine_kernel(api, chosen, combine, include_self));
}

namespace {

Launch reading_kernel(const char* api, const Chosen& chosen) {
  const auto walk = std::make_shared<const Walk>(chosen);
  return [walk, api](const KernelMemory& memory) {
    const auto size = std::int64_t(dtype_size(walk->table().dtype));
    std::byte* to = memory.operands[walk->other().operand];
    const std::byte* from = memory.operands[walk->table().operand];
    const LoopNest& slice = walk->slice();
    const CopyEach copy = copy_each_of(size);
    OutOfRange bad;
    if (walk->is_of_elements()) {
      const MoveElements move = move_elements_of(size);
      parallel_for(walk->positions(), kGrain, [&](std::int64_t begin, std::int64_t end) {
        move(memory, *walk, false, begin, end, bad);
      });
      return bad.refuse(api);
    }
    if (positions_are_closer(slice, walk->other_step())) {
      const std::int64_t grain = std::max<std::int64_t>(1, kGrain / walk->positions());
      parallel_for(slice.count, grain, [&](std::int64_t begin, std::int64_t end) {
        walk->for_each(
            memory, 0, walk->positions(), bad,
            [&](std::int64_t other, std::int64_t table, std::int64_t other_step,
                std::int64_t table_step, const std::int64_t* offsets, std::int64_t count) {
              each_element(slice, begin, end, [&](std::int64_t a, std::int64_t b) {
                copy(to + (other + a) * size, other_step, nullptr, from + (table + b) * size,
                     table_step, offsets, count);
              });
            });
      });
      return bad.refuse(api);
    }
    const bool rows = slice.count > 1 && slice.extents.size() == 1 && slice.inner_stride(0) == 1 &&
                      slice.inner_stride(1) == 1;
    const std::int64_t bytes = slice.count * size;
    const bool bulk = rows && std::size_t(bytes * walk->positions()) >= kBulkBytes;
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
                if (rows)
                  return copy_rows(to + other * size, other_step, from + table * size, table_step,
                                   offsets, count, size, bytes, bulk);
                for (std::int64_t i = 0; i < count; ++i)
                  copy_slice(slice, 0, 1, to + (other + i * other_step) * size,
                             from + (table + i * table_step + offsets[i]) * size, size, 0,
                             slice.count);
              });
          if (bulk) bulk_copy_done();
        });
    bad.refuse(api);
  };
}

}  // namespace

void launch_gather(Plan& plan, const Chosen& chosen) {
  if (chosen.other.shape.product() != 0) plan.launch(gather_kernel(plan.api(), chosen));
}

void launch_scatter(Plan& plan, const Chosen& chosen, Combine combine, bool include_self) {
  if (chosen.before && !copies_on_the_way(chosen, combine, include_self)) {
    launch_cast(plan, chosen.table, *chosen.before);
    Chosen held = chosen;
    held.before.reset();
    return launch_scatter(plan, held, combine, include_self);
  }
  if (chosen.other.shape.product() != 0)
    plan.launch(scatter_kernel(plan.api(), chosen, combine, include_self));
}

namespace {

Launch replacing_kernel(const char* api, const Chosen& chosen) {
  if (Walk(chosen).is_of_elements()) {
    struct Part {
      Walk walk;
      TableCopy copy;
    };
    const auto parts = std::make_shared<std::vector<Part>>();
    for (const Chosen& part : parts_of(chosen, false))
      parts->push_back({Walk(part), copy_of(part)});
    return [parts, api](const KernelMemory& memory) {
      OutOfRange bad;
      const auto move = move_elements_of(std::int64_t(dtype_size((*parts)[0].walk.table().dtype)));
      parallel_for(std::int64_t(parts->size()), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          const Part& part = (*parts)[std::size_t(i)];
          part.copy.run(memory);
          move(memory, part.walk, true, 0, part.walk.positions(), bad);
        }
      });
      bad.refuse(api);
    };
  }
  const auto walk = std::make_shared<const Walk>(chosen);
  return [walk, api](const KernelMemory& memory) {
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
                       if (positions_are_closer(slice, other_step)) {
                         each_element(slice, begin, end, [&](std::int64_t a, std::int64_t b) {
                           copy(to + (table + b) * size, table_step, offsets,
                                from + (other + a) * size, other_step, nullptr, count);
                         });
                         return;
                       }
                       for (std::int64_t i = 0; i < count; ++i)
                         copy_slice(slice, 1, 0, to + (table + i * table_step + offsets[i]) * size,
                                    from + (other + i * other_step) * size, size, begin, end);
                     });
    });
    bad.refuse(api);
  };
}

}  // namespace

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
