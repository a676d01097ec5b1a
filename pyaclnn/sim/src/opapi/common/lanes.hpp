// Registers of 16 floats, and of the 16 doubles they become, with AVX-512 and with AVX2, where two
// or four registers make one: the same names and the same bits in both namespaces. Loops over them
// stand in headers of their own, which each_lanes.hpp compiles for both.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/cpu.hpp"

#if SIM_HAS_AVX2_PATH

#include <immintrin.h>

#include <cstdint>
#include <type_traits>

#include "objects/half.hpp"
#include "opapi/common/wide_registers.hpp"

// FMA and F16C belong to every processor with AVX-512.
#if defined(__clang__)
#define SIM_LANES_512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,fma,f16c")))
#else
// GCC would make vectors of 32 bytes of loops.
#define SIM_LANES_512 \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,fma,f16c,prefer-vector-width=512")))
#endif
#define SIM_LANES_256 __attribute__((target("avx2,fma,f16c")))

namespace pyaclnn::sim::lanes {

constexpr std::int64_t kLanes = 16;

// One element in memory, as it is and as a float.
struct Float {
  using Bits = float;
  static SIM_ALWAYS_INLINE float value(float bits) { return bits; }
  static SIM_ALWAYS_INLINE float bits(float value) { return value; }
};

struct Half {
  using Bits = std::uint16_t;
  static SIM_ALWAYS_INLINE float value(std::uint16_t bits) { return half_to_float(bits); }
  static SIM_ALWAYS_INLINE std::uint16_t bits(float value) { return float_to_half(value); }
};

struct Bfloat16 {
  using Bits = std::uint16_t;
  static SIM_ALWAYS_INLINE float value(std::uint16_t bits) { return bfloat16_to_float(bits); }
  static SIM_ALWAYS_INLINE std::uint16_t bits(float value) { return float_to_bfloat16(value); }
};

}  // namespace pyaclnn::sim::lanes

namespace pyaclnn::sim::avx512 {

#define SIM_INLINE SIM_LANES_512 SIM_ALWAYS_INLINE

using lanes::kLanes;
using wide::kAll;

struct Floats {
  __m512 all;

  static SIM_INLINE Floats at(const float* from) { return {_mm512_loadu_ps(from)}; }
  static SIM_INLINE Floats of(float value) { return {_mm512_set1_ps(value)}; }
  SIM_INLINE void store(float* to) const { _mm512_storeu_ps(to, all); }
  /// Past the caches, to where a cache line begins.
  SIM_INLINE void store_past(float* to) const { _mm512_stream_ps(to, all); }
};

SIM_INLINE Floats operator+(Floats a, Floats b) { return {_mm512_add_ps(a.all, b.all)}; }
SIM_INLINE Floats operator-(Floats a, Floats b) { return {_mm512_sub_ps(a.all, b.all)}; }
SIM_INLINE Floats operator*(Floats a, Floats b) { return {_mm512_mul_ps(a.all, b.all)}; }
/// a * b + c and a * b - c, rounded once.
SIM_INLINE Floats fused(Floats a, Floats b, Floats c) {
  return {_mm512_fmadd_ps(a.all, b.all, c.all)};
}
SIM_INLINE Floats fused_less(Floats a, Floats b, Floats c) {
  return {_mm512_fmsub_ps(a.all, b.all, c.all)};
}
/// a * 2^n, rounded once, for whole n from -151 to 129.
SIM_INLINE Floats scaled(Floats a, Floats n) {
  return {_mm512_maskz_scalef_ps(kAll, a.all, n.all)};
}
// Of two zeros, or where either is NaN, the second.
SIM_INLINE Floats largest(Floats a, Floats b) { return {_mm512_maskz_max_ps(kAll, a.all, b.all)}; }
SIM_INLINE Floats smallest(Floats a, Floats b) { return {_mm512_maskz_min_ps(kAll, a.all, b.all)}; }

/// Some of the 16.
struct Lanes {
  __mmask16 bits;

