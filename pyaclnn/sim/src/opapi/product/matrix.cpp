// SPDX-License-Identifier: MIT
#include "opapi/product/matrix.hpp"

#include <algorithm>
#include <cstring>

#include "opapi/common/cpu.hpp"
#include "opapi/product/narrow_tiles.hpp"
#include "opapi/product/tile_sums.hpp"

#if SIM_HAS_AVX2_PATH
#include <immintrin.h>
#endif

namespace pyaclnn::sim {

namespace {

#if SIM_HAS_AVX2_PATH

#define SIM_AVX2 __attribute__((target("avx2,fma")))
#define SIM_AVX512 __attribute__((target("avx512f")))

template <int rows, int vectors>
inline __attribute__((always_inline)) SIM_AVX512 void sum_512(const TileRows& rows_of_a,
                                                              const float* b, std::int64_t b_step,
                                                              std::int64_t depth,
                                                              __m512 (&sums)[rows][vectors]) {
  for (auto& row : sums) {
    for (__m512& sum : row) sum = _mm512_setzero_ps();
  }
  const float* a = rows_of_a.data;
  const std::int64_t a_step = rows_of_a.row_step;
  for (std::int64_t k = 0; k < depth; ++k, a += rows_of_a.depth_step, b += b_step) {
    __m512 line[vectors];
    for (int i = 0; i < vectors; ++i) line[i] = _mm512_loadu_ps(b + i * 16);
    for (int row = 0; row < rows; ++row) {
      const __m512 left = _mm512_set1_ps(a[row * a_step]);
      for (int i = 0; i < vectors; ++i) sums[row][i] = _mm512_fmadd_ps(left, line[i], sums[row][i]);
    }
  }
}

template <int rows, int vectors>
SIM_AVX512 void multiply_512(const float* a, std::int64_t a_step, const float* b,
                             std::int64_t b_step, std::int64_t depth, float* tile) {
  __m512 sums[rows][vectors];
  sum_512({a, a_step, 1}, b, b_step, depth, sums);
  std::memcpy(tile, sums, sizeof sums);
}

template <int rows, int vectors>
SIM_AVX512 void add_512(const TileRows& a, const float* b, std::int64_t b_step, std::int64_t depth,
                        const TileTarget& to) {
  __m512 sums[rows][vectors];
  sum_512(a, b, b_step, depth, sums);
  put_sums(sums, to);
}

template <int rows, int vectors>
SIM_AVX2 void multiply_256(const float* a, std::int64_t a_step, const float* b, std::int64_t b_step,
                           std::int64_t depth, float* tile) {
  __m256 sums[rows][vectors];
  for (auto& row : sums) {
    for (__m256& sum : row) sum = _mm256_setzero_ps();
  }
  for (std::int64_t k = 0; k < depth; ++k, ++a, b += b_step) {
    __m256 line[vectors];
    for (int i = 0; i < vectors; ++i) line[i] = _mm256_loadu_ps(b + i * 8);
    for (int row = 0; row < rows; ++row) {
      const __m256 left = _mm256_set1_ps(a[row * a_step]);
      for (int i = 0; i < vectors; ++i) sums[row][i] = _mm256_fmadd_ps(left, line[i], sums[row][i]);
    }
  }
  std::memcpy(tile, sums, sizeof sums);
}

/// A block of 8 by 8.
SIM_AVX2 void transpose_block(const float* from, std::int64_t from_step, float* to,
                              std::int64_t to_step) {
  __m256 rows[8];
  __m256 pairs[8];
  for (int i = 0; i < 8; ++i) rows[i] = _mm256_loadu_ps(from + i * from_step);
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = _mm256_unpacklo_ps(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_ps(rows[i], rows[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) {
    rows[i] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0x44);
    rows[i + 1] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0xEE);
    rows[i + 2] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0x44);
    rows[i + 3] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0xEE);
  }
  for (int i = 0; i < 4; ++i) {
    _mm256_storeu_ps(to + i * to_step, _mm256_permute2f128_ps(rows[i], rows[i + 4], 0x20));
    _mm256_storeu_ps(to + (i + 4) * to_step, _mm256_permute2f128_ps(rows[i], rows[i + 4], 0x31));
  }
}

#elif defined(__aarch64__)

