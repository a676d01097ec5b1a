// A number as a tensor of a given type holds it.
// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl_base.h"
#include "objects/half.hpp"

namespace pyaclnn::sim {

/// Rounded to float16 or bfloat16; for other types as it is.
inline float as_stored(float value, aclDataType dtype) {
  switch (dtype) {
    case ACL_FLOAT16:
      return half_to_float(float_to_half(value));
    case ACL_BF16:
      return bfloat16_to_float(float_to_bfloat16(value));
    default:
      return value;
  }
}

}  // namespace pyaclnn::sim
