// SPDX-License-Identifier: MIT
#include "opapi/common/convert_wide.hpp"

#if SIM_HAS_AVX2_PATH

#include <immintrin.h>

#define SIM_AVX2 __attribute__((target("avx2,fma,f16c")))
#define SIM_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))

namespace pyaclnn::sim::wide {
namespace {

// The intrinsics without a mask read a value nobody set in GCC's headers, and warn of it.
constexpr __mmask16 kAll = 0xFFFF;
constexpr int kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;

SIM_AVX2 std::int64_t load_halves_256(const std::uint16_t* from, std::int64_t count, float* to) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(bits));
  }
  return i;
}

SIM_AVX2 std::int64_t store_halves_256(const float* from, std::int64_t count, std::uint16_t* to) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i bits = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), kNearest);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), bits);
  }
  return i;
}

SIM_AVX2 std::int64_t load_bfloat16s_256(const std::uint16_t* from, std::int64_t count, float* to) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    const __m256i words = _mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16);
    _mm256_storeu_ps(to + i, _mm256_castsi256_ps(words));
  }
  return i;
}

SIM_AVX2 inline __m256i rounded_256(const float* from) {
  const __m256 values = _mm256_loadu_ps(from);
  const __m256i bits = _mm256_castps_si256(values);
  const __m256i high = _mm256_srli_epi32(bits, 16);
  const __m256i odd = _mm256_and_si256(high, _mm256_set1_epi32(1));
  const __m256i up = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7FFF)), odd);
  const __m256i nan = _mm256_or_si256(high, _mm256_set1_epi32(0x40));
  const __m256i is_nan = _mm256_castps_si256(_mm256_cmp_ps(values, values, _CMP_UNORD_Q));
  return _mm256_blendv_epi8(_mm256_srli_epi32(up, 16), nan, is_nan);
}

SIM_AVX2 std::int64_t store_bfloat16s_256(const float* from, std::int64_t count,
                                          std::uint16_t* to) {
  constexpr int kInOrder = 0xD8;  // the halves of two packed registers lie crosswise
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m256i packed = _mm256_packus_epi32(rounded_256(from + i), rounded_256(from + i + 8));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i),
                        _mm256_permute4x64_epi64(packed, kInOrder));
  }
  return i;
}

SIM_AVX512 std::int64_t load_halves_512(const std::uint16_t* from, std::int64_t count, float* to) {
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
    _mm512_storeu_ps(to + i, _mm512_maskz_cvtph_ps(kAll, bits));
  }
  return i;
}

SIM_AVX512 std::int64_t store_halves_512(const float* from, std::int64_t count, std::uint16_t* to) {
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m256i bits = _mm512_maskz_cvtps_ph(kAll, _mm512_loadu_ps(from + i), kNearest);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), bits);
  }
  return i;
}

SIM_AVX512 std::int64_t load_bfloat16s_512(const std::uint16_t* from, std::int64_t count,
                                           float* to) {
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
    const __m512i words =
        _mm512_maskz_slli_epi32(kAll, _mm512_maskz_cvtepu16_epi32(kAll, bits), 16);
    _mm512_storeu_ps(to + i, _mm512_castsi512_ps(words));
  }
  return i;
}

/// The nearest bfloat16 of each value, in the upper halves of its bits; not for NaN.
SIM_AVX512 inline __m512i rounded_512(__m512i bits) {
  const __m512i odd =
      _mm512_and_si512(_mm512_maskz_srli_epi32(kAll, bits, 16), _mm512_set1_epi32(1));
  return _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7FFF)), odd);
}

SIM_AVX512 void store_16_bfloat16s(const float* from, std::uint16_t* to) {
  const __m512 values = _mm512_loadu_ps(from);
  const __m512i bits = _mm512_castps_si512(values);
  const __m512i nan =
      _mm512_or_si512(_mm512_maskz_srli_epi32(kAll, bits, 16), _mm512_set1_epi32(0x40));
  const __mmask16 is_nan = _mm512_cmp_ps_mask(values, values, _CMP_UNORD_Q);
  const __m512i up = _mm512_maskz_srli_epi32(kAll, rounded_512(bits), 16);
  const __m512i words = _mm512_mask_blend_epi32(is_nan, up, nan);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_maskz_cvtepi32_epi16(kAll, words));
}

alignas(64) constexpr std::uint16_t kUpperHalves[32] = {1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21,
                                                        23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43,
                                                        45, 47, 49, 51, 53, 55, 57, 59, 61, 63};

SIM_AVX512 std::int64_t store_bfloat16s_512(const float* from, std::int64_t count,
                                            std::uint16_t* to) {
  // Every other half of 32 values, in one step: selu's gradient takes 5.1 ms for 16 Mi values in
  // place of 5.6.
  const __m512i upper = _mm512_load_si512(kUpperHalves);
  std::int64_t i = 0;
  for (; i + 32 <= count; i += 32) {
    const __m512 first = _mm512_loadu_ps(from + i);
    const __m512 second = _mm512_loadu_ps(from + i + 16);
    // True where either is NaN, which is rare.
    if (_mm512_cmp_ps_mask(first, second, _CMP_UNORD_Q) != 0) {
      store_16_bfloat16s(from + i, to + i);
      store_16_bfloat16s(from + i + 16, to + i + 16);
      continue;
    }
    const __m512i words = _mm512_permutex2var_epi16(rounded_512(_mm512_castps_si512(first)), upper,
                                                    rounded_512(_mm512_castps_si512(second)));
    _mm512_storeu_si512(to + i, words);
  }
  for (; i + 16 <= count; i += 16) store_16_bfloat16s(from + i, to + i);
  return i;
}

}  // namespace

const FromBits load_halves = cpu_has_avx512() ? &load_halves_512 : &load_halves_256;
const FromBits load_bfloat16s = cpu_has_avx512() ? &load_bfloat16s_512 : &load_bfloat16s_256;
const ToBits store_halves = cpu_has_avx512() ? &store_halves_512 : &store_halves_256;
const ToBits store_bfloat16s = cpu_has_avx512() ? &store_bfloat16s_512 : &store_bfloat16s_256;

}  // namespace pyaclnn::sim::wide

#endif
