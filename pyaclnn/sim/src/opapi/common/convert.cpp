// SPDX-License-Identifier: MIT
#include "opapi/common/convert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "objects/half.hpp"
#include "opapi/common/convert_wide.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/narrow_numbers.hpp"

namespace pyaclnn::sim {
namespace {

// Memory forms that C++ has no type for.
struct Half {
  std::uint16_t bits;
};
struct Bfloat16 {
  std::uint16_t bits;
};
struct Bool {
  std::uint8_t bits;
};

template <class C, class M>
SIM_ALWAYS_INLINE C to_compute(M value) {
  if constexpr (std::is_same_v<M, Half>) {
    return static_cast<C>(half_to_float(value.bits));
  } else if constexpr (std::is_same_v<M, Bfloat16>) {
    return static_cast<C>(bfloat16_to_float(value.bits));
  } else if constexpr (std::is_same_v<M, Bool>) {
    return static_cast<C>(value.bits != 0);
  } else {
    return static_cast<C>(value);
  }
}

template <class M, class C>
SIM_ALWAYS_INLINE M saturate(C value, Rounding rounding) {
  if constexpr (sizeof(M) < sizeof(std::int32_t)) {
    // By way of int32, which registers of floats convert to: the bounds are exact in C.
    constexpr C kLeast = std::numeric_limits<M>::min();
    constexpr C kMost = std::numeric_limits<M>::max();
    const C whole = rounding == Rounding::kNearestEven ? std::nearbyint(value) : value;
    const C inside = whole > kMost ? kMost : whole >= kLeast ? whole : kLeast;
    return static_cast<M>(static_cast<std::int32_t>(value == value ? inside : C(0)));
  }
  const C whole = rounding == Rounding::kNearestEven ? std::nearbyint(value) : value;
  // Both bounds are exact: one below the smallest value that no longer fits, and the smallest.
  const C above = std::ldexp(C(1), std::numeric_limits<M>::digits);
  const C below = static_cast<C>(std::numeric_limits<M>::min());
  const bool fits = whole < above && whole >= below;
  const M inside = static_cast<M>(fits ? whole : C(0));
  const M outside = whole >= above  ? std::numeric_limits<M>::max()
                    : whole < below ? std::numeric_limits<M>::min()
                                    : M(0);  // NaN
  return fits ? inside : outside;
}

template <class M, class C, Rounding kRounding>
SIM_ALWAYS_INLINE M to_memory(C value) {
  if constexpr (std::is_same_v<M, Half>) {
    return {float_to_half(static_cast<float>(value))};
  } else if constexpr (std::is_same_v<M, Bfloat16>) {
    return {float_to_bfloat16(static_cast<float>(value))};
  } else if constexpr (std::is_same_v<M, Bool>) {
    return {static_cast<std::uint8_t>(value != C(0))};
  } else if constexpr (std::is_floating_point_v<C> && std::is_integral_v<M>) {
    return saturate<M>(value, kRounding);
  } else {
    return static_cast<M>(value);
  }
}

/// Whether convert_wide.hpp has the pair of types.
template <class C, class M>
constexpr bool kIsWide =
    std::is_same_v<C, float> && (std::is_same_v<M, Half> || std::is_same_v<M, Bfloat16>);

#if SIM_HAS_AVX2_PATH || SIM_HAS_NEON_CONVERSIONS

/// Whether convert_wide.hpp knows of floats that become such integers.
template <class M>
constexpr bool kIsWideInteger = std::is_same_v<M, std::int8_t> || std::is_same_v<M, std::uint8_t> ||
                                std::is_same_v<M, std::int32_t> || std::is_same_v<M, std::int64_t>;

/// What it has for a rounding, or null.
template <class M, Rounding kRounding>
wide::ToIntegers<M> wide_integers() {
  constexpr bool kTruncates = kRounding == Rounding::kTruncate;
  if constexpr (std::is_same_v<M, std::int8_t>) {
    return kTruncates ? wide::truncate_to_int8s : wide::round_to_int8s;
  } else if constexpr (std::is_same_v<M, std::uint8_t>) {
    return kTruncates ? wide::truncate_to_uint8s : nullptr;
  } else if constexpr (std::is_same_v<M, std::int64_t>) {
    return kTruncates ? wide::truncate_to_int64s : nullptr;
  } else {
    return kTruncates ? wide::truncate_to_int32s : nullptr;
  }
}

#endif

/// Every second element, which in vectors takes shuffles. Not for all pairs of types: each has a
/// loop of its own.
template <class C, class M>
constexpr bool kLoadsSecond = (std::is_same_v<C, M> && std::is_arithmetic_v<C>) || kIsWide<C, M>;

/// Elements of 16 bits. A loop of its own, which is sure to become vectors.
struct PackSecond {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const std::uint16_t* from, std::int64_t count,
                                    std::uint16_t* to) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[2 * i];
  }
};

