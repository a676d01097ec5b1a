// SPDX-License-Identifier: MIT
#include "opapi/product/pairs.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "opapi/common/cpu.hpp"
#include "opapi/product/tile_sums.hpp"

#if SIM_HAS_AVX2_PATH
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace pyaclnn::sim {

#if SIM_HAS_AVX2_PATH
namespace {

#define SIM_BF16 __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16")))

constexpr std::int64_t kSize = 2;    // bytes of an element
constexpr std::int64_t kLanes = 16;  // of a vector of floats or pairs
constexpr __mmask16 kAll = 0xFFFF;

/// So many lanes, of those that there are.
inline SIM_BF16 __mmask16 first_lanes(std::int64_t count) {
  return static_cast<__mmask16>((1u << std::clamp<std::int64_t>(count, 0, kLanes)) - 1);
}

/// Elements as the upper halves of 32 bits each.
inline SIM_BF16 __m512i upper_halves(__m256i elements) {
  return _mm512_maskz_slli_epi32(kAll, _mm512_maskz_cvtepu16_epi32(kAll, elements), 16);
}

template <int rows, int vectors>
inline __attribute__((always_inline)) SIM_BF16 void sum_pairs(const TileRows& rows_of_a,
                                                              const float* b, std::int64_t b_step,
                                                              std::int64_t depth,
                                                              __m512 (&sums)[rows][vectors]) {
  for (auto& row : sums) {
    for (__m512& sum : row) sum = _mm512_setzero_ps();
  }
  const float* a = rows_of_a.data;
  const std::int64_t a_step = rows_of_a.row_step;
  for (std::int64_t k = 0; k < depth; ++k, a += rows_of_a.depth_step, b += b_step) {
    __m512bh line[vectors];
    for (int i = 0; i < vectors; ++i) line[i] = (__m512bh)_mm512_loadu_ps(b + i * 16);
    for (int row = 0; row < rows; ++row) {
      const __m512bh left = (__m512bh)_mm512_set1_ps(a[row * a_step]);
      for (int i = 0; i < vectors; ++i)
        sums[row][i] = _mm512_dpbf16_ps(sums[row][i], left, line[i]);
    }
  }
}

template <int rows, int vectors>
SIM_BF16 void multiply(const float* a, std::int64_t a_step, const float* b, std::int64_t b_step,
                       std::int64_t depth, float* tile) {
  __m512 sums[rows][vectors];
  sum_pairs({a, a_step, 1}, b, b_step, depth, sums);
  std::memcpy(tile, sums, sizeof sums);
}

template <int rows, int vectors>
SIM_BF16 void add(const TileRows& a, const float* b, std::int64_t b_step, std::int64_t depth,
                  const TileTarget& to) {
  __m512 sums[rows][vectors];
  sum_pairs(a, b, b_step, depth, sums);
  put_sums(sums, to);
}

// Places of the first 16 elements of two vectors, in turn.
alignas(64) constexpr std::uint16_t kInterleaved[32] = {0,  32, 1,  33, 2,  34, 3,  35, 4,  36, 5,
                                                        37, 6,  38, 7,  39, 8,  40, 9,  41, 10, 42,
                                                        11, 43, 12, 44, 13, 45, 14, 46, 15, 47};

/// to[i] = the elements low[i] and high[i].
SIM_BF16 void interleave(const std::byte* low, const std::byte* high, std::int64_t count,
                         float* to) {
  std::int64_t i = 0;
  const __m512i places = _mm512_load_si512(kInterleaved);
  const __m512i after = _mm512_add_epi16(places, _mm512_set1_epi16(16));
  for (; i + 32 <= count; i += 32) {
    const __m512i a = _mm512_loadu_si512(low + i * kSize);
    const __m512i b = _mm512_loadu_si512(high + i * kSize);
    _mm512_storeu_si512(to + i, _mm512_permutex2var_epi16(a, places, b));
    _mm512_storeu_si512(to + i + 16, _mm512_permutex2var_epi16(a, after, b));
  }
  for (; i + 8 <= count; i += 8) {
    const auto* first = reinterpret_cast<const __m128i*>(low + i * kSize);
    const auto* second = reinterpret_cast<const __m128i*>(high + i * kSize);
    const __m128i a = _mm_loadu_si128(first);
    const __m128i b = _mm_loadu_si128(second);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), _mm_unpacklo_epi16(a, b));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i + 4), _mm_unpackhi_epi16(a, b));
  }
  for (; i < count; ++i) {
    auto* pair = reinterpret_cast<std::byte*>(to + i);
    std::memcpy(pair, low + i * kSize, kSize);
    std::memcpy(pair + kSize, high + i * kSize, kSize);
  }
}

