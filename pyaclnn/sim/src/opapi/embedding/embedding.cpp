// SPDX-License-Identifier: MIT
#include "opapi/embedding/embedding.hpp"

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/convert.hpp"

namespace pyaclnn::sim {

std::vector<std::int64_t> read_integers(const View& view, const KernelMemory& memory) {
  const LoadFn load = loader<std::int64_t>(view.dtype);
  const auto size = static_cast<std::int64_t>(dtype_size(view.dtype));
  const std::byte* base = memory.operands[view.operand] + view.offset * size;
  std::vector<std::int64_t> result(static_cast<std::size_t>(view.shape.product()));
  if (result.empty()) return result;
  const std::size_t rank = view.shape.size();
  const std::int64_t row = rank == 0 ? 1 : view.shape.back();
  const std::int64_t step = rank == 0 ? 1 : view.strides.back();
  std::vector<std::int64_t> index(rank);
  std::int64_t offset = 0;
  for (std::size_t at = 0; at < result.size(); at += std::size_t(row)) {
    load(base + offset * size, step, row, result.data() + at);
    for (std::size_t dim = rank < 2 ? 0 : rank - 1; dim-- > 0;) {
      offset += view.strides[dim];
      if (++index[dim] < view.shape[dim]) break;
      offset -= view.strides[dim] * view.shape[dim];
      index[dim] = 0;
    }
  }
  return result;
}

void require_a2_or_a3(const Plan& plan) {
  if (on_a2_or_a3()) return;
  fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: %s has no such kernel, A2 and A3 have", plan.api(),
       chip().name);
}

}  // namespace pyaclnn::sim
