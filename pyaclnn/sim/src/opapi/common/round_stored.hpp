// Many numbers as tensors of a given type hold them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "acl/acl_base.h"

namespace pyaclnn::sim {

/// Rounds values to float16 or bfloat16; they stay as they are for other types. As as_stored, a
/// register at a time.
void round_as_stored(float* values, std::int64_t count, aclDataType dtype);

}  // namespace pyaclnn::sim
