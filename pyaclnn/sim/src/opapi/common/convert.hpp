// Between memory and compute types: one loader and one storer per element type, whatever the
// operator.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "acl/acl_base.h"

namespace pyaclnn::sim {

/// How a floating point result becomes an integer. Values out of range saturate, NaN becomes 0.
enum class Rounding { kNearestEven, kTruncate };

/// Reads `count` elements, `stride` elements apart, into contiguous compute values.
using LoadFn = void (*)(const std::byte* from, std::int64_t stride, std::int64_t count, void* to);

/// Writes contiguous compute values to `count` elements, `stride` elements apart.
using StoreFn = void (*)(const void* from, std::int64_t count, std::byte* to, std::int64_t stride);

/// Conversions between element type `dtype` and compute type C: float, double and int64_t go with
/// every real type; the other fixed-width integers only with their own. float and double are also
/// stored as complex numbers. Null for other pairs.
template <class C>
LoadFn loader(aclDataType dtype);
template <class C>
StoreFn storer(aclDataType dtype, Rounding rounding);

/// What reads integers and truths as integers of another width, of which the low bits stay; null
/// for other pairs.
LoadFn integer_cast(aclDataType from, aclDataType to);

/// The element type whose memory form is C itself.
template <class C>
constexpr aclDataType dtype_of();
template <>
constexpr aclDataType dtype_of<float>() {
  return ACL_FLOAT;
}
template <>
constexpr aclDataType dtype_of<double>() {
  return ACL_DOUBLE;
}
template <>
constexpr aclDataType dtype_of<std::int8_t>() {
  return ACL_INT8;
}
template <>
constexpr aclDataType dtype_of<std::uint8_t>() {
  return ACL_UINT8;
}
template <>
constexpr aclDataType dtype_of<std::int16_t>() {
  return ACL_INT16;
}
template <>
constexpr aclDataType dtype_of<std::int32_t>() {
  return ACL_INT32;
}
template <>
constexpr aclDataType dtype_of<std::int64_t>() {
  return ACL_INT64;
}

}  // namespace pyaclnn::sim