void pack_second(const std::uint16_t* from, std::int64_t count, std::uint16_t* to) {
  static const auto pack =
      wide_loop_for_cpu<PackSecond, const std::uint16_t*, std::int64_t, std::uint16_t*>();
  pack(from, count, to);
}

constexpr std::int64_t kPacked = 256;
constexpr std::int64_t kFewToPack = 32;

template <class C, class M>
struct Load {
  template <Isa kIsa>
  static SIM_ALWAYS_INLINE void run_dense(const M* source, std::int64_t count, C* target) {
    std::int64_t i = 0;
#if SIM_HAS_AVX2_PATH || SIM_HAS_NEON_CONVERSIONS
    if constexpr (wide::kThere<kIsa> && kIsWide<C, M>) {
      const auto load = std::is_same_v<M, Half> ? wide::load_halves : wide::load_bfloat16s;
      i = load(&source->bits, count, target);
    }
#endif
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t k = i; k < count; ++k) target[k] = to_compute<C>(source[k]);
  }

  template <Isa kIsa>
  static SIM_ALWAYS_INLINE void run_second(const M* source, std::int64_t count, C* target) {
    if constexpr (std::is_same_v<C, M>) {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) target[i] = source[2 * i];
    } else if (count < kFewToPack) {
      for (std::int64_t i = 0; i < count; ++i) target[i] = to_compute<C>(source[2 * i]);
    } else {
      alignas(64) M packed[kPacked];
      for (std::int64_t done = 0; done < count; done += kPacked) {
        const std::int64_t take = std::min(kPacked, count - done);
        pack_second(&source[2 * done].bits, take, &packed[0].bits);
        run_dense<kIsa>(packed, take, target + done);
      }
    }
  }

  template <Isa kIsa>
  static SIM_ALWAYS_INLINE void run(const std::byte* from, std::int64_t stride, std::int64_t count,
                                    void* to) {
    if (count == 0) return;  // nothing may also lie nowhere, which has no member to point to
    const M* source = reinterpret_cast<const M*>(from);
    C* target = static_cast<C*>(to);
    if (stride == 1) {
      run_dense<kIsa>(source, count, target);
    } else if (stride == 0) {
      const C value = to_compute<C>(source[0]);
      for (std::int64_t i = 0; i < count; ++i) target[i] = value;
    } else if (stride == -1) {  // known to the compiler, it is a vector turned round
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) target[i] = to_compute<C>(source[-i]);
    } else if (kLoadsSecond<C, M> && stride == 2) {
      if constexpr (kLoadsSecond<C, M>) run_second<kIsa>(source, count, target);
    } else {
      for (std::int64_t i = 0; i < count; ++i) target[i] = to_compute<C>(source[i * stride]);
    }
  }
};

