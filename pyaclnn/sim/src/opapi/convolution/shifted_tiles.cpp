// SPDX-License-Identifier: MIT
#include "opapi/convolution/shifted_tiles.hpp"

#include <cstring>

#include "opapi/common/cpu.hpp"
#include "opapi/product/narrow_tiles.hpp"
#include "opapi/product/pairs.hpp"

#if SIM_HAS_AVX2_PATH
#include <immintrin.h>
#endif

namespace pyaclnn::sim {

#if SIM_HAS_AVX2_PATH
namespace {

#define SIM_AVX2 __attribute__((target("avx2,fma")))
#define SIM_AVX512 __attribute__((target("avx512f")))
#define SIM_BF16 __attribute__((target("avx512f,avx512bf16")))

template <int rows, int vectors>
SIM_AVX512 void multiply_512(const float* a, const float* b, const std::int64_t* offsets,
                             std::int64_t depth, float* tile) {
  __m512 sums[rows][vectors];
  for (auto& row : sums) {
    for (__m512& sum : row) sum = _mm512_setzero_ps();
  }
  for (std::int64_t k = 0; k < depth; ++k, ++a) {
    const float* from = b + offsets[k];
    __m512 line[vectors];
    for (int i = 0; i < vectors; ++i) line[i] = _mm512_loadu_ps(from + i * 16);
    for (int row = 0; row < rows; ++row) {
      const __m512 left = _mm512_set1_ps(a[row * kDepth]);
      for (int i = 0; i < vectors; ++i) sums[row][i] = _mm512_fmadd_ps(left, line[i], sums[row][i]);
    }
  }
  std::memcpy(tile, sums, sizeof sums);
}

template <int rows, int vectors>
SIM_BF16 void multiply_pairs(const float* a, const float* b, const std::int64_t* offsets,
                             std::int64_t depth, float* tile) {
  __m512 sums[rows][vectors];
  for (auto& row : sums) {
    for (__m512& sum : row) sum = _mm512_setzero_ps();
  }
  for (std::int64_t k = 0; k < depth; ++k, ++a) {
    const float* from = b + offsets[k];
    __m512bh line[vectors];
    for (int i = 0; i < vectors; ++i) line[i] = (__m512bh)_mm512_loadu_ps(from + i * 16);
    for (int row = 0; row < rows; ++row) {
      const __m512bh left = (__m512bh)_mm512_set1_ps(a[row * kDepth]);
      for (int i = 0; i < vectors; ++i)
        sums[row][i] = _mm512_dpbf16_ps(sums[row][i], left, line[i]);
    }
  }
  std::memcpy(tile, sums, sizeof sums);
}

template <int rows, int vectors>
SIM_AVX2 void multiply_256(const float* a, const float* b, const std::int64_t* offsets,
                           std::int64_t depth, float* tile) {
  __m256 sums[rows][vectors];
  for (auto& row : sums) {
    for (__m256& sum : row) sum = _mm256_setzero_ps();
  }
  for (std::int64_t k = 0; k < depth; ++k, ++a) {
    const float* from = b + offsets[k];
    __m256 line[vectors];
    for (int i = 0; i < vectors; ++i) line[i] = _mm256_loadu_ps(from + i * 8);
    for (int row = 0; row < rows; ++row) {
      const __m256 left = _mm256_set1_ps(a[row * kDepth]);
      for (int i = 0; i < vectors; ++i) sums[row][i] = _mm256_fmadd_ps(left, line[i], sums[row][i]);
    }
  }
  std::memcpy(tile, sums, sizeof sums);
}

}  // namespace

const ShiftedProducts* shifted_products() {
  static const ShiftedProducts kWidest{
      {&multiply_512<8, 1>, &multiply_512<8, 2>, &multiply_512<8, 3>},
      {&multiply_512<4, 1>, &multiply_512<4, 2>, &multiply_512<4, 3>},
      {&multiply_512<1, 1>, &multiply_512<1, 2>, &multiply_512<1, 3>}};
  static const ShiftedProducts kWide{
      {&multiply_256<4, 1>, &multiply_256<4, 2>, &multiply_256<4, 3>},
      {&multiply_256<2, 1>, &multiply_256<2, 2>, &multiply_256<2, 3>},
      {&multiply_256<1, 1>, &multiply_256<1, 2>, &multiply_256<1, 3>}};
  if (cpu_has_avx512()) return &kWidest;
  return cpu_isa() == Isa::kAvx2 ? &kWide : nullptr;
}

const ShiftedProducts* shifted_pair_products() {
  static const ShiftedProducts kPairs{
      {&multiply_pairs<8, 1>, &multiply_pairs<8, 2>, &multiply_pairs<8, 3>},
      {&multiply_pairs<4, 1>, &multiply_pairs<4, 2>, &multiply_pairs<4, 3>},
      {&multiply_pairs<1, 1>, &multiply_pairs<1, 2>, &multiply_pairs<1, 3>}};
  return pair_products() != nullptr ? &kPairs : nullptr;
}

#elif defined(__aarch64__)
namespace {

template <int rows, int vectors>
void multiply_128(const float* a, const float* b, const std::int64_t* offsets, std::int64_t depth,
                  float* tile) {
  multiply_narrow<rows, vectors>(
      a, kDepth, [=](std::int64_t k) { return b + offsets[k]; }, depth, tile);
}

}  // namespace

const ShiftedProducts* shifted_products() {
  constexpr int kHalf = kNarrowRows / 2;
  static const ShiftedProducts kNarrow{
      {&multiply_128<kNarrowRows, 1>, &multiply_128<kNarrowRows, 2>, &multiply_128<kNarrowRows, 3>},
      {&multiply_128<kHalf, 1>, &multiply_128<kHalf, 2>, &multiply_128<kHalf, 3>},
      {&multiply_128<1, 1>, &multiply_128<1, 2>, &multiply_128<1, 3>}};
  return &kNarrow;
}

const ShiftedProducts* shifted_pair_products() { return nullptr; }

#else

const ShiftedProducts* shifted_products() { return nullptr; }
const ShiftedProducts* shifted_pair_products() { return nullptr; }

#endif

}  // namespace pyaclnn::sim