  static SIM_INLINE Lanes none() { return {0}; }
  static SIM_INLINE Lanes first(int count) { return {static_cast<__mmask16>((1u << count) - 1)}; }
  SIM_INLINE bool any() const { return bits != 0; }
};

SIM_INLINE Lanes operator|(Lanes a, Lanes b) { return {_mm512_kor(a.bits, b.bits)}; }
/// Where either is NaN.
SIM_INLINE Lanes unordered(Floats a, Floats b) {
  return {_mm512_cmp_ps_mask(a.all, b.all, _CMP_UNORD_Q)};
}
SIM_INLINE Lanes less(Floats a, Floats b) { return {_mm512_cmp_ps_mask(a.all, b.all, _CMP_LT_OQ)}; }
/// `b` in these lanes, `a` in the others.
SIM_INLINE Floats blended(Lanes lanes, Floats a, Floats b) {
  return {_mm512_mask_blend_ps(lanes.bits, a.all, b.all)};
}

/// Lanes 8 to 15 in place of 0 to 7, and so on: what halves the number of lanes.
SIM_INLINE Floats upper_eight(Floats a) {
  return {_mm512_maskz_shuffle_f32x4(kAll, a.all, a.all, 0x0E)};
}
SIM_INLINE Floats upper_four(Floats a) {
  return {_mm512_maskz_shuffle_f32x4(kAll, a.all, a.all, 0x01)};
}
SIM_INLINE Floats upper_two(Floats a) { return {_mm512_maskz_permute_ps(kAll, a.all, 0x0E)}; }
SIM_INLINE Floats upper_one(Floats a) { return {_mm512_maskz_permute_ps(kAll, a.all, 0x01)}; }
SIM_INLINE float first_of(Floats a) { return _mm512_cvtss_f32(a.all); }

/// 16 integers.
struct Integers {
  __m512i all;

  static SIM_INLINE Integers at(const void* from) { return {_mm512_loadu_si512(from)}; }
  /// Towards zero; what is out of range saturates, NaN becomes 0.
  static SIM_INLINE Integers truncated(Floats values) {
    const __mmask16 above = _mm512_cmp_ps_mask(values.all, _mm512_set1_ps(0x1p31f), _CMP_GE_OQ);
    return {
        _mm512_mask_blend_epi32(above, truncated_below(values).all, _mm512_set1_epi32(0x7FFFFFFF))};
  }
  /// The same of numbers that are not above the range.
  static SIM_INLINE Integers truncated_below(Floats values) {
    // Below the range the instruction gives the smallest integer, as it does above and for NaN.
    const __mmask16 numbers = _mm512_cmp_ps_mask(values.all, values.all, _CMP_ORD_Q);
    return {_mm512_maskz_cvttps_epi32(numbers, values.all)};
  }
  /// To the nearest, halves to even ones.
  static SIM_INLINE Integers rounded(Floats values) {
    return {_mm512_maskz_cvtps_epi32(kAll, values.all)};
  }
  SIM_INLINE void store(std::int32_t* to) const { _mm512_storeu_si512(to, all); }
  SIM_INLINE void store(std::int64_t* to) const {
    constexpr __mmask8 kEight = 0xFF;
    const __m256i low = _mm512_maskz_extracti64x4_epi64(kEight, all, 0);
    const __m256i high = _mm512_maskz_extracti64x4_epi64(kEight, all, 1);
    _mm512_storeu_si512(to, _mm512_maskz_cvtepi32_epi64(kEight, low));
    _mm512_storeu_si512(to + 8, _mm512_maskz_cvtepi32_epi64(kEight, high));
  }
  // To bytes they saturate.
  SIM_INLINE void store(std::int8_t* to) const {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_maskz_cvtsepi32_epi8(kAll, all));
  }
  SIM_INLINE void store(std::uint8_t* to) const {
    const __m512i inside = _mm512_maskz_max_epi32(kAll, all, _mm512_setzero_si512());
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_maskz_cvtusepi32_epi8(kAll, inside));
  }
  /// These, then others.
  template <class Byte>
  SIM_INLINE void store(Integers then, Byte* to) const {
    store(to);
    then.store(to + kLanes);
  }
  /// Past the caches, to where a cache line begins.
  SIM_INLINE void stream(void* to) const { _mm512_stream_si512(static_cast<__m512i*>(to), all); }
};

struct Doubles {
  __m512d low;
  __m512d high;