template <class C, class M, Rounding kRounding>
struct Store {
  template <Isa kIsa>
  static SIM_ALWAYS_INLINE void run(const void* from, std::int64_t count, std::byte* to,
                                    std::int64_t stride) {
    if (count == 0) return;  // nothing may also lie nowhere, which has no member to point to
    const C* source = static_cast<const C*>(from);
    M* target = reinterpret_cast<M*>(to);
    if (stride == 1) {
      std::int64_t i = 0;
#if SIM_HAS_AVX2_PATH || SIM_HAS_NEON_CONVERSIONS
      if constexpr (wide::kThere<kIsa> && kIsWide<C, M>) {
        const auto store = std::is_same_v<M, Half> ? wide::store_halves : wide::store_bfloat16s;
        i = store(source, count, &target->bits);
      } else if constexpr (wide::kThere<kIsa> && std::is_same_v<C, float> && kIsWideInteger<M>) {
        if (const auto store = wide_integers<M, kRounding>()) i = store(source, count, target);
      }
#endif
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t k = i; k < count; ++k) target[k] = to_memory<M, C, kRounding>(source[k]);
    } else if (std::is_same_v<C, M> && std::is_arithmetic_v<C> && stride == 2) {
      // Several at a time: one by one, the loop takes twice as long where it lies badly.
      std::int64_t i = 0;
      for (; i + 4 <= count; i += 4) {
        for (int k = 0; k < 4; ++k) target[2 * (i + k)] = to_memory<M, C, kRounding>(source[i + k]);
      }
      for (; i < count; ++i) target[2 * i] = to_memory<M, C, kRounding>(source[i]);
    } else {
      for (std::int64_t i = 0; i < count; ++i)
        target[i * stride] = to_memory<M, C, kRounding>(source[i]);
    }
  }
};

template <class C, class M>
LoadFn load_fn() {
  return loop_for_cpu<Load<C, M>, const std::byte*, std::int64_t, std::int64_t, void*>();
}

template <class C, class M>
StoreFn store_fn(Rounding rounding) {
  if constexpr (std::is_floating_point_v<C> && std::is_integral_v<M>) {
    if (rounding == Rounding::kTruncate)
      return loop_for_cpu<Store<C, M, Rounding::kTruncate>, const void*, std::int64_t, std::byte*,
                          std::int64_t>();
  }
  return loop_for_cpu<Store<C, M, Rounding::kNearestEven>, const void*, std::int64_t, std::byte*,
                      std::int64_t>();
}

/// A real result as a complex number.
template <class C, class R>
void store_complex(const void* from, std::int64_t count, std::byte* to, std::int64_t stride) {
  const C* source = static_cast<const C*>(from);
  R* target = reinterpret_cast<R*>(to);
  for (std::int64_t i = 0; i < count; ++i) {
    target[2 * i * stride] = static_cast<R>(source[i]);
    target[2 * i * stride + 1] = R(0);
  }
}

template <class C>
StoreFn complex_store_fn(aclDataType dtype) {
  if constexpr (std::is_floating_point_v<C>) {
    if (dtype == ACL_COMPLEX64) return &store_complex<C, float>;
    if (dtype == ACL_COMPLEX128) return &store_complex<C, double>;
  }
  return nullptr;
}

/// Floats of a byte, by their table.
template <class C, aclDataType kType>
void load_narrow(const std::byte* from, std::int64_t stride, std::int64_t count, void* to) {
  const NarrowFormat& format = *NarrowFormat::of(kType);
  C* target = static_cast<C*>(to);
  for (std::int64_t i = 0; i < count; ++i)
    target[i] = static_cast<C>(format.value(std::to_integer<unsigned>(from[i * stride])));
}

template <class C, aclDataType kType>
void store_narrow(const void* from, std::int64_t count, std::byte* to, std::int64_t stride) {
  const NarrowFormat& format = *NarrowFormat::of(kType);
  constexpr Round kMode = kType == ACL_HIFLOAT8 ? Round::kRound : Round::kRint;
  const C* source = static_cast<const C*>(from);
  for (std::int64_t i = 0; i < count; ++i)
    to[i * stride] = std::byte(format.code(static_cast<float>(source[i]), kMode));
}

struct NarrowFns {
  LoadFn load = nullptr;
  StoreFn store = nullptr;
};

template <class C>
NarrowFns narrow_fns(aclDataType dtype) {
  if constexpr (std::is_floating_point_v<C>) {
    switch (dtype) {
      case ACL_FLOAT8_E4M3FN:
        return {&load_narrow<C, ACL_FLOAT8_E4M3FN>, &store_narrow<C, ACL_FLOAT8_E4M3FN>};
      case ACL_FLOAT8_E5M2:
        return {&load_narrow<C, ACL_FLOAT8_E5M2>, &store_narrow<C, ACL_FLOAT8_E5M2>};
      case ACL_FLOAT8_E8M0:
        return {&load_narrow<C, ACL_FLOAT8_E8M0>, &store_narrow<C, ACL_FLOAT8_E8M0>};
      case ACL_HIFLOAT8:
        return {&load_narrow<C, ACL_HIFLOAT8>, &store_narrow<C, ACL_HIFLOAT8>};
      default:
        break;
    }
  }
  return {};
}

