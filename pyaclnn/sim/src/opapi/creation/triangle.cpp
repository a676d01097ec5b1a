// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/creation/creation.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 65536;  // elements worth a hand-over to another thread

}  // namespace

void triangle(Plan& plan, const TensorArgument& self, std::int64_t diagonal, bool lower,
              const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.result(self.dtype(), out.shape()).copy_to(out);
  const View to = plan.writes(out);
  const View from = plan.reads(self);
  const auto size = std::int64_t(dtype_size(self.dtype()));
  const std::size_t rank = self.rank();
  const std::int64_t columns = self.shape()[rank - 1];
  const std::int64_t rows = self.shape()[rank - 2];
  plan.launch([=](const KernelMemory& memory) {
    std::byte* target = memory.operands[to.operand] + to.offset * size;
    const std::byte* source = memory.operands[from.operand] + from.offset * size;
    const std::int64_t to_step = to.strides[rank - 1] * size;
    const std::int64_t from_step = from.strides[rank - 1] * size;
    const std::int64_t all = to.shape.product() / std::max<std::int64_t>(columns, 1);
    parallel_for(all, std::max<std::int64_t>(1, kGrain / columns),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t number = begin; number < end; ++number) {
                     std::int64_t to_place = 0;
                     std::int64_t from_place = 0;
                     std::int64_t rest = number;
                     for (std::size_t i = rank - 1; i-- > 0;) {
                       to_place += rest % to.shape[i] * to.strides[i];
                       from_place += rest % to.shape[i] * from.strides[i];
                       rest /= to.shape[i];
                     }
                     const std::int64_t row = number % rows;
                     // The column right of the diagonal, for the lower part; that on it, for the
                     // upper one.
                     const std::int64_t limit =
                         std::clamp<std::int64_t>(diagonal, -rows - 1, columns);
                     const std::int64_t border =
                         std::clamp<std::int64_t>(row + limit + (lower ? 1 : 0), 0, columns);
                     std::byte* to_row = target + to_place * size;
                     const std::byte* from_row = source + from_place * size;
                     const std::int64_t kept = lower ? 0 : border;
                     const std::int64_t zeros = lower ? border : 0;
                     const std::int64_t copied = lower ? border : columns - border;
                     copy_elements(to_row + kept * to_step, to_step, from_row + kept * from_step,
                                   from_step, copied, size);
                     zero_elements(to_row + zeros * to_step, to_step, columns - copied, size);
                   }
                 });
  });
}

}  // namespace pyaclnn::sim