  static SIM_INLINE Doubles at(const double* from) {
    return {_mm512_loadu_pd(from), _mm512_loadu_pd(from + 8)};
  }
  static SIM_INLINE Doubles of(double value) {
    return {_mm512_set1_pd(value), _mm512_set1_pd(value)};
  }
  static SIM_INLINE Doubles of(Floats values) {
    return {wide::doubles_of<0>(values.all), wide::doubles_of<1>(values.all)};
  }
  SIM_INLINE void store(double* to) const {
    _mm512_storeu_pd(to, low);
    _mm512_storeu_pd(to + 8, high);
  }
  SIM_INLINE Floats narrowed() const {
    const __m512 first = _mm512_castps256_ps512(_mm512_maskz_cvtpd_ps(0xFF, low));
    return {_mm512_maskz_insertf32x8(kAll, first, _mm512_maskz_cvtpd_ps(0xFF, high), 1)};
  }
  /// The first lane, and all with another in its place.
  SIM_INLINE double first() const { return _mm512_cvtsd_f64(low); }
  SIM_INLINE Doubles with_first(double value) const {
    return {_mm512_mask_broadcastsd_pd(low, 1, _mm_set_sd(value)), high};
  }
  /// The sum of all, halving their number each time.
  SIM_INLINE double total() const {
    const __m512d eight = _mm512_add_pd(low, high);
    const __m256d four = _mm256_add_pd(_mm512_maskz_extractf64x4_pd(0xFF, eight, 0),
                                       _mm512_maskz_extractf64x4_pd(0xFF, eight, 1));
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
  }
};

SIM_INLINE Doubles operator+(const Doubles& a, const Doubles& b) {
  return {_mm512_add_pd(a.low, b.low), _mm512_add_pd(a.high, b.high)};
}
SIM_INLINE Doubles operator-(const Doubles& a, const Doubles& b) {
  return {_mm512_sub_pd(a.low, b.low), _mm512_sub_pd(a.high, b.high)};
}
SIM_INLINE Doubles operator*(const Doubles& a, const Doubles& b) {
  return {_mm512_mul_pd(a.low, b.low), _mm512_mul_pd(a.high, b.high)};
}
SIM_INLINE Doubles fused(const Doubles& a, const Doubles& b, const Doubles& c) {
  return {_mm512_fmadd_pd(a.low, b.low, c.low), _mm512_fmadd_pd(a.high, b.high, c.high)};
}

SIM_INLINE void put_bits(std::uint16_t* to, __m256i bits) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bits);
}
template <bool kPast>
SIM_INLINE void put_bits(std::uint16_t* to, __m512i bits) {
  if constexpr (kPast) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), bits);
  } else {
    _mm512_storeu_si512(to, bits);
  }
}

// Halves of 16 values are loaded for themselves: they would have to be taken out of a register.
SIM_INLINE __m128i eight_at(const std::uint16_t* from) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}
SIM_INLINE __m512d widened(__m256 values) { return _mm512_maskz_cvtps_pd(0xFF, values); }

/// What lies in memory as floats. `put` stores 16 values, or 32, past the caches if kPast, to where
/// a cache line begins.
struct OfFloats : lanes::Float {
  static SIM_INLINE Floats at(const float* from) { return Floats::at(from); }
  static SIM_INLINE Doubles doubles_at(const float* from) {
    return {widened(_mm256_loadu_ps(from)), widened(_mm256_loadu_ps(from + 8))};
  }
  static SIM_INLINE void put(float* to, Floats values) { values.store(to); }
  template <bool kPast>
  static SIM_INLINE void put(float* to, Floats first, Floats second) {
    if constexpr (kPast) {
      first.store_past(to);
      second.store_past(to + 16);
    } else {
      first.store(to);
      second.store(to + 16);
    }
  }
};

struct OfHalves : lanes::Half {
  static SIM_INLINE Floats at(const std::uint16_t* from) { return {wide::halves_at(from)}; }
  static SIM_INLINE Doubles doubles_at(const std::uint16_t* from) {
    return {widened(_mm256_cvtph_ps(eight_at(from))), widened(_mm256_cvtph_ps(eight_at(from + 8)))};
  }
  static SIM_INLINE void put(std::uint16_t* to, Floats values) {
    put_bits(to, wide::to_halves(values.all));
  }
  template <bool kPast>
  static SIM_INLINE void put(std::uint16_t* to, Floats first, Floats second) {
    put_bits<kPast>(to, wide::to_halves(first.all, second.all));
  }
};

