// Element types: names, sizes, families.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "acl/acl_base.h"
#include "core/export.hpp"

namespace pyaclnn::sim {

/// "float32", "bfloat16", ...
SIM_API const char* dtype_name(aclDataType dtype);

/// Bytes of one element; 0 for types without whole bytes, strings and unknown ones.
SIM_API std::size_t dtype_size(aclDataType dtype);

/// Integers and booleans.
SIM_API bool is_integral(aclDataType dtype);

/// float16 and bfloat16, which kernels compute in float32.
constexpr bool is_16_bit_float(aclDataType dtype) {
  return dtype == ACL_FLOAT16 || dtype == ACL_BF16;
}

constexpr bool is_float4(aclDataType dtype) {
  return dtype == ACL_FLOAT4_E2M1 || dtype == ACL_FLOAT4_E1M2;
}

/// Whether two elements are in a byte.
constexpr bool is_half_byte(aclDataType dtype) { return dtype == ACL_INT4 || is_float4(dtype); }

}  // namespace pyaclnn::sim
