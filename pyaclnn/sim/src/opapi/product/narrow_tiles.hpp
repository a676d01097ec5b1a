// The product of a tile in registers of four floats, which every processor has.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

#include "opapi/common/cpu.hpp"
#include "opapi/product/matrix.hpp"

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace pyaclnn::sim {

using NarrowVector = float __attribute__((vector_size(16)));
constexpr int kNarrowLanes = 4;

#if defined(__aarch64__)
constexpr int kNarrowRows = 8;  // with three vectors 24 sums, of 32 registers
#else
constexpr int kNarrowRows = 4;
#endif

/// tile = a b, where line k of b begins at `line_at(k)`.
template <int rows, int vectors, class LineAt>
SIM_ALWAYS_INLINE void multiply_narrow(const float* a, std::int64_t a_step, LineAt line_at,
                                       std::int64_t depth, float* tile) {
  NarrowVector sums[rows][vectors] = {};
  for (std::int64_t k = 0; k < depth; ++k, ++a) {
    NarrowVector line[vectors];
    std::memcpy(line, line_at(k), sizeof line);
    for (int row = 0; row < rows; ++row) {
      for (int i = 0; i < vectors; ++i) {
#if defined(__aarch64__)
        sums[row][i] = vfmaq_n_f32(sums[row][i], line[i], a[row * a_step]);
#else
        sums[row][i] += a[row * a_step] * line[i];
#endif
      }
    }
  }
  std::memcpy(tile, sums, sizeof sums);
}

}  // namespace pyaclnn::sim