struct OfBfloat16s : lanes::Bfloat16 {
  static SIM_INLINE Floats at(const std::uint16_t* from) { return {wide::bfloat16s_at(from)}; }
  static SIM_INLINE __m256 eight_floats_at(const std::uint16_t* from) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(eight_at(from)), 16));
  }
  static SIM_INLINE Doubles doubles_at(const std::uint16_t* from) {
    return {widened(eight_floats_at(from)), widened(eight_floats_at(from + 8))};
  }
  static SIM_INLINE void put(std::uint16_t* to, Floats values) {
    put_bits(to, wide::to_bfloat16s(values.all));
  }
  template <bool kPast>
  static SIM_INLINE void put(std::uint16_t* to, Floats first, Floats second) {
    put_bits<kPast>(to, wide::to_bfloat16s(first.all, second.all));
  }
};

#undef SIM_INLINE

}  // namespace pyaclnn::sim::avx512

namespace pyaclnn::sim::avx2 {

#define SIM_INLINE SIM_LANES_256 SIM_ALWAYS_INLINE

using lanes::kLanes;

// What two registers are packed into has its quarters crosswise.
constexpr int kQuartersInOrder = 0xD8;

struct Floats {
  __m256 low;
  __m256 high;

  static SIM_INLINE Floats at(const float* from) {
    return {_mm256_loadu_ps(from), _mm256_loadu_ps(from + 8)};
  }
  static SIM_INLINE Floats of(float value) {
    return {_mm256_set1_ps(value), _mm256_set1_ps(value)};
  }
  SIM_INLINE void store(float* to) const {
    _mm256_storeu_ps(to, low);
    _mm256_storeu_ps(to + 8, high);
  }
  SIM_INLINE void store_past(float* to) const {
    _mm256_stream_ps(to, low);
    _mm256_stream_ps(to + 8, high);
  }
};

SIM_INLINE Floats operator+(Floats a, Floats b) {
  return {_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high)};
}
SIM_INLINE Floats operator-(Floats a, Floats b) {
  return {_mm256_sub_ps(a.low, b.low), _mm256_sub_ps(a.high, b.high)};
}
SIM_INLINE Floats operator*(Floats a, Floats b) {
  return {_mm256_mul_ps(a.low, b.low), _mm256_mul_ps(a.high, b.high)};
}
SIM_INLINE Floats fused(Floats a, Floats b, Floats c) {
  return {_mm256_fmadd_ps(a.low, b.low, c.low), _mm256_fmadd_ps(a.high, b.high, c.high)};
}
SIM_INLINE Floats fused_less(Floats a, Floats b, Floats c) {
  return {_mm256_fmsub_ps(a.low, b.low, c.low), _mm256_fmsub_ps(a.high, b.high, c.high)};
}
SIM_INLINE __m256 power_of_two(__m256i n) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n, _mm256_set1_epi32(127)), 23));
}
// By two factors: 2^n may lie outside of float's range where the result does not.
SIM_INLINE __m256 scaled(__m256 a, __m256 by) {
  const __m256i n = _mm256_cvtps_epi32(by);
  const __m256i half = _mm256_srai_epi32(n, 1);
  return _mm256_mul_ps(_mm256_mul_ps(a, power_of_two(half)),
                       power_of_two(_mm256_sub_epi32(n, half)));
}
SIM_INLINE Floats scaled(Floats a, Floats n) {
  return {scaled(a.low, n.low), scaled(a.high, n.high)};
}
SIM_INLINE Floats largest(Floats a, Floats b) {
  return {_mm256_max_ps(a.low, b.low), _mm256_max_ps(a.high, b.high)};
}
SIM_INLINE Floats smallest(Floats a, Floats b) {
  return {_mm256_min_ps(a.low, b.low), _mm256_min_ps(a.high, b.high)};
}

struct Lanes {
  __m256 low;
  __m256 high;

  static SIM_INLINE Lanes none() { return {_mm256_setzero_ps(), _mm256_setzero_ps()}; }
  static SIM_INLINE Lanes first(int count) {
    const __m256i numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const auto below = [&](int limit) SIM_LANES_256 {
      return _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32(limit), numbers));
    };
    return {below(count), below(count - 8)};
  }
  SIM_INLINE bool any() const { return _mm256_movemask_ps(_mm256_or_ps(low, high)) != 0; }
};

