// Where the elements of a view begin.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "objects/dtype.hpp"
#include "objects/launch.hpp"
#include "opapi/common/view.hpp"

namespace pyaclnn::sim {

/// The first element, or another by its offset. A view without elements has no memory, and none of
/// it is read or written, but reductions of nothing count places from there: from any byte.
inline std::byte* first_element(const KernelMemory& memory, const View& view,
                                std::int64_t offset = 0) {
  static std::byte nothing{};
  std::byte* base = memory.operands[view.operand];
  if (base == nullptr) return &nothing;
  return base + (view.offset + offset) * static_cast<std::int64_t>(dtype_size(view.dtype));
}

}  // namespace pyaclnn::sim
