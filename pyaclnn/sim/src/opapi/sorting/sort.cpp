// SPDX-License-Identifier: MIT
#include "opapi/sorting/sort.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/element_cast.hpp"
#include "opapi/common/one_element.hpp"
#include "opapi/common/reduction_walk.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "opapi/pointwise/pointwise.hpp"
#include "opapi/sorting/order.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 4096;  // elements worth a hand-over to another thread

template <class Bits>
void take(const std::byte* from, std::int64_t from_step, const std::int64_t* places,
          std::int64_t count, std::byte* to, std::int64_t to_step) {
  for (std::int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * to_step, from + places[i] * from_step, sizeof(Bits));
}

/// Copies the elements at some places of a line; steps are bytes.
void take_elements(const std::byte* from, std::int64_t from_step, const std::int64_t* places,
                   std::int64_t count, std::byte* to, std::int64_t to_step, std::int64_t size) {
  switch (size) {
    case 1:
      return take<std::uint8_t>(from, from_step, places, count, to, to_step);
    case 2:
      return take<std::uint16_t>(from, from_step, places, count, to, to_step);
    case 4:
      return take<std::uint32_t>(from, from_step, places, count, to, to_step);
    default:
      return take<std::uint64_t>(from, from_step, places, count, to, to_step);
  }
}

/// Everything a kernel needs to put lines into order.
struct Ordering {
  Lines self;
  Lines indices;
  Lines values;
  bool has_values;
  bool has_indices;
  bool descending;
  Chosen chosen;
  aclDataType dtype;
  KeyFn read;
  int bits;
  ElementCast cast_value;
  StoreFn store_index;

  Ordering(const View& in, AxisMask axes, bool descending, Chosen chosen, OrderOutput value,
           OrderOutput index)
      : self(in, axes),
        indices(lines_of(index, axes)),
        values(lines_of(value, axes)),
        has_values(value.view != nullptr),
        has_indices(index.view != nullptr),
        descending(descending),
        chosen(chosen),
        dtype(in.dtype),
        read(key_reader(in.dtype)),
        bits(key_bits(in.dtype)),
        cast_value(in.dtype, has_values ? value.view->dtype : in.dtype),
        store_index(has_indices ? storer<std::int64_t>(index.view->dtype, Rounding::kTruncate)
                                : nullptr) {}

  static Lines lines_of(OrderOutput output, AxisMask axes) {
    if (output.view == nullptr) return {};
    return {*output.view, output.has_axis ? axes : 0};
  }

  std::int64_t wanted() const { return has_values ? values.length() : indices.length(); }

  std::int64_t first(const std::vector<std::uint64_t>& keys) const {
    if (chosen.kind == Chosen::kFrom) return chosen.begin;
    const auto is_nan = [&](std::uint64_t key) { return is_nan_key(dtype, key); };
    const auto all = std::int64_t(keys.size());
    const std::int64_t numbers = all - std::count_if(keys.begin(), keys.end(), is_nan);
    if (chosen.kind == Chosen::kMedian) return numbers < all ? numbers : (all - 1) / 2;
    return std::max<std::int64_t>(numbers - 1, 0) / 2;
  }

  void line(const KernelMemory& memory, std::int64_t number, std::vector<std::uint64_t>& keys,
            std::vector<std::int64_t>& places) const {
    read_keys(self, memory, number, read, bits, descending, keys);
    const std::int64_t begin = first(keys);
    order_places(keys, bits, begin + wanted(), places);
    const std::int64_t* chosen_places = places.data() + begin;
    if (has_indices) {
      std::byte* to = indices.begin(memory, number);
      indices.for_each_stretch(
          0, indices.length(),
          [&](std::int64_t place, std::int64_t offset, std::int64_t step, std::int64_t count) {
            store_index(chosen_places + place, count, to + offset * indices.element_size(), step);
          });
    }
    if (!has_values) return;
    const std::byte* from = self.begin(memory, number);
    std::byte* target = values.begin(memory, number);
    if (cast_value.copies() && self.lies_along_one_axis() && values.lies_along_one_axis()) {
      take_elements(from, self.step() * self.element_size(), chosen_places, values.length(), target,
                    values.step() * values.element_size(), self.element_size());
      return;
    }
    for (std::int64_t i = 0; i < values.length(); ++i)
      cast_value(from + self.offset(chosen_places[i]), target + values.offset(i));
  }
};