SIM_INLINE Lanes operator|(Lanes a, Lanes b) {
  return {_mm256_or_ps(a.low, b.low), _mm256_or_ps(a.high, b.high)};
}
SIM_INLINE Lanes unordered(Floats a, Floats b) {
  return {_mm256_cmp_ps(a.low, b.low, _CMP_UNORD_Q), _mm256_cmp_ps(a.high, b.high, _CMP_UNORD_Q)};
}
SIM_INLINE Lanes less(Floats a, Floats b) {
  return {_mm256_cmp_ps(a.low, b.low, _CMP_LT_OQ), _mm256_cmp_ps(a.high, b.high, _CMP_LT_OQ)};
}
SIM_INLINE Floats blended(Lanes lanes, Floats a, Floats b) {
  return {_mm256_blendv_ps(a.low, b.low, lanes.low), _mm256_blendv_ps(a.high, b.high, lanes.high)};
}

// What stands in the lanes above those that are wanted does not matter.
SIM_INLINE Floats upper_eight(Floats a) { return {a.high, a.high}; }
SIM_INLINE Floats upper_four(Floats a) {
  const __m256 upper = _mm256_permute2f128_ps(a.low, a.low, 0x11);
  return {upper, upper};
}
SIM_INLINE Floats upper_two(Floats a) {
  const __m256 upper = _mm256_permute_ps(a.low, 0x0E);
  return {upper, upper};
}
SIM_INLINE Floats upper_one(Floats a) {
  const __m256 upper = _mm256_permute_ps(a.low, 0x01);
  return {upper, upper};
}
SIM_INLINE float first_of(Floats a) { return _mm256_cvtss_f32(a.low); }

struct Integers {
  __m256i low;
  __m256i high;

  static SIM_INLINE Integers at(const void* from) {
    const auto* both = static_cast<const __m256i*>(from);
    return {_mm256_loadu_si256(both), _mm256_loadu_si256(both + 1)};
  }
  static SIM_INLINE __m256i truncated_below(__m256 values) {
    const __m256 is_number = _mm256_cmp_ps(values, values, _CMP_ORD_Q);
    return _mm256_and_si256(_mm256_cvttps_epi32(values), _mm256_castps_si256(is_number));
  }
  static SIM_INLINE __m256i truncated(__m256 values) {
    const __m256 above = _mm256_cmp_ps(values, _mm256_set1_ps(0x1p31f), _CMP_GE_OQ);
    return _mm256_blendv_epi8(truncated_below(values), _mm256_set1_epi32(0x7FFFFFFF),
                              _mm256_castps_si256(above));
  }
  static SIM_INLINE Integers truncated(Floats values) {
    return {truncated(values.low), truncated(values.high)};
  }
  static SIM_INLINE Integers truncated_below(Floats values) {
    return {truncated_below(values.low), truncated_below(values.high)};
  }
  static SIM_INLINE Integers rounded(Floats values) {
    return {_mm256_cvtps_epi32(values.low), _mm256_cvtps_epi32(values.high)};
  }
  /// As 16 bits, saturated.
  SIM_INLINE __m256i words() const {
    return _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), kQuartersInOrder);
  }
  SIM_INLINE void store(std::int32_t* to) const {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), low);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 8), high);
  }
  SIM_INLINE void store(std::int64_t* to) const {
    const auto put = [](std::int64_t* place, __m128i four) SIM_LANES_256 {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(place), _mm256_cvtepi32_epi64(four));
    };
    put(to, _mm256_castsi256_si128(low));
    put(to + 4, _mm256_extracti128_si256(low, 1));
    put(to + 8, _mm256_castsi256_si128(high));
    put(to + 12, _mm256_extracti128_si256(high, 1));
  }
  SIM_INLINE void store(std::int8_t* to) const {
    const __m256i w = words();
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                     _mm_packs_epi16(_mm256_castsi256_si128(w), _mm256_extracti128_si256(w, 1)));
  }
  SIM_INLINE void store(std::uint8_t* to) const {
    const __m256i w = words();
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                     _mm_packus_epi16(_mm256_castsi256_si128(w), _mm256_extracti128_si256(w, 1)));
  }
  template <class Byte>
  SIM_INLINE void store(Integers then, Byte* to) const {
    const __m256i a = _mm256_packs_epi32(low, high), b = _mm256_packs_epi32(then.low, then.high);
    const __m256i fours =
        std::is_signed_v<Byte> ? _mm256_packs_epi16(a, b) : _mm256_packus_epi16(a, b);
    // Each half of a register was packed for itself.
    _mm256_storeu_si256(
        reinterpret_cast<__m256i*>(to),
        _mm256_permutevar8x32_epi32(fours, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
  }
  SIM_INLINE void stream(void* to) const {
    _mm256_stream_si256(static_cast<__m256i*>(to), low);
    _mm256_stream_si256(static_cast<__m256i*>(to) + 1, high);
  }
};

struct Doubles {
  __m256d four[4];

  static SIM_INLINE Doubles at(const double* from) {
    return {{_mm256_loadu_pd(from), _mm256_loadu_pd(from + 4), _mm256_loadu_pd(from + 8),
             _mm256_loadu_pd(from + 12)}};
  }
  static SIM_INLINE Doubles of(double value) {
    const __m256d all = _mm256_set1_pd(value);
    return {{all, all, all, all}};
  }
  static SIM_INLINE Doubles of(Floats values) {
    return {{_mm256_cvtps_pd(_mm256_castps256_ps128(values.low)),
             _mm256_cvtps_pd(_mm256_extractf128_ps(values.low, 1)),
             _mm256_cvtps_pd(_mm256_castps256_ps128(values.high)),
             _mm256_cvtps_pd(_mm256_extractf128_ps(values.high, 1))}};
  }
  SIM_INLINE void store(double* to) const {
    for (int k = 0; k < 4; ++k) _mm256_storeu_pd(to + 4 * k, four[k]);
  }
  SIM_INLINE Floats narrowed() const {
    return {_mm256_set_m128(_mm256_cvtpd_ps(four[1]), _mm256_cvtpd_ps(four[0])),
            _mm256_set_m128(_mm256_cvtpd_ps(four[3]), _mm256_cvtpd_ps(four[2]))};
  }
  SIM_INLINE double first() const { return _mm256_cvtsd_f64(four[0]); }
  SIM_INLINE Doubles with_first(double value) const {
    const __m256d all = _mm256_set1_pd(value);
    return {{_mm256_blend_pd(four[0], all, 1), four[1], four[2], four[3]}};
  }
  SIM_INLINE double total() const {
    const __m256d sum =
        _mm256_add_pd(_mm256_add_pd(four[0], four[2]), _mm256_add_pd(four[1], four[3]));
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(sum), _mm256_extractf128_pd(sum, 1));
    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
  }
};

