// SPDX-License-Identifier: MIT
#include "opapi/common/fill.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"

namespace pyaclnn::sim {

void launch_zero(Plan& plan, const TensorArgument& out) {
  const View view = plan.writes(out);
  const auto size = static_cast<std::int64_t>(dtype_size(view.dtype));
  constexpr std::int64_t kGrain = 65536;
  plan.launch([view, size, nest = plan_loops({view})](const KernelMemory& memory) {
    std::byte* base = memory.operands[view.operand] + view.offset * size;
    parallel_for(nest.count, kGrain, [&](std::int64_t begin, std::int64_t end) {
      LoopCursor cursor(nest, begin);
      const std::int64_t stride = nest.inner_stride(0) * size;
      for (std::int64_t left = end - begin; left > 0;) {
        const std::int64_t count = std::min(cursor.left_in_row(), left);
        std::byte* row = base + cursor.offset(0) * size;
        if (stride == size) {
          std::memset(row, 0, std::size_t(count * size));
        } else {
          for (std::int64_t i = 0; i < count; ++i)
            std::memset(row + i * stride, 0, std::size_t(size));
        }
        cursor.advance(count);
        left -= count;
      }
    });
  });
}

}  // namespace pyaclnn::sim
