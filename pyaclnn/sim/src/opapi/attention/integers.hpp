// Integers that a kernel looks at before it moves anything: positions, slots, lengths, block
// tables. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/planes.hpp"

namespace pyaclnn::sim {

/// All elements of a view, in row-major order.
inline std::vector<std::int64_t> integers_of(const View& view, const KernelMemory& memory) {
  if (view.shape.product() == 0) return {};
  const Planes all(view, view.shape.size());
  std::vector<std::int64_t> values(static_cast<std::size_t>(all.size()));
  all.load(loader<std::int64_t>(view.dtype), all.base(memory), sizeof(std::int64_t), values.data());
  return values;
}

}  // namespace pyaclnn::sim