SIM_INLINE Doubles operator+(const Doubles& a, const Doubles& b) {
  return {{_mm256_add_pd(a.four[0], b.four[0]), _mm256_add_pd(a.four[1], b.four[1]),
           _mm256_add_pd(a.four[2], b.four[2]), _mm256_add_pd(a.four[3], b.four[3])}};
}
SIM_INLINE Doubles operator-(const Doubles& a, const Doubles& b) {
  return {{_mm256_sub_pd(a.four[0], b.four[0]), _mm256_sub_pd(a.four[1], b.four[1]),
           _mm256_sub_pd(a.four[2], b.four[2]), _mm256_sub_pd(a.four[3], b.four[3])}};
}
SIM_INLINE Doubles operator*(const Doubles& a, const Doubles& b) {
  return {{_mm256_mul_pd(a.four[0], b.four[0]), _mm256_mul_pd(a.four[1], b.four[1]),
           _mm256_mul_pd(a.four[2], b.four[2]), _mm256_mul_pd(a.four[3], b.four[3])}};
}
SIM_INLINE Doubles fused(const Doubles& a, const Doubles& b, const Doubles& c) {
  return {{_mm256_fmadd_pd(a.four[0], b.four[0], c.four[0]),
           _mm256_fmadd_pd(a.four[1], b.four[1], c.four[1]),
           _mm256_fmadd_pd(a.four[2], b.four[2], c.four[2]),
           _mm256_fmadd_pd(a.four[3], b.four[3], c.four[3])}};
}

template <bool kPast>
SIM_INLINE void put_bits(std::uint16_t* to, __m256i bits) {
  if constexpr (kPast) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), bits);
  } else {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bits);
  }
}

SIM_INLINE __m128i eight_at(const std::uint16_t* from) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}