/// A block of 8 by 8, in quarters.
void transpose_block(const float* from, std::int64_t from_step, float* to, std::int64_t to_step) {
  for (std::int64_t line = 0; line < 8; line += 4) {
    for (std::int64_t k = 0; k < 8; k += 4) {
      const float* corner = from + line * from_step + k;
      const float32x4_t a = vld1q_f32(corner);
      const float32x4_t b = vld1q_f32(corner + from_step);
      const float32x4_t c = vld1q_f32(corner + 2 * from_step);
      const float32x4_t d = vld1q_f32(corner + 3 * from_step);
      // Lines 0 and 2, 1 and 3 alternate, then all four.
      const float32x4_t ac_low = vzip1q_f32(a, c);
      const float32x4_t ac_high = vzip2q_f32(a, c);
      const float32x4_t bd_low = vzip1q_f32(b, d);
      const float32x4_t bd_high = vzip2q_f32(b, d);
      float* turned = to + k * to_step + line;
      vst1q_f32(turned, vzip1q_f32(ac_low, bd_low));
      vst1q_f32(turned + to_step, vzip2q_f32(ac_low, bd_low));
      vst1q_f32(turned + 2 * to_step, vzip1q_f32(ac_high, bd_high));
      vst1q_f32(turned + 3 * to_step, vzip2q_f32(ac_high, bd_high));
    }
  }
}

#endif

template <int rows, int vectors>
void multiply_128(const float* a, std::int64_t a_step, const float* b, std::int64_t b_step,
                  std::int64_t depth, float* tile) {
  multiply_narrow<rows, vectors>(
      a, a_step, [=](std::int64_t k) { return b + k * b_step; }, depth, tile);
}

TileProducts products_of_this_cpu() {
#if SIM_HAS_AVX2_PATH
  if (cpu_has_avx512()) {
    return {8,
            16,
            {&multiply_512<8, 1>, &multiply_512<8, 2>, &multiply_512<8, 3>},
            {&multiply_512<4, 1>, &multiply_512<4, 2>, &multiply_512<4, 3>},
            {&multiply_512<1, 1>, &multiply_512<1, 2>, &multiply_512<1, 3>},
            {&add_512<8, 1>, &add_512<8, 2>, &add_512<8, 3>},
            {&add_512<4, 1>, &add_512<4, 2>, &add_512<4, 3>},
            {&add_512<1, 1>, &add_512<1, 2>, &add_512<1, 3>}};
  }
  if (cpu_isa() == Isa::kAvx2) {
    return {4,
            8,
            {&multiply_256<4, 1>, &multiply_256<4, 2>, &multiply_256<4, 3>},
            {&multiply_256<2, 1>, &multiply_256<2, 2>, &multiply_256<2, 3>},
            {&multiply_256<1, 1>, &multiply_256<1, 2>, &multiply_256<1, 3>}};
  }
#endif
  constexpr int kHalf = kNarrowRows / 2;
  return {
      kNarrowRows,
      kNarrowLanes,
      {&multiply_128<kNarrowRows, 1>, &multiply_128<kNarrowRows, 2>, &multiply_128<kNarrowRows, 3>},
      {&multiply_128<kHalf, 1>, &multiply_128<kHalf, 2>, &multiply_128<kHalf, 3>},
      {&multiply_128<1, 1>, &multiply_128<1, 2>, &multiply_128<1, 3>}};
}

}  // namespace

const TileProducts& TileProducts::of_this_cpu() {
  static const TileProducts products = products_of_this_cpu();
  return products;
}

void transpose(const float* from, std::int64_t from_step, std::int64_t lines, std::int64_t depth,
               float* to, std::int64_t to_step) {
  std::int64_t line = 0;
#if SIM_HAS_AVX2_PATH || defined(__aarch64__)
  // Element by element, a 1x1 convolution would spend half its time here. Two blocks fill a cache
  // line of the result before it is left.
  const bool has_blocks = !SIM_HAS_AVX2_PATH || cpu_isa() == Isa::kAvx2;
  const std::int64_t in_blocks = has_blocks ? lines / 8 * 8 : 0;
  for (; line < in_blocks; line += 16) {
    const std::int64_t end = std::min(line + 16, in_blocks);
    std::int64_t k = 0;
    for (; k + 8 <= depth; k += 8) {
      for (std::int64_t i = line; i < end; i += 8)
        transpose_block(from + i * from_step + k, from_step, to + k * to_step + i, to_step);
    }
    for (; k < depth; ++k) {
      for (std::int64_t i = line; i < end; ++i) to[k * to_step + i] = from[i * from_step + k];
    }
  }
  line = in_blocks;
#endif
  for (; line < lines; ++line) {
    for (std::int64_t k = 0; k < depth; ++k) to[k * to_step + line] = from[line * from_step + k];
  }
}

}  // namespace pyaclnn::sim
