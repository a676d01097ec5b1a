// SPDX-License-Identifier: MIT
#include "opapi/common/complex.hpp"

#include <algorithm>

#include "objects/dtype.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 256;

template <class To, class From>
void copy(const Complex<From>* from, std::int64_t from_stride, std::int64_t count, Complex<To>* to,
          std::int64_t to_stride) {
  for (std::int64_t i = 0; i < count; ++i) {
    const Complex<From> value = from[i * from_stride];
    to[i * to_stride] = {static_cast<To>(value.re), static_cast<To>(value.im)};
  }
}

template <class T, class M>
void load_complex(const std::byte* from, std::int64_t stride, std::int64_t count, void* to) {
  copy(reinterpret_cast<const Complex<M>*>(from), stride, count, static_cast<Complex<T>*>(to), 1);
}

template <class T, class M>
void store_complex(const void* from, std::int64_t count, std::byte* to, std::int64_t stride) {
  copy(static_cast<const Complex<T>*>(from), 1, count, reinterpret_cast<Complex<M>*>(to), stride);
}

template <class T, aclDataType kFrom>
void load_real(const std::byte* from, std::int64_t stride, std::int64_t count, void* to) {
  static const LoadFn load = loader<T>(kFrom);
  static const auto size = static_cast<std::int64_t>(dtype_size(kFrom));
  T values[kBlock];
  auto* target = static_cast<Complex<T>*>(to);
  for (std::int64_t at = 0; at < count; at += kBlock) {
    const std::int64_t take = std::min(kBlock, count - at);
    load(from + at * stride * size, stride, take, values);
    for (std::int64_t i = 0; i < take; ++i) target[at + i] = {values[i], T(0)};
  }
}

template <class T>
LoadFn load_fn(aclDataType dtype) {
  switch (dtype) {
    case ACL_COMPLEX64:
      return &load_complex<T, float>;
    case ACL_COMPLEX128:
      return &load_complex<T, double>;
    case ACL_FLOAT:
      return &load_real<T, ACL_FLOAT>;
    case ACL_FLOAT16:
      return &load_real<T, ACL_FLOAT16>;
    case ACL_BF16:
      return &load_real<T, ACL_BF16>;
    case ACL_DOUBLE:
      return &load_real<T, ACL_DOUBLE>;
    case ACL_BOOL:
      return &load_real<T, ACL_BOOL>;
    case ACL_INT8:
      return &load_real<T, ACL_INT8>;
    case ACL_UINT8:
      return &load_real<T, ACL_UINT8>;
    case ACL_INT16:
      return &load_real<T, ACL_INT16>;
    case ACL_INT32:
      return &load_real<T, ACL_INT32>;
    case ACL_INT64:
      return &load_real<T, ACL_INT64>;
    case ACL_UINT16:
      return &load_real<T, ACL_UINT16>;
    case ACL_UINT32:
      return &load_real<T, ACL_UINT32>;
    case ACL_UINT64:
      return &load_real<T, ACL_UINT64>;
    default:
      return nullptr;
  }
}

/// Whether a number is not zero.
template <class T>
void store_bool(const void* from, std::int64_t count, std::byte* to, std::int64_t stride) {
  const auto* source = static_cast<const Complex<T>*>(from);
  for (std::int64_t i = 0; i < count; ++i)
    to[i * stride] = std::byte(source[i].re != T(0) || source[i].im != T(0));
}

/// The real part.
template <class T, aclDataType kTo>
void store_real(const void* from, std::int64_t count, std::byte* to, std::int64_t stride) {
  static const StoreFn store = storer<T>(kTo, Rounding::kTruncate);
  static const auto size = static_cast<std::int64_t>(dtype_size(kTo));
  const auto* source = static_cast<const Complex<T>*>(from);
  T values[kBlock];
  for (std::int64_t at = 0; at < count; at += kBlock) {
    const std::int64_t take = std::min(kBlock, count - at);
    for (std::int64_t i = 0; i < take; ++i) values[i] = source[at + i].re;
    store(values, take, to + at * stride * size, stride);
  }
}

template <class T>
StoreFn store_fn(aclDataType dtype) {
  switch (dtype) {
    case ACL_BOOL:
      return &store_bool<T>;
    case ACL_COMPLEX64:
      return &store_complex<T, float>;
    case ACL_COMPLEX128:
      return &store_complex<T, double>;
    case ACL_FLOAT:
      return &store_real<T, ACL_FLOAT>;
    case ACL_FLOAT16:
      return &store_real<T, ACL_FLOAT16>;
    case ACL_BF16:
      return &store_real<T, ACL_BF16>;
    case ACL_DOUBLE:
      return &store_real<T, ACL_DOUBLE>;
    case ACL_INT8:
      return &store_real<T, ACL_INT8>;
    case ACL_UINT8:
      return &store_real<T, ACL_UINT8>;
    case ACL_INT16:
      return &store_real<T, ACL_INT16>;
    case ACL_UINT16:
      return &store_real<T, ACL_UINT16>;
    case ACL_INT32:
      return &store_real<T, ACL_INT32>;
    case ACL_UINT32:
      return &store_real<T, ACL_UINT32>;
    case ACL_INT64:
      return &store_real<T, ACL_INT64>;
    case ACL_UINT64:
      return &store_real<T, ACL_UINT64>;
    default:
      return nullptr;
  }
}

}  // namespace

template <>
LoadFn loader<Complex<float>>(aclDataType dtype) {
  return load_fn<float>(dtype);
}
template <>
LoadFn loader<Complex<double>>(aclDataType dtype) {
  return load_fn<double>(dtype);
}
template <>
StoreFn storer<Complex<float>>(aclDataType dtype, Rounding) {
  return store_fn<float>(dtype);
}
template <>
StoreFn storer<Complex<double>>(aclDataType dtype, Rounding) {
  return store_fn<double>(dtype);
}

}  // namespace pyaclnn::sim
