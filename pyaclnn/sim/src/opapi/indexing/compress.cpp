// SPDX-License-Identifier: MIT
#include "opapi/indexing/compress.hpp"

#include <cstring>

#include "opapi/common/cpu.hpp"

#if SIM_HAS_AVX2_PATH
#include "opapi/common/wide_registers.hpp"
#endif

namespace pyaclnn::sim {
namespace {

/// From element `begin` on, of which the first goes to place `place`. Every element is written,
/// chosen or not, for nobody could foresee which one is.
template <class T>
void compress_from(const std::byte* mask, const std::byte* from, std::int64_t begin,
                   std::int64_t count, std::byte* to, std::int64_t place, std::int64_t found) {
  for (std::int64_t i = begin; i < count && place < found; ++i) {
    std::memcpy(to + place * std::int64_t(sizeof(T)), from + i * std::int64_t(sizeof(T)),
                sizeof(T));
    place += mask[i] != std::byte{0} ? 1 : 0;
  }
}

template <class T>
void compress(const std::byte* mask, const std::byte* from, std::int64_t count, std::byte* to,
              std::int64_t found) {
  compress_from<T>(mask, from, 0, count, to, 0, found);
}

#if SIM_HAS_AVX2_PATH

constexpr std::int64_t kLanes = 16;

SIM_AVX512_INLINE __mmask16 chosen_of(const std::byte* mask) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(mask));
  return _mm_test_epi8_mask(bytes, bytes);
}

/// 16 elements as numbers of 32 bits, those chosen first.
template <class T>
SIM_AVX512_INLINE __m512i compressed(__mmask16 chosen, const std::byte* from) {
  __m512i wide;
  if constexpr (sizeof(T) == 1) {
    wide = _mm512_maskz_cvtepu8_epi32(wide::kAll,
                                      _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  } else if constexpr (sizeof(T) == 2) {
    wide = _mm512_maskz_cvtepu16_epi32(wide::kAll,
                                       _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
  } else {
    wide = _mm512_loadu_si512(from);
  }
  return _mm512_maskz_compress_epi32(chosen, wide);
}

template <class T>
SIM_AVX512_INLINE void put(__m512i values, std::byte* to) {
  if constexpr (sizeof(T) == 1) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                     _mm512_maskz_cvtepi32_epi8(wide::kAll, values));
  } else if constexpr (sizeof(T) == 2) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                        _mm512_maskz_cvtepi32_epi16(wide::kAll, values));
  } else {
    _mm512_storeu_si512(to, values);
  }
}

/// Whole registers are written, as far as there is room for what is yet to come.
template <class T>
SIM_AVX512 void compress_512(const std::byte* mask, const std::byte* from, std::int64_t count,
                             std::byte* to, std::int64_t found) {
  constexpr auto kSize = std::int64_t(sizeof(T));
  std::int64_t i = 0;
  std::int64_t place = 0;
  for (; i + kLanes <= count && place + kLanes <= found; i += kLanes) {
    const __mmask16 chosen = chosen_of(mask + i);
    if constexpr (sizeof(T) == 8) {
      for (int half = 0; half < 2; ++half) {
        const auto own = static_cast<__mmask8>(chosen >> (half * 8));
        const __m512i values = _mm512_loadu_si512(from + (i + half * 8) * kSize);
        _mm512_storeu_si512(to + place * kSize, _mm512_maskz_compress_epi64(own, values));
        place += __builtin_popcount(own);
      }
    } else {
      put<T>(compressed<T>(chosen, from + i * kSize), to + place * kSize);
      place += __builtin_popcount(chosen);
    }
  }
  compress_from<T>(mask, from, i, count, to, place, found);
}

SIM_AVX512 std::int64_t count_512(const std::byte* mask, std::int64_t count, std::int64_t* done) {
  constexpr std::int64_t kBytes = 64;
  std::int64_t found = 0;
  std::int64_t i = 0;
  for (; i + kBytes <= count; i += kBytes) {
    const __m512i bytes = _mm512_loadu_si512(mask + i);
    found += __builtin_popcountll(_mm512_test_epi8_mask(bytes, bytes));
  }
  *done = i;
  return found;
}

#endif

template <class T>
Compress compress_of() {
#if SIM_HAS_AVX2_PATH
  if (cpu_has_avx512()) return &compress_512<T>;
#endif
  return &compress<T>;
}

}  // namespace

std::int64_t count_true(const std::byte* mask, std::int64_t count) {
  std::int64_t found = 0;
  std::int64_t i = 0;
#if SIM_HAS_AVX2_PATH
  if (cpu_has_avx512()) found = count_512(mask, count, &i);
#endif
  for (; i < count; ++i) found += mask[i] != std::byte{0} ? 1 : 0;
  return found;
}

Compress compress_for_cpu(std::int64_t size) {
  switch (size) {
    case 1:
      return compress_of<std::uint8_t>();
    case 2:
      return compress_of<std::uint16_t>();
    case 4:
      return compress_of<std::uint32_t>();
    case 8:
      return compress_of<std::uint64_t>();
    default:
      return nullptr;
  }
}

}  // namespace pyaclnn::sim
