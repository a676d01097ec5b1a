// SPDX-License-Identifier: MIT
#include "opapi/product/dots.hpp"

#include "opapi/common/cpu.hpp"
#include "opapi/common/fused.hpp"

#if SIM_HAS_AVX2_PATH
#include "opapi/common/wide_forms.hpp"
#endif

namespace pyaclnn::sim {
namespace {

SIM_ALWAYS_INLINE float folded(float* lanes) {
  for (std::int64_t half = kDotLanes / 2; half > 0; half /= 2) {
    for (std::int64_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
  }
  return lanes[0];
}

struct FloatDots {
  template <Isa kIsa>
  static SIM_ALWAYS_INLINE void run(const float* row, const void* columns, std::int64_t step,
                                    std::int64_t count, std::int64_t depth, float* to) {
    const auto* column = static_cast<const float*>(columns);
    for (std::int64_t c = 0; c < count; ++c, column += step) {
      float lanes[kDotLanes] = {};
      std::int64_t k = 0;
      for (; k + kDotLanes <= depth; k += kDotLanes) {
        for (std::int64_t i = 0; i < kDotLanes; ++i)
          lanes[i] = fused<kIsa>(row[k + i], column[k + i], lanes[i]);
      }
      for (std::int64_t i = 0; k + i < depth; ++i)
        lanes[i] = fused<kIsa>(row[k + i], column[k + i], lanes[i]);
      to[c] += folded(lanes);
    }
  }
};

#if SIM_HAS_AVX2_PATH

/// The same in registers.
SIM_AVX512_INLINE float folded(__m512 lanes) {
  const __m256 eight = _mm256_add_ps(_mm512_maskz_extractf32x8_ps(0xFF, lanes, 0),
                                     _mm512_maskz_extractf32x8_ps(0xFF, lanes, 1));
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

template <class Form, int kColumns>
SIM_AVX512_INLINE void add_dots(const float* row, const typename Form::Bits* columns,
                                std::int64_t step, std::int64_t depth, float* to) {
  __m512 sums[kColumns];
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  std::int64_t k = 0;
  for (; k + kDotLanes <= depth; k += kDotLanes) {
    const __m512 factor = _mm512_loadu_ps(row + k);
    for (int c = 0; c < kColumns; ++c) {
      const auto* place = columns + c * step + k;
      // The columns after these: the processor does not see where they begin.
      __builtin_prefetch(place + kColumns * step);
      sums[c] = _mm512_fmadd_ps(factor, Form::at(place), sums[c]);
    }
  }
  for (int c = 0; c < kColumns; ++c) {
    if (k < depth) {
      alignas(64) float lanes[kDotLanes];
      _mm512_store_ps(lanes, sums[c]);
      for (std::int64_t i = 0; k + i < depth; ++i)
        lanes[i] = __builtin_fmaf(row[k + i], Form::value(columns[c * step + k + i]), lanes[i]);
      sums[c] = _mm512_load_ps(lanes);
    }
    to[c] += folded(sums[c]);
  }
}

template <class Form>
SIM_AVX512 void wide_dots(const float* row, const void* columns, std::int64_t step,
                          std::int64_t count, std::int64_t depth, float* to) {
  const auto* from = static_cast<const typename Form::Bits*>(columns);
  std::int64_t c = 0;
  for (; c + kDotColumns <= count; c += kDotColumns)
    add_dots<Form, kDotColumns>(row, from + c * step, step, depth, to + c);
  for (; c < count; ++c) add_dots<Form, 1>(row, from + c * step, step, depth, to + c);
}

#endif

}  // namespace

Dots dots_of(aclDataType dtype) {
#if SIM_HAS_AVX2_PATH
  if (cpu_has_avx512()) {
    if (dtype == ACL_FLOAT) return &wide_dots<wide::Floats>;
    if (dtype == ACL_FLOAT16) return &wide_dots<wide::Halves>;
    if (dtype == ACL_BF16) return &wide_dots<wide::Bfloat16s>;
  }
#endif
  return dtype == ACL_FLOAT ? loop_for_cpu<FloatDots, const float*, const void*, std::int64_t,
                                           std::int64_t, std::int64_t, float*>()
                            : nullptr;
}

}  // namespace pyaclnn::sim
