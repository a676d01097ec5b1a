// SPDX-License-Identifier: MIT
#include "opapi/common/row_taps.hpp"

#include <algorithm>
#include <cstddef>

#include "opapi/common/cpu.hpp"

#if SIM_HAS_AVX2_PATH
#include "opapi/common/wide_registers.hpp"
#endif

namespace pyaclnn::sim {

bool RowTaps::add(const std::int32_t* sources, const double* weights, std::int64_t taps) {
  const std::int64_t terms = taps * kPlaces;
  const auto [least, most] = std::minmax_element(sources, sources + terms);
  if (*most - *least >= 2 * kPlaces) return false;
  blocks_.push_back({*least, taps, std::int64_t(sources_.size())});
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    for (std::int64_t place = 0; place < kPlaces; ++place) {
      sources_.push_back(sources[place * taps + tap] - *least);
      weights_.push_back(static_cast<float>(weights[place * taps + tap]));
    }
  }
  return true;
}

#if SIM_HAS_AVX2_PATH

namespace {

/// The first `count` lanes.
__mmask16 lanes(std::int64_t count) {
  if (count <= 0) return 0;
  return count >= 16 ? wide::kAll : static_cast<__mmask16>((1U << count) - 1);
}

/// The next tap's products.
SIM_AVX512_INLINE __m512 products(__m512 low, __m512 high, const std::int32_t* sources,
                                  const float* weights) {
  const __m512 values = _mm512_permutex2var_ps(low, _mm512_loadu_si512(sources), high);
  return _mm512_mul_ps(_mm512_loadu_ps(weights), values);
}

SIM_AVX512 void put_block(const float* in, std::int64_t left, std::int64_t taps,
                          const std::int32_t* sources, const float* weights, float* out) {
  const __m512 low = _mm512_maskz_loadu_ps(lanes(left), in);
  const __m512 high = _mm512_maskz_loadu_ps(lanes(left - RowTaps::kPlaces), in + RowTaps::kPlaces);
  __m512 sum = products(low, high, sources, weights);
  if (taps > 1) sum = _mm512_add_ps(_mm512_setzero_ps(), sum);
  for (std::int64_t tap = 1; tap < taps; ++tap)
    sum = _mm512_add_ps(sum, products(low, high, sources + tap * RowTaps::kPlaces,
                                      weights + tap * RowTaps::kPlaces));
  _mm512_storeu_ps(out, sum);
}

}  // namespace

bool RowTaps::supported() { return cpu_has_avx512(); }

void RowTaps::run(std::int64_t first, std::int64_t last, const float* in, std::int64_t length,
                  float* out) const {
  for (std::int64_t i = first; i < last; ++i, out += kPlaces) {
    const Block& block = blocks_[std::size_t(i)];
    put_block(in + block.base, length - block.base, block.taps, sources_.data() + block.at,
              weights_.data() + block.at, out);
  }
}

#else

bool RowTaps::supported() { return false; }

void RowTaps::run(std::int64_t, std::int64_t, const float*, std::int64_t, float*) const {}

#endif

}  // namespace pyaclnn::sim
