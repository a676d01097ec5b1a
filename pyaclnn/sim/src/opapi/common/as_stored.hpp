// A number as a tensor of a given type holds it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

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

/// The nearest bfloat16 of two, of ties the one farther from zero.
inline float bfloat16_from_zero(float value) {
  if (std::isnan(value)) return value;
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits = (bits + 0x8000u) & 0xffff0000u;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace pyaclnn::sim
