// SPDX-License-Identifier: MIT
#include "objects/dtype.hpp"

namespace pyaclnn::sim {
namespace {

struct Row {
  aclDataType dtype;
  const char* name;
  std::size_t size;
  bool integral;
};

constexpr Row kRows[] = {
    {ACL_FLOAT, "float32", 4, false},
    {ACL_FLOAT16, "float16", 2, false},
    {ACL_BF16, "bfloat16", 2, false},
    {ACL_INT32, "int32", 4, true},
    {ACL_INT64, "int64", 8, true},
    {ACL_INT8, "int8", 1, true},
    {ACL_UINT8, "uint8", 1, true},
    {ACL_BOOL, "bool", 1, true},
    {ACL_INT16, "int16", 2, true},
    {ACL_UINT16, "uint16", 2, true},
    {ACL_UINT32, "uint32", 4, true},
    {ACL_UINT64, "uint64", 8, true},
    {ACL_DOUBLE, "float64", 8, false},
    {ACL_COMPLEX64, "complex64", 8, false},
    {ACL_COMPLEX128, "complex128", 16, false},
    {ACL_COMPLEX32, "complex32", 4, false},
    {ACL_STRING, "string", 0, false},
    {ACL_INT4, "int4", 0, true},
    {ACL_UINT1, "uint1", 0, true},
    {ACL_HIFLOAT8, "hifloat8", 1, false},
    {ACL_FLOAT8_E5M2, "float8_e5m2", 1, false},
    {ACL_FLOAT8_E4M3FN, "float8_e4m3fn", 1, false},
    {ACL_FLOAT8_E8M0, "float8_e8m0", 1, false},
    {ACL_FLOAT6_E3M2, "float6_e3m2", 0, false},
    {ACL_FLOAT6_E2M3, "float6_e2m3", 0, false},
    {ACL_FLOAT4_E2M1, "float4_e2m1", 0, false},
    {ACL_FLOAT4_E1M2, "float4_e1m2", 0, false},
};

const Row* find(aclDataType dtype) {
  for (const Row& row : kRows) {
    if (row.dtype == dtype) return &row;
  }
  return nullptr;
}

}  // namespace

const char* dtype_name(aclDataType dtype) {
  const Row* row = find(dtype);
  return row != nullptr ? row->name : "an unknown dtype";
}

std::size_t dtype_size(aclDataType dtype) {
  const Row* row = find(dtype);
  return row != nullptr ? row->size : 0;
}

bool is_integral(aclDataType dtype) {
  const Row* row = find(dtype);
  return row != nullptr && row->integral;
}

}  // namespace pyaclnn::sim
