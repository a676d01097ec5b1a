// Integers that a kernel looks at before it moves anything: positions, slots, lengths, block
// tables.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/packed_operand.hpp"

namespace pyaclnn::sim {

/// All elements of a view, in row-major order.
inline std::vector<std::int64_t> integers_of(const View& view, const KernelMemory& memory) {
  return PackedOperand(view).read<std::int64_t>(memory);
}

}  // namespace pyaclnn::sim
