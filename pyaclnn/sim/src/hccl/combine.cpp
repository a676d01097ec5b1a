// SPDX-License-Identifier: MIT
#include "hccl/combine.hpp"

#include <cstdint>
#include <type_traits>

#include "core/status.hpp"
#include "objects/half.hpp"

namespace pyaclnn::sim::hccl {
namespace {

/// Integers wrap.
template <class T>
using Arithmetic = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                               std::enable_if<true, T>>::type;

struct Sum {
  template <class T>
  static T of(T a, T b) {
    return T(Arithmetic<T>(a) + Arithmetic<T>(b));
  }
};

struct Product {
  template <class T>
  static T of(T a, T b) {
    // Narrow integers would be promoted to int, whose product may overflow.
    using Wide = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;
    return T(Wide(a) * Wide(b));
  }
};

// NaN goes through, from either side.
struct Largest {
  template <class T>
  static T of(T a, T b) {
    return a > b || a != a ? a : b;
  }
};

struct Smallest {
  template <class T>
  static T of(T a, T b) {
    return a < b || a != a ? a : b;
  }
};

struct Float16 {
  std::uint16_t bits;
  explicit operator float() const { return half_to_float(bits); }
  static Float16 rounded(float value) { return {float_to_half(value)}; }
};

struct BFloat16 {
  std::uint16_t bits;
  explicit operator float() const { return bfloat16_to_float(bits); }
  static BFloat16 rounded(float value) { return {float_to_bfloat16(value)}; }
};

template <class Op, class T>
void loop(T* out, const T* first, const T* second, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (std::is_arithmetic_v<T>) {
      out[i] = Op::of(first[i], second[i]);
    } else {
      out[i] = T::rounded(Op::of(float(first[i]), float(second[i])));
    }
  }
}

template <class T>
void typed(HcclReduceOp op, void* out, const void* first, const void* second, std::size_t count) {
  auto* to = static_cast<T*>(out);
  const auto *a = static_cast<const T*>(first), *b = static_cast<const T*>(second);
  switch (op) {
    case HCCL_REDUCE_SUM:
      return loop<Sum>(to, a, b, count);
    case HCCL_REDUCE_PROD:
      return loop<Product>(to, a, b, count);
    case HCCL_REDUCE_MAX:
      return loop<Largest>(to, a, b, count);
    case HCCL_REDUCE_MIN:
      return loop<Smallest>(to, a, b, count);
    default:
      fail(HCCL_E_NOT_SUPPORT, "%d is no reduction", int(op));
  }
}

}  // namespace

void combine(HcclDataType type, HcclReduceOp op, void* out, const void* first, const void* second,
             std::size_t count) {
  switch (type) {
    case HCCL_DATA_TYPE_INT8:
      return typed<std::int8_t>(op, out, first, second, count);
    case HCCL_DATA_TYPE_INT16:
      return typed<std::int16_t>(op, out, first, second, count);
    case HCCL_DATA_TYPE_INT32:
      return typed<std::int32_t>(op, out, first, second, count);
    case HCCL_DATA_TYPE_INT64:
      return typed<std::int64_t>(op, out, first, second, count);
    case HCCL_DATA_TYPE_UINT64:
      return typed<std::uint64_t>(op, out, first, second, count);
    case HCCL_DATA_TYPE_FP16:
      return typed<Float16>(op, out, first, second, count);
    case HCCL_DATA_TYPE_BFP16:
      return typed<BFloat16>(op, out, first, second, count);
    case HCCL_DATA_TYPE_FP32:
      return typed<float>(op, out, first, second, count);
    case HCCL_DATA_TYPE_FP64:
      return typed<double>(op, out, first, second, count);
    default:
      fail(HCCL_E_NOT_SUPPORT, "type %d is not reduced", int(type));
  }
}

}  // namespace pyaclnn::sim::hccl
