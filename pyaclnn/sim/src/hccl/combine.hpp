// Two operands of a reduction become one.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "hccl/hccl_types.h"

namespace pyaclnn::sim::hccl {

/// out[i] = first[i] op second[i]. `out` may be one of the operands. Half types are computed in
/// float and rounded each time, as what comes over a link is added to memory.
void combine(HcclDataType type, HcclReduceOp op, void* out, const void* first, const void* second,
             std::size_t count);

}  // namespace pyaclnn::sim::hccl
