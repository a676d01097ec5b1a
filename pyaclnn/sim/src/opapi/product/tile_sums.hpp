// Sums that vectors of AVX-512 hold, added to a matrix without a copy on the way.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/cpu.hpp"
#include "opapi/product/matrix.hpp"

#if SIM_HAS_AVX2_PATH
#include <immintrin.h>

namespace pyaclnn::sim {

template <int rows, int vectors>
inline __attribute__((always_inline, target("avx512f"))) void put_sums(
    const __m512 (&sums)[rows][vectors], const TileTarget& to) {
  constexpr int kLanes = 16;
  constexpr __mmask16 kAll = 0xFFFF;
  const std::int64_t left = to.columns - (vectors - 1) * kLanes;
  const auto last = static_cast<__mmask16>((1u << left) - 1);
  float* line = to.sums;
#pragma GCC unroll 8
  for (int row = 0; row < rows; ++row, line += to.step) {
    if (row >= to.rows) return;
#pragma GCC unroll 3
    for (int i = 0; i < vectors; ++i) {
      const __mmask16 mask = i + 1 < vectors ? kAll : last;
      __m512 sum = sums[row][i];
      if (to.adds) sum = _mm512_add_ps(_mm512_maskz_loadu_ps(mask, line + i * kLanes), sum);
      _mm512_mask_storeu_ps(line + i * kLanes, mask, sum);
    }
  }
}

}  // namespace pyaclnn::sim
#endif
