// SPDX-License-Identifier: MIT
#include "opapi/sorting/unique.hpp"

#include <cstring>
#include <vector>

#include "objects/found_shapes.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/indexing/masked.hpp"
#include "opapi/sorting/counted.hpp"
#include "opapi/sorting/order.hpp"

namespace pyaclnn::sim {

void check_unique(const Check& check, const TensorArgument& self, const TensorArgument& values,
                  const TensorArgument* counts, UniqueOptions wanted) {
  check.that(values.elements() >= self.elements(), "%s has shape %s, self has %lld elements",
             values.name(), values.shape().text().c_str(), static_cast<long long>(self.elements()));
  check.that(values.rank() == 1, "valueOut has %zu dimensions, it has one", values.rank());
  check_filled_in_order(check, values);
  if (wanted.counts && counts != nullptr) check_filled_in_order(check, *counts);
}

void unique(Plan& plan, const TensorArgument& self, const TensorArgument& values,
            const TensorArgument& inverse, const TensorArgument* counts, UniqueOptions wanted) {
  plan.stage(self).contiguous();
  plan.finds_shape_of(values);
  const bool counted = wanted.counts && counts != nullptr;
  if (counted) plan.finds_shape_of(*counts);
  const FlatView to(plan.writes(values));
  const FlatView places(wanted.inverse ? plan.writes(inverse) : View());
  const FlatView numbers(counted ? plan.writes(*counts) : View());
  const View in = plan.reads(self);
  const FlatView from(in);
  // All elements as one line, in row-major order.
  const Lines lines(in, ~AxisMask(0));
  const aclDataType dtype = self.dtype();
  const std::size_t value_operand = values.index();
  const std::size_t count_operand = counted ? counts->index() : 0;
  plan.launch([=](const KernelMemory& memory) {
    const auto finish = [&](std::int64_t found) {
      memory.found->set(value_operand, {found});
      if (counted) memory.found->set(count_operand, {found});
    };
    if (const KeyCounts few = count_keys(memory, from, dtype); !few.counts.empty()) {
      std::vector<std::int64_t> place_of(few.counts.size());
      std::int64_t found = 0;
      for (std::size_t i = 0; i < few.counts.size(); ++i) {
        if (few.counts[i] == 0) continue;
        write_whole(dtype, few.least + i, to.at(memory, found));
        if (counted) std::memcpy(numbers.at(memory, found), &few.counts[i], sizeof few.counts[i]);
        place_of[i] = found++;
      }
      if (wanted.inverse) write_by_key(memory, from, dtype, few.least, place_of, places);
      return finish(found);
    }
    std::vector<std::uint64_t> keys;
    std::vector<std::int64_t> order;
    read_keys(lines, memory, 0, key_reader(dtype), key_bits(dtype), false, keys);
    std::vector<std::uint64_t> sorted;
    order_places(keys, key_bits(dtype), lines.length(), order, &sorted);
    std::int64_t found = 0;
    std::int64_t since = 0;
    const auto count = [&](std::int64_t end) {
      const std::int64_t number = end - since;
      if (counted) std::memcpy(numbers.at(memory, found - 1), &number, sizeof number);
      since = end;
    };
    const bool even = wanted.inverse && places.left_in_run(0) == places.count();
    std::byte* first_place = even ? places.at(memory, 0) : nullptr;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint64_t key = sorted[i];
      if (i == 0 || key != sorted[i - 1] || is_nan_key(dtype, key)) {
        if (i > 0) count(std::int64_t(i));
        std::memcpy(to.at(memory, found), from.at(memory, order[i]),
                    std::size_t(to.element_size()));
        ++found;
      }
      const std::int64_t place = found - 1;
      if (!wanted.inverse) continue;
      std::byte* target =
          even ? first_place + order[i] * places.step() : places.at(memory, order[i]);
      std::memcpy(target, &place, sizeof place);
    }
    if (!order.empty()) count(std::int64_t(order.size()));
    finish(found);
  });
}

}  // namespace pyaclnn::sim