/// CANN moves the axis to the end, and back.
void reserve_transposed(Plan& plan, const TensorArgument& self, std::size_t axis) {
  if (axis + 1 < self.rank()) plan.reserve(self.elements(), self.dtype());
}

}  // namespace

void launch_order(Plan& plan, const View& self, AxisMask axes, bool descending, Chosen chosen,
                  OrderOutput values, OrderOutput indices) {
  const Ordering ordering(self, axes, descending, chosen, values, indices);
  plan.launch([ordering](const KernelMemory& memory) {
    const std::int64_t length = std::max<std::int64_t>(ordering.self.length(), 1);
    parallel_for(ordering.self.count(), std::max<std::int64_t>(1, kGrain / length),
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<std::uint64_t> keys;
                   std::vector<std::int64_t> places;
                   for (std::int64_t i = begin; i < end; ++i)
                     ordering.line(memory, i, keys, places);
                 });
  });
}

void sort(Plan& plan, const TensorArgument& self, std::size_t axis, bool descending,
          const TensorArgument& values, const TensorArgument& indices) {
  plan.stage(self).contiguous();
  reserve_transposed(plan, self, axis);
  plan.result(self.dtype(), self.shape()).cast_to(values.dtype()).copy_to(values);
  plan.result(has_950_kernels() ? ACL_INT64 : ACL_INT32, self.shape())
      .cast_to(ACL_INT64)
      .copy_to(indices);
  const View value = plan.writes(values);
  const View index = plan.writes(indices);
  launch_order(plan, plan.reads(self), one_axis(axis), descending, {}, {&value}, {&index});
}

void topk(Plan& plan, const TensorArgument& self, std::size_t axis, bool largest,
          const TensorArgument& values, const TensorArgument& indices) {
  plan.stage(self).contiguous();
  reserve_transposed(plan, self, axis);
  plan.result(self.dtype(), values.shape()).copy_to(values);
  plan.result(ACL_INT32, indices.shape()).cast_to(ACL_INT64).copy_to(indices);
  const Dims one = reduced_shape(self.shape(), one_axis(axis), true);
  const View value = shaped(plan.writes(values), one);
  const View index = shaped(plan.writes(indices), one);
  launch_order(plan, plan.reads(self), one_axis(axis), largest, {}, {&value}, {&index});
}

void argsort(Plan& plan, const TensorArgument& self, std::size_t axis, bool descending,
             const TensorArgument& indices) {
  plan.stage(self).contiguous();
  plan.reserve(self.elements(), self.dtype());
  plan.result(ACL_INT32, self.shape()).cast_to(ACL_INT64).copy_to(indices);
  const View index = plan.writes(indices);
  launch_order(plan, plan.reads(self), one_axis(axis), descending, {}, {}, {&index});
}

void median_of_nothing(Plan& plan, const TensorArgument& out) {
  const aclDataType dtype = out.dtype();
  Number value(std::int64_t(0));
  if (dtype == ACL_INT64) value = Number(std::numeric_limits<std::int64_t>::min());
  if (dtype == ACL_INT32) value = Number(std::int64_t(std::numeric_limits<std::int32_t>::min()));
  if (dtype == ACL_FLOAT || is_16_bit_float(dtype))
    value = Number(std::numeric_limits<double>::quiet_NaN());
  pointwise(plan, formulas::fill, dtype, dtype, out, {}, {value});
}

void choose(Plan& plan, const TensorArgument& self, AxisMask axes, Chosen chosen, bool keep,
            const TensorArgument& values, const TensorArgument* indices) {
  plan.stage(self).contiguous();
  plan.reserve(self.elements(), self.dtype());
  plan.reserve(self.elements(), ACL_INT32);
  plan.result(self.dtype(), values.shape()).copy_to(values);
  const Dims shape = reduced_shape(self.shape(), axes, keep);
  const View value = shaped(plan.writes(values), shape);
  if (indices == nullptr)
    return launch_order(plan, plan.reads(self), axes, false, chosen, {&value, keep}, {});
  plan.result(ACL_INT32, indices->shape()).cast_to(indices->dtype()).copy_to(*indices);
  const View index = shaped(plan.writes(*indices), shape);
  launch_order(plan, plan.reads(self), axes, false, chosen, {&value, keep}, {&index, keep});
}

}  // namespace pyaclnn::sim