/// A pair of all lines, which lie densely; the last of an odd depth is beside zeros.
void interleave_lines(const PairSource& from, std::int64_t lines, std::int64_t depth, float* to,
                      std::int64_t to_step, const std::byte* zeros) {
  for (std::int64_t k = 0; k < depth; k += 2) {
    const std::byte* low = from.data + k * from.depth_step * kSize;
    interleave(low, k + 1 < depth ? low + from.depth_step * kSize : zeros, lines,
               to + k / 2 * to_step);
  }
}

/// All pairs of a line, wherever its elements lie.
void copy_line(const std::byte* from, std::int64_t step, std::int64_t depth, float* to) {
  if (depth == 0) return;
  auto* target = reinterpret_cast<std::byte*>(to);
  if (step == 1) {
    std::memcpy(target, from, std::size_t(depth * kSize));
  } else {
    for (std::int64_t k = 0; k < depth; ++k)
      std::memcpy(target + k * kSize, from + k * step * kSize, kSize);
  }
  if (depth % 2 != 0) std::memset(target + depth * kSize, 0, kSize);
}

bool has_pairs() {
  constexpr unsigned kBfloat16 = 1u << 5;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return cpu_has_avx512() && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & kBfloat16) != 0;
}

}  // namespace

const TileProducts* pair_products() {
  static const TileProducts products{8,
                                     16,
                                     {&multiply<8, 1>, &multiply<8, 2>, &multiply<8, 3>},
                                     {&multiply<4, 1>, &multiply<4, 2>, &multiply<4, 3>},
                                     {&multiply<1, 1>, &multiply<1, 2>, &multiply<1, 3>},
                                     {&add<8, 1>, &add<8, 2>, &add<8, 3>},
                                     {&add<4, 1>, &add<4, 2>, &add<4, 3>},
                                     {&add<1, 1>, &add<1, 2>, &add<1, 3>}};
  static const bool has = has_pairs();
  return has ? &products : nullptr;
}

void pack_lines(const PairSource& from, std::int64_t lines, std::int64_t depth, float* to,
                std::int64_t to_step, float* scratch) {
  if (from.line_step == 1 && from.depth_step != 1) {
    // Pairs of all lines first, then the block is turned.
    const std::vector<std::byte> zeros(std::size_t(depth % 2 * lines * kSize));
    interleave_lines(from, lines, depth, scratch, lines, zeros.data());
    transpose(scratch, lines, pairs_of(depth), lines, to, to_step);
    return;
  }
  for (std::int64_t i = 0; i < lines; ++i)
    copy_line(from.data + i * from.line_step * kSize, from.depth_step, depth, to + i * to_step);
}

void pack_pairs(const PairSource& from, std::int64_t lines, std::int64_t depth, float* to,
                std::int64_t to_step, float* scratch) {
  if (from.line_step == 1) {
    const std::vector<std::byte> zeros(std::size_t(depth % 2 * lines * kSize));
    interleave_lines(from, lines, depth, to, to_step, zeros.data());
    return;
  }
  const std::int64_t pairs = pairs_of(depth);
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(from.data) % sizeof(float) == 0;
  if (from.depth_step == 1 && depth % 2 == 0 && from.line_step % 2 == 0 && is_aligned) {
    transpose(reinterpret_cast<const float*>(from.data), from.line_step / 2, lines, pairs, to,
              to_step);
    return;
  }
  for (std::int64_t i = 0; i < lines; ++i)
    copy_line(from.data + i * from.line_step * kSize, from.depth_step, depth, scratch + i * pairs);
  transpose(scratch, pairs, lines, pairs, to, to_step);
}

