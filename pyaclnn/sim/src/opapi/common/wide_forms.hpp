// Element types that AVX-512 loads as 16 floats and stores two registers at a time of, for loops
// that are templates of the type. Include only where SIM_HAS_AVX2_PATH, and call only where
// cpu_has_avx512().
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "objects/half.hpp"
#include "opapi/common/wide_registers.hpp"

namespace pyaclnn::sim::wide {

struct Floats {
  using Bits = float;
  static SIM_AVX512_INLINE __m512 at(const float* from) { return _mm512_loadu_ps(from); }
  static SIM_ALWAYS_INLINE float value(float bits) { return bits; }
  static SIM_ALWAYS_INLINE float bits(float value) { return value; }
  /// Stores 32 values, past the caches to where a cache line begins.
  template <bool kPast>
  static SIM_AVX512_INLINE void put(float* to, __m512 first, __m512 second) {
    if constexpr (kPast) {
      _mm512_stream_ps(to, first);
      _mm512_stream_ps(to + 16, second);
    } else {
      _mm512_storeu_ps(to, first);
      _mm512_storeu_ps(to + 16, second);
    }
  }
};

template <bool kPast>
SIM_AVX512_INLINE void put_bits(std::uint16_t* to, __m512i bits) {
  if constexpr (kPast) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), bits);
  } else {
    _mm512_storeu_si512(to, bits);
  }
}

struct Halves {
  using Bits = std::uint16_t;
  static SIM_AVX512_INLINE __m512 at(const std::uint16_t* from) { return halves_at(from); }
  static SIM_ALWAYS_INLINE float value(std::uint16_t bits) { return half_to_float(bits); }
  static SIM_ALWAYS_INLINE std::uint16_t bits(float value) { return float_to_half(value); }
  template <bool kPast>
  static SIM_AVX512_INLINE void put(std::uint16_t* to, __m512 first, __m512 second) {
    put_bits<kPast>(to, to_halves(first, second));
  }
};

struct Bfloat16s {
  using Bits = std::uint16_t;
  static SIM_AVX512_INLINE __m512 at(const std::uint16_t* from) { return bfloat16s_at(from); }
  static SIM_ALWAYS_INLINE float value(std::uint16_t bits) { return bfloat16_to_float(bits); }
  static SIM_ALWAYS_INLINE std::uint16_t bits(float value) { return float_to_bfloat16(value); }
  template <bool kPast>
  static SIM_AVX512_INLINE void put(std::uint16_t* to, __m512 first, __m512 second) {
    put_bits<kPast>(to, to_bfloat16s(first, second));
  }
};

}  // namespace pyaclnn::sim::wide