struct OfFloats : lanes::Float {
  static SIM_INLINE Floats at(const float* from) { return Floats::at(from); }
  static SIM_INLINE Doubles doubles_at(const float* from) {
    return {{_mm256_cvtps_pd(_mm_loadu_ps(from)), _mm256_cvtps_pd(_mm_loadu_ps(from + 4)),
             _mm256_cvtps_pd(_mm_loadu_ps(from + 8)), _mm256_cvtps_pd(_mm_loadu_ps(from + 12))}};
  }
  static SIM_INLINE void put(float* to, Floats values) { values.store(to); }
  template <bool kPast>
  static SIM_INLINE void put(float* to, Floats first, Floats second) {
    if constexpr (kPast) {
      first.store_past(to);
      second.store_past(to + 16);
    } else {
      first.store(to);
      second.store(to + 16);
    }
  }
};

struct OfHalves : lanes::Half {
  static SIM_INLINE Floats at(const std::uint16_t* from) {
    return {_mm256_cvtph_ps(eight_at(from)), _mm256_cvtph_ps(eight_at(from + 8))};
  }
  static SIM_INLINE Doubles doubles_at(const std::uint16_t* from) { return Doubles::of(at(from)); }
  static SIM_INLINE __m256i narrowed(Floats values) {
    return _mm256_set_m128i(_mm256_cvtps_ph(values.high, wide::kNearest),
                            _mm256_cvtps_ph(values.low, wide::kNearest));
  }
  static SIM_INLINE void put(std::uint16_t* to, Floats values) {
    put_bits<false>(to, narrowed(values));
  }
  template <bool kPast>
  static SIM_INLINE void put(std::uint16_t* to, Floats first, Floats second) {
    put_bits<kPast>(to, narrowed(first));
    put_bits<kPast>(to + 16, narrowed(second));
  }
};

struct OfBfloat16s : lanes::Bfloat16 {
  static SIM_INLINE __m256 eight_floats_at(const std::uint16_t* from) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(eight_at(from)), 16));
  }
  static SIM_INLINE Floats at(const std::uint16_t* from) {
    return {eight_floats_at(from), eight_floats_at(from + 8)};
  }
  static SIM_INLINE Doubles doubles_at(const std::uint16_t* from) { return Doubles::of(at(from)); }
  /// The nearest of each, in the lower half of its lane; not for NaN.
  static SIM_INLINE __m256i rounded(__m256 values) {
    const __m256i bits = _mm256_castps_si256(values);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i up = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7FFF)), odd);
    return _mm256_srli_epi32(up, 16);
  }
  static SIM_INLINE __m256i rounded_or_nan(__m256 values) {
    const __m256i nan = _mm256_or_si256(_mm256_srli_epi32(_mm256_castps_si256(values), 16),
                                        _mm256_set1_epi32(0x40));
    const __m256i is_nan = _mm256_castps_si256(_mm256_cmp_ps(values, values, _CMP_UNORD_Q));
    return _mm256_blendv_epi8(rounded(values), nan, is_nan);
  }
  static SIM_INLINE __m256i joined(__m256i low, __m256i high) {
    return _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), kQuartersInOrder);
  }
  static SIM_INLINE __m256i narrowed(Floats values) {
    // True where either is NaN, which is rare.
    if (_mm256_movemask_ps(_mm256_cmp_ps(values.low, values.high, _CMP_UNORD_Q)) != 0)
      return joined(rounded_or_nan(values.low), rounded_or_nan(values.high));
    return joined(rounded(values.low), rounded(values.high));
  }
  static SIM_INLINE void put(std::uint16_t* to, Floats values) {
    put_bits<false>(to, narrowed(values));
  }
  template <bool kPast>
  static SIM_INLINE void put(std::uint16_t* to, Floats first, Floats second) {
    put_bits<kPast>(to, narrowed(first));
    put_bits<kPast>(to + 16, narrowed(second));
  }
};

#undef SIM_INLINE

}  // namespace pyaclnn::sim::avx2

#endif

/// Of two functions of one name, what that for this processor returns; nothing where it has neither
/// instruction set.
#if SIM_HAS_AVX2_PATH
#define SIM_BY_LANES(...)                          \
  (cpu_has_avx512()          ? avx512::__VA_ARGS__ \
   : cpu_isa() == Isa::kAvx2 ? avx2::__VA_ARGS__   \
                             : decltype(avx2::__VA_ARGS__)())
#else
#define SIM_BY_LANES(...) \
  {                       \
  }
#endif