SIM_BF16 void split_lines(const float* from, std::int64_t from_step, std::int64_t lines,
                          std::int64_t depth, float* high, float* low, std::int64_t to_step) {
  const std::int64_t all = round_up(pairs_of(depth), kLanes) * kSize;
  for (std::int64_t i = 0; i < lines; ++i, from += from_step, high += to_step, low += to_step) {
    for (std::int64_t k = 0; k < all; k += kLanes) {
      const __m512 values = _mm512_maskz_loadu_ps(first_lanes(depth - k), from + k);
      const auto kept = (__m256i)_mm512_cvtneps_pbh(values);
      const __m512 rest = _mm512_sub_ps(values, _mm512_castsi512_ps(upper_halves(kept)));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(high + k / 2), kept);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(low + k / 2),
                          (__m256i)_mm512_cvtneps_pbh(rest));
    }
  }
}

SIM_BF16 void round_lines(const float* from, std::int64_t from_step, std::int64_t lines,
                          std::int64_t depth, float* to, std::int64_t to_step) {
  const std::int64_t all = round_up(pairs_of(depth), kLanes) * kSize;
  for (std::int64_t i = 0; i < lines; ++i, from += from_step, to += to_step) {
    for (std::int64_t k = 0; k < all; k += kLanes) {
      const __m512 values = _mm512_maskz_loadu_ps(first_lanes(depth - k), from + k);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + k / 2),
                          (__m256i)_mm512_cvtneps_pbh(values));
    }
  }
}

SIM_BF16 void pair_lines(const float* from, std::int64_t from_step, std::int64_t lines,
                         std::int64_t count, float* to, std::int64_t to_step) {
  for (std::int64_t i = 0; i < lines; i += 2, from += 2 * from_step, to += to_step) {
    for (std::int64_t k = 0; k < count; k += kLanes) {
      const __mmask16 mask = first_lanes(count - k);
      const __mmask16 below = i + 1 < lines ? mask : __mmask16{0};
      const __m512 low = _mm512_maskz_loadu_ps(mask, from + k);
      const __m512 high = _mm512_maskz_loadu_ps(below, from + from_step + k);
      const __m512i pairs = _mm512_maskz_cvtepu16_epi32(kAll, (__m256i)_mm512_cvtneps_pbh(low));
      _mm512_storeu_si512(to + k,
                          _mm512_or_si512(pairs, upper_halves((__m256i)_mm512_cvtneps_pbh(high))));
    }
  }
}

SIM_BF16 bool are_finite(const float* pairs, std::int64_t vectors) {
  const __m512i exponent = _mm512_set1_epi16(0x7F80);
  __mmask32 found = 0;
  for (std::int64_t i = 0; i < vectors; ++i) {
    const __m512i both = _mm512_loadu_si512(pairs + i * 16);
    found |= _mm512_cmpeq_epi16_mask(_mm512_and_si512(both, exponent), exponent);
  }
  return found == 0;
}

#else

void split_lines(const float*, std::int64_t, std::int64_t, std::int64_t, float*, float*,
                 std::int64_t) {}
void round_lines(const float*, std::int64_t, std::int64_t, std::int64_t, float*, std::int64_t) {}
void pair_lines(const float*, std::int64_t, std::int64_t, std::int64_t, float*, std::int64_t) {}
bool are_finite(const float*, std::int64_t) { return false; }
const TileProducts* pair_products() { return nullptr; }
void pack_lines(const PairSource&, std::int64_t, std::int64_t, float*, std::int64_t, float*) {}
void pack_pairs(const PairSource&, std::int64_t, std::int64_t, float*, std::int64_t, float*) {}

#endif

}  // namespace pyaclnn::sim
