// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/element_cast.hpp"
#include "opapi/reduction/scan.hpp"
#include "opapi/sorting/order.hpp"

namespace pyaclnn::sim {

void running_extremum(Plan& plan, bool largest, const TensorArgument& self, std::size_t axis,
                      const TensorArgument& values, const TensorArgument& indices) {
  const bool is_bool = self.dtype() == ACL_BOOL;
  plan.stage(self).contiguous().cast_to(is_bool ? ACL_UINT8 : self.dtype());
  plan.result(self.dtype(), self.shape()).cast_to(values.dtype()).copy_to(values);
  plan.result(indices.dtype(), self.shape()).copy_to(indices);
  const AxisMask axes = one_axis(axis);
  const Lines to(plan.writes(values), axes);
  const Lines places(plan.writes(indices), axes);
  const Lines from(plan.reads(self), axes);
  const ElementCast cast(self.dtype(), values.dtype());
  const StoreFn store = storer<std::int64_t>(indices.dtype(), Rounding::kTruncate);
  const KeyFn read = key_reader(self.dtype());
  const aclDataType dtype = self.dtype();
  plan.launch([=](const KernelMemory& memory) {
    constexpr std::int64_t kGrain = 4096;
    const std::int64_t length = std::max<std::int64_t>(from.length(), 1);
    parallel_for(from.count(), std::max<std::int64_t>(1, kGrain / length),
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<std::uint64_t> keys;
                   for (std::int64_t line = begin; line < end; ++line) {
                     read_keys(from, memory, line, read, key_bits(dtype), false, keys);
                     const std::byte* source = from.begin(memory, line);
                     std::byte* target = to.begin(memory, line);
                     std::byte* index = places.begin(memory, line);
                     std::int64_t best = 0;
                     for (std::int64_t i = 0; i < length; ++i) {
                       const std::uint64_t key = keys[std::size_t(i)];
                       const std::uint64_t held = keys[std::size_t(best)];
                       const bool better =
                           largest ? key >= held : key <= held && !is_nan_key(dtype, held);
                       if (better || is_nan_key(dtype, key)) best = i;
                       cast(source + from.offset(best), target + to.offset(i));
                       store(&best, 1, index + places.offset(i), 1);
                     }
                   }
                 });
  });
}

}  // namespace pyaclnn::sim
