// SPDX-License-Identifier: MIT
#include "opapi/common/convert_wide.hpp"

#if SIM_HAS_AVX2_PATH

#include "opapi/common/wide_registers.hpp"

#define SIM_AVX2 __attribute__((target("avx2,fma,f16c")))

namespace pyaclnn::sim::wide {
namespace {

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
  for (; i + 16 <= count; i += 16) _mm512_storeu_ps(to + i, halves_at(from + i));
  return i;
}

SIM_AVX512 std::int64_t store_halves_512(const float* from, std::int64_t count, std::uint16_t* to) {
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), to_halves(_mm512_loadu_ps(from + i)));
  return i;
}

SIM_AVX512 std::int64_t load_bfloat16s_512(const std::uint16_t* from, std::int64_t count,
                                           float* to) {
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16) _mm512_storeu_ps(to + i, bfloat16s_at(from + i));
  return i;
}

SIM_AVX512 std::int64_t store_bfloat16s_512(const float* from, std::int64_t count,
                                            std::uint16_t* to) {
  std::int64_t i = 0;
  for (; i + 32 <= count; i += 32)
    _mm512_storeu_si512(to + i,
                        to_bfloat16s(_mm512_loadu_ps(from + i), _mm512_loadu_ps(from + i + 16)));
  for (; i + 16 <= count; i += 16)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i),
                        to_bfloat16s(_mm512_loadu_ps(from + i)));
  return i;
}

SIM_AVX512_INLINE __m512i truncated(__m512 values) {
  const __m512i limit = _mm512_set1_epi32(0x7FFFFFFF);
  // Below the range the instruction gives the smallest integer, as it does above and for NaN.
  const __m512i whole =
      _mm512_maskz_cvttps_epi32(_mm512_cmp_ps_mask(values, values, _CMP_ORD_Q), values);
  const __mmask16 above = _mm512_cmp_ps_mask(values, _mm512_set1_ps(0x1p31f), _CMP_GE_OQ);
  return _mm512_mask_blend_epi32(above, whole, limit);
}

SIM_AVX512 std::int64_t truncate_to_int32s_512(const float* from, std::int64_t count,
                                               std::int32_t* to) {
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16)
    _mm512_storeu_si512(to + i, truncated(_mm512_loadu_ps(from + i)));
  return i;
}

SIM_AVX512 std::int64_t truncate_to_int8s_512(const float* from, std::int64_t count,
                                              std::int8_t* to) {
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm512_maskz_cvtsepi32_epi8(0xFFFF, truncated(_mm512_loadu_ps(from + i))));
  return i;
}

SIM_AVX512 std::int64_t truncate_to_uint8s_512(const float* from, std::int64_t count,
                                               std::uint8_t* to) {
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m512i whole = truncated(_mm512_loadu_ps(from + i));
    const __m512i inside = _mm512_maskz_max_epi32(0xFFFF, whole, _mm512_setzero_si512());
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm512_maskz_cvtusepi32_epi8(0xFFFF, inside));
  }
  return i;
}

SIM_AVX512 std::int64_t round_to_int8s_512(const float* from, std::int64_t count, std::int8_t* to) {
  const __m512 least = _mm512_set1_ps(-128), most = _mm512_set1_ps(127);
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m512 values = _mm512_loadu_ps(from + i);
    const __mmask16 numbers = _mm512_cmp_ps_mask(values, values, _CMP_ORD_Q);
    const __m512 inside =
        _mm512_maskz_min_ps(numbers, _mm512_maskz_max_ps(numbers, values, least), most);
    const __m128i bytes =
        _mm512_maskz_cvtepi32_epi8(0xFFFF, _mm512_maskz_cvtps_epi32(numbers, inside));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), bytes);
  }
  return i;
}

SIM_AVX512 std::int64_t stream_int32s_512(const float* from, std::int64_t count, std::byte* to) {
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i * 4),
                        truncated(_mm512_loadu_ps(from + i)));
  return i;
}

SIM_AVX512 std::int64_t stream_bytes_512(const std::byte* from, std::int64_t bytes, std::byte* to) {
  constexpr std::int64_t kLine = 64;
  std::int64_t i = 0;
  for (; i + kLine <= bytes; i += kLine)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i), _mm512_loadu_si512(from + i));
  return i;
}

SIM_AVX512 std::int64_t stream_halves_512(const float* from, std::int64_t count, std::byte* to) {
  std::int64_t i = 0;
  for (; i + 32 <= count; i += 32)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i * 2),
                        to_halves(_mm512_loadu_ps(from + i), _mm512_loadu_ps(from + i + 16)));
  return i;
}

SIM_AVX512 std::int64_t stream_bfloat16s_512(const float* from, std::int64_t count, std::byte* to) {
  std::int64_t i = 0;
  for (; i + 32 <= count; i += 32)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i * 2),
                        to_bfloat16s(_mm512_loadu_ps(from + i), _mm512_loadu_ps(from + i + 16)));
  return i;
}

}  // namespace

const FromBits load_halves = cpu_has_avx512() ? &load_halves_512 : &load_halves_256;
const FromBits load_bfloat16s = cpu_has_avx512() ? &load_bfloat16s_512 : &load_bfloat16s_256;
const ToBits store_halves = cpu_has_avx512() ? &store_halves_512 : &store_halves_256;
const ToBits store_bfloat16s = cpu_has_avx512() ? &store_bfloat16s_512 : &store_bfloat16s_256;
const ToIntegers<std::int32_t> truncate_to_int32s =
    cpu_has_avx512() ? &truncate_to_int32s_512 : nullptr;
const ToIntegers<std::int8_t> truncate_to_int8s =
    cpu_has_avx512() ? &truncate_to_int8s_512 : nullptr;
const ToIntegers<std::uint8_t> truncate_to_uint8s =
    cpu_has_avx512() ? &truncate_to_uint8s_512 : nullptr;
const ToIntegers<std::int8_t> round_to_int8s = cpu_has_avx512() ? &round_to_int8s_512 : nullptr;
const Stream stream_halves = cpu_has_avx512() ? &stream_halves_512 : nullptr;
const Stream stream_bfloat16s = cpu_has_avx512() ? &stream_bfloat16s_512 : nullptr;
const Stream stream_int32s = cpu_has_avx512() ? &stream_int32s_512 : nullptr;
const StreamBytes stream_bytes = cpu_has_avx512() ? &stream_bytes_512 : nullptr;

}  // namespace pyaclnn::sim::wide

#endif