/// Calls visit(M()) with the memory form of an element type; false for types without one.
template <class C, class Visit>
bool with_memory_type(aclDataType dtype, Visit visit) {
  if constexpr (!std::is_same_v<C, float> && !std::is_same_v<C, double> &&
                !std::is_same_v<C, std::int64_t>) {
    return dtype == dtype_of<C>() && (visit(C()), true);
  } else {
    switch (dtype) {
      case ACL_FLOAT:
        return visit(float()), true;
      case ACL_FLOAT16:
        return visit(Half()), true;
      case ACL_BF16:
        return visit(Bfloat16()), true;
      case ACL_DOUBLE:
        return visit(double()), true;
      case ACL_INT8:
        return visit(std::int8_t()), true;
      case ACL_UINT8:
        return visit(std::uint8_t()), true;
      case ACL_INT16:
        return visit(std::int16_t()), true;
      case ACL_UINT16:
        return visit(std::uint16_t()), true;
      case ACL_INT32:
        return visit(std::int32_t()), true;
      case ACL_UINT32:
        return visit(std::uint32_t()), true;
      case ACL_INT64:
        return visit(std::int64_t()), true;
      case ACL_UINT64:
        return visit(std::uint64_t()), true;
      case ACL_BOOL:
        return visit(Bool()), true;
      default:
        return false;
    }
  }
}

}  // namespace

template <class C>
LoadFn loader(aclDataType dtype) {
  LoadFn result = nullptr;
  with_memory_type<C>(dtype, [&](auto form) { result = load_fn<C, decltype(form)>(); });
  return result == nullptr ? narrow_fns<C>(dtype).load : result;
}

template <class C>
StoreFn storer(aclDataType dtype, Rounding rounding) {
  StoreFn result = nullptr;
  with_memory_type<C>(dtype, [&](auto form) { result = store_fn<C, decltype(form)>(rounding); });
  if (result == nullptr) result = narrow_fns<C>(dtype).store;
  return result == nullptr ? complex_store_fn<C>(dtype) : result;
}

namespace {

template <class C>
LoadFn integers_as(aclDataType from) {
  switch (from) {
    case ACL_INT8:
      return load_fn<C, std::int8_t>();
    case ACL_UINT8:
      return load_fn<C, std::uint8_t>();
    case ACL_INT16:
      return load_fn<C, std::int16_t>();
    case ACL_UINT16:
      return load_fn<C, std::uint16_t>();
    case ACL_INT32:
      return load_fn<C, std::int32_t>();
    case ACL_UINT32:
      return load_fn<C, std::uint32_t>();
    case ACL_INT64:
    case ACL_UINT64:
      return load_fn<C, std::int64_t>();
    case ACL_BOOL:
      return load_fn<C, Bool>();
    default:
      return nullptr;
  }
}

}  // namespace

LoadFn integer_cast(aclDataType from, aclDataType to) {
  switch (to) {
    case ACL_INT8:
    case ACL_UINT8:
      return integers_as<std::int8_t>(from);
    case ACL_INT16:
    case ACL_UINT16:
      return integers_as<std::int16_t>(from);
    case ACL_INT32:
    case ACL_UINT32:
      return integers_as<std::int32_t>(from);
    case ACL_INT64:
    case ACL_UINT64:
      return integers_as<std::int64_t>(from);
    default:
      return nullptr;
  }
}

#define SIM_INSTANTIATE(C)                \
  template LoadFn loader<C>(aclDataType); \
  template StoreFn storer<C>(aclDataType, Rounding);
SIM_INSTANTIATE(float)
SIM_INSTANTIATE(double)
SIM_INSTANTIATE(std::int64_t)
SIM_INSTANTIATE(std::int32_t)
SIM_INSTANTIATE(std::int16_t)
SIM_INSTANTIATE(std::int8_t)
SIM_INSTANTIATE(std::uint8_t)
#undef SIM_INSTANTIATE

}  // namespace pyaclnn::sim
