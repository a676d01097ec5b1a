// SPDX-License-Identifier: MIT
#include "opapi/copy/cast_via.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/elementwise_cast.hpp"

namespace pyaclnn::sim {
namespace {

/// Plans a copy between elements of one size.
void launch_copy(Plan& plan, const View& to, const View& from) {
  const auto size = static_cast<std::int64_t>(dtype_size(to.dtype));
  constexpr std::int64_t kGrain = 65536;
  plan.launch([to, from, size, nest = plan_loops({to, from})](const KernelMemory& memory) {
    std::byte* target = memory.operands[to.operand] + to.offset * size;
    const std::byte* source = memory.operands[from.operand] + from.offset * size;
    parallel_for(nest.count, kGrain, [&](std::int64_t begin, std::int64_t end) {
      LoopCursor cursor(nest, begin);
      const std::int64_t step_to = nest.inner_stride(0) * size;
      const std::int64_t step_from = nest.inner_stride(1) * size;
      for (std::int64_t left = end - begin; left > 0;) {
        const std::int64_t count = std::min(cursor.left_in_row(), left);
        std::byte* row_to = target + cursor.offset(0) * size;
        const std::byte* row_from = source + cursor.offset(1) * size;
        if (step_to == size && step_from == size) {
          std::memcpy(row_to, row_from, std::size_t(count * size));
        } else {
          for (std::int64_t i = 0; i < count; ++i)
            std::memcpy(row_to + i * step_to, row_from + i * step_from, std::size_t(size));
        }
        cursor.advance(count);
        left -= count;
      }
    });
  });
}

template <class Compute>
void launch_as(Plan& plan, const View& to, const View& from, StoreFn store) {
  const auto same = [](Compute value) { return value; };
  ElementwiseKernel kernel;
  kernel.views = {to, from};
  kernel.loads = {loader<Compute>(from.dtype)};
  kernel.store = store;
  kernel.compute_size = sizeof(Compute);
  kernel.compute_dtype = ACL_DT_UNDEFINED;  // the result may be rounded on the way
  kernel.block = detail::block_fn<Compute, decltype(same)>(std::index_sequence<0>());
  kernel.function = std::make_shared<const decltype(same)>(same);
  launch_elementwise(plan, std::move(kernel));
}

}  // namespace

void launch_cast_via(Plan& plan, const View& to, const View& from, aclDataType via) {
  if (from.dtype == to.dtype) {
    launch_copy(plan, to, from);
  } else if (via == ACL_DOUBLE) {
    launch_as<double>(plan, to, from, storer<double>(to.dtype, Rounding::kTruncate));
  } else if (via == ACL_FLOAT16 || via == ACL_BF16 || via == ACL_FLOAT) {
    launch_as<float>(plan, to, from, storer_via(via, to.dtype));
  } else if (via == ACL_COMPLEX64) {
    launch_as<float>(plan, to, from, storer<float>(to.dtype, Rounding::kTruncate));
  } else if (to.dtype == ACL_COMPLEX64) {
    launch_as<double>(plan, to, from, storer<double>(to.dtype, Rounding::kTruncate));
  } else {
    launch_as<std::int64_t>(plan, to, from, storer<std::int64_t>(to.dtype, Rounding::kTruncate));
  }
}

}  // namespace pyaclnn::sim
