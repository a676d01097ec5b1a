// SPDX-License-Identifier: MIT
#include "opapi/indexing/one_hot.hpp"

#include <cstring>

#include "core/thread_pool.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/flat.hpp"

namespace pyaclnn::sim {

std::size_t check_one_hot(const Check& check, const TensorArgument& self, std::int64_t classes,
                          std::int64_t axis, const TensorArgument& out) {
  check.that(axis >= -1 && axis <= std::int64_t(self.rank()),
             "axis is %lld, self has %zu dimensions", static_cast<long long>(axis), self.rank());
  const std::size_t place = axis < 0 ? self.rank() : std::size_t(axis);
  Dims shape;
  for (std::size_t i = 0; i <= self.rank(); ++i) {
    if (i == place) shape.push_back(classes);
    if (i < self.rank()) shape.push_back(self.shape()[i]);
  }
  check.shape_is(out, shape, "self with its classes");
  return place;
}

void one_hot(Plan& plan, const TensorArgument& self, const TensorArgument& on,
             const TensorArgument& off, std::size_t axis, const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.result(out.dtype(), out.shape()).copy_to(out);
  const FlatView to(plan.writes(out));
  const FlatView numbers(plan.reads(self));
  const View yes = plan.reads(on);
  const View no = plan.reads(off);
  const std::int64_t inner = out.shape().product(axis + 1);
  const std::int64_t classes = out.shape()[axis];
  const LoadFn load = loader<std::int64_t>(self.dtype());
  plan.launch([=](const KernelMemory& memory) {
    constexpr std::int64_t kGrain = 16384;
    const std::byte* chosen = first_element(memory, yes);
    const std::byte* other = first_element(memory, no);
    const auto size = std::size_t(to.element_size());
    parallel_for(to.count(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t place = i / (classes * inner) * inner + i % inner;
        std::int64_t number = 0;
        load(numbers.at(memory, place), 1, 1, &number);
        std::memcpy(to.at(memory, i), number == i / inner % classes ? chosen : other, size);
      }
    });
  });
}

}  // namespace pyaclnn::sim
