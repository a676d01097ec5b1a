// Sums and extrema with registers of 16 floats. Compiled by each_lanes.hpp.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <limits>

#include "opapi/common/folded_lanes.hpp"
#include "opapi/reduction/runs_wide.hpp"

namespace pyaclnn::sim::SIM_LANES {
namespace {

using reduction::Combine;
using reduction::kTogether;

struct Add : Sum {
  static constexpr bool kFindsNan = false;
  static constexpr float kStart = 0.0f;
};

// Of equal numbers the second, as zeros may differ in sign. NaN is looked for beside.
struct Largest {
  static constexpr bool kFindsNan = true;
  static constexpr float kStart = -std::numeric_limits<float>::infinity();
  static SIM_LANES_INLINE Floats of(Floats a, Floats b) { return largest(a, b); }
  static SIM_ALWAYS_INLINE float of(float a, float b) { return ((a != a) | (a > b)) ? a : b; }
};

struct Smallest {
  static constexpr bool kFindsNan = true;
  static constexpr float kStart = std::numeric_limits<float>::infinity();
  static SIM_LANES_INLINE Floats of(Floats a, Floats b) { return smallest(a, b); }
  static SIM_ALWAYS_INLINE float of(float a, float b) { return ((a != a) | (a < b)) ? a : b; }
};

/// Up to 16 values, and what changes nothing behind them.
template <class Form>
SIM_LANES_INLINE Floats part(const typename Form::Bits* from, std::int64_t count, float nothing) {
  if (count >= 16) return Form::at(from);
  alignas(64) typename Form::Bits bits[16];
  for (int i = 0; i < 16; ++i) bits[i] = i < count ? from[i] : typename Form::Bits(0);
  return blended(Lanes::first(int(count)), Floats::of(nothing), Form::at(bits));
}

template <class Form, class Way>
SIM_LANES_INLINE float combined(const typename Form::Bits* from, std::int64_t count) {
  Floats a = Floats::of(Way::kStart);
  Floats b = a;
  Floats c = a;
  Floats d = a;
  Lanes nan = Lanes::none();
  std::int64_t i = 0;
  for (; i + 4 * kLanes <= count; i += 4 * kLanes) {
    const Floats e = Form::at(from + i);
    const Floats f = Form::at(from + i + kLanes);
    const Floats g = Form::at(from + i + 2 * kLanes);
    const Floats h = Form::at(from + i + 3 * kLanes);
    if constexpr (Way::kFindsNan) nan = nan | unordered(e, f) | unordered(g, h);
    a = Way::of(a, e);
    b = Way::of(b, f);
    c = Way::of(c, g);
    d = Way::of(d, h);
  }
  // What is left goes to the first lanes.
  Floats sums[] = {a, b, c, d};
  for (int k = 0; k < 4 && i < count; ++k, i += kLanes) {
    const Floats values = part<Form>(from + i, count - i, Way::kStart);
    if constexpr (Way::kFindsNan) nan = nan | unordered(values, values);
    sums[k] = Way::of(sums[k], values);
  }
  if (nan.any()) return std::numeric_limits<float>::quiet_NaN();
  return folded<Way>(Way::of(Way::of(sums[0], sums[2]), Way::of(sums[1], sums[3])));
}

template <class Form>
SIM_LANES_LOOP void add_runs(const void* values, std::int64_t step, std::int64_t runs,
                             std::int64_t count, void* results) {
  const auto* from = static_cast<const typename Form::Bits*>(values);
  auto* to = static_cast<double*>(results);
  for (std::int64_t r = 0; r < runs; ++r)
    to[r] += double(combined<Form, Add>(from + r * step, count));
}

/// Four values, as a product with one, which gives the same bits: processors that convert where
/// they add, but not where they multiply, do both at a time. Longer vectors they convert in two
/// steps, which takes half as long again.
SIM_LANES_INLINE __m256d with_doubles(__m256d sum, __m128 values) {
  return _mm256_fmadd_pd(_mm256_cvtps_pd(values), _mm256_set1_pd(1.0), sum);
}

/// The first `count` of up to four values, zeros in place of others.
SIM_LANES_INLINE __m128 first_of_four(const float* from, std::int64_t count) {
  const __m128i limit = _mm_set1_epi32(int(count));
  return _mm_maskload_ps(from, _mm_cmpgt_epi32(limit, _mm_setr_epi32(0, 1, 2, 3)));
}

/// In 32 lanes.
SIM_LANES_INLINE double summed(const float* from, std::int64_t count) {
  constexpr int kSums = 8;
  __m256d sums[kSums];
  for (__m256d& sum : sums) sum = _mm256_setzero_pd();
  std::int64_t i = 0;
  for (; i + 4 * kSums <= count; i += 4 * kSums) {
    for (int k = 0; k < kSums; ++k) sums[k] = with_doubles(sums[k], _mm_loadu_ps(from + i + 4 * k));
  }
  // Half of the sums together, so that they stay in registers.
  for (int first = 0; i < count; first += kSums / 2, i += 2 * kSums) {
    if (i + 2 * kSums <= count) {
      for (int k = 0; k < kSums / 2; ++k)
        sums[first + k] = with_doubles(sums[first + k], _mm_loadu_ps(from + i + 4 * k));
    } else {
      for (int k = 0; k < kSums / 2; ++k)
        sums[first + k] =
            with_doubles(sums[first + k], first_of_four(from + i + 4 * k, count - i - 4 * k));
    }
  }
  for (int half = kSums / 2; half > 0; half /= 2) {
    for (int k = 0; k < half; ++k) sums[k] = _mm256_add_pd(sums[k], sums[k + half]);
  }
  const __m128d two =
      _mm_add_pd(_mm256_castpd256_pd128(sums[0]), _mm256_extractf128_pd(sums[0], 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

SIM_LANES_LOOP void add_float_runs(const void* values, std::int64_t step, std::int64_t runs,
                                   std::int64_t count, void* results) {
  const auto* from = static_cast<const float*>(values);
  auto* to = static_cast<double*>(results);
  for (std::int64_t r = 0; r < runs; ++r) to[r] += summed(from + r * step, count);
}

/// Sums of lines side by side, each line to doubles; kLines at a time.
template <int kLines>
SIM_LANES_INLINE void add_float_lines(const float* from, std::int64_t step, std::int64_t count,
                                      double* to) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    __m256d low = _mm256_loadu_pd(to + i);
    __m256d high = _mm256_loadu_pd(to + i + 4);
    for (int k = 0; k < kLines; ++k) {
      low = with_doubles(low, _mm_loadu_ps(from + k * step + i));
      high = with_doubles(high, _mm_loadu_ps(from + k * step + i + 4));
    }
    _mm256_storeu_pd(to + i, low);
    _mm256_storeu_pd(to + i + 4, high);
  }
  for (; i < count; ++i) {
    for (int k = 0; k < kLines; ++k) to[i] += double(from[k * step + i]);
  }
}

SIM_LANES_LOOP void add_float_sides(const void* values, std::int64_t step, std::int64_t lines,
                                    std::int64_t count, void* results) {
  const auto* from = static_cast<const float*>(values);
  auto* to = static_cast<double*>(results);
  for (; lines >= kTogether; lines -= kTogether, from += kTogether * step)
    add_float_lines<kTogether>(from, step, count, to);
  for (; lines > 0; --lines, from += step) add_float_lines<1>(from, step, count, to);
}

template <class Form>
SIM_LANES_INLINE Floats sum_of_lines(const typename Form::Bits* from, std::int64_t step,
                                     std::int64_t count) {
  Floats values[kTogether];
  for (std::int64_t i = 0; i < kTogether; ++i) values[i] = part<Form>(from + i * step, count, 0.0f);
  const Floats first = (values[0] + values[1]) + (values[2] + values[3]);
  const Floats second = (values[4] + values[5]) + (values[6] + values[7]);
  return first + second;
}

/// Adds up to 16 values to as many doubles.
SIM_LANES_INLINE void add_to(double* to, Floats values, std::int64_t count) {
  if (count >= 16) return (Doubles::at(to) + Doubles::of(values)).store(to);
  alignas(64) float each[16];
  values.store(each);
  for (std::int64_t i = 0; i < count; ++i) to[i] += double(each[i]);
}

template <class Form>
SIM_LANES_LOOP void add_sides(const void* values, std::int64_t step, std::int64_t lines,
                              std::int64_t count, void* results) {
  const auto* from = static_cast<const typename Form::Bits*>(values);
  auto* to = static_cast<double*>(results);
  std::int64_t r = 0;
  for (; r + kTogether <= lines; r += kTogether, from += kTogether * step) {
    std::int64_t i = 0;
    for (; i + 16 <= count; i += 16) add_to(to + i, sum_of_lines<Form>(from + i, step, 16), 16);
    if (i < count) add_to(to + i, sum_of_lines<Form>(from + i, step, count - i), count - i);
  }
  for (; r < lines; ++r, from += step) {
    for (std::int64_t i = 0; i < count; i += 16)
      add_to(to + i, part<Form>(from + i, count - i, 0.0f), count - i);
  }
}

template <class Form, class Way>
SIM_LANES_LOOP void find_in_runs(const void* values, std::int64_t step, std::int64_t runs,
                                 std::int64_t count, void* results) {
  const auto* from = static_cast<const typename Form::Bits*>(values);
  auto* to = static_cast<float*>(results);
  for (std::int64_t r = 0; r < runs; ++r)
    to[r] = Way::of(to[r], combined<Form, Way>(from + r * step, count));
}

/// What is NaN stays it.
template <class Way>
SIM_LANES_INLINE Floats better(Floats best, Floats line) {
  return blended(unordered(best, best), Way::of(best, line), best);
}

/// Of lines side by side. Whole cache lines of each: lines that lie a power of two apart have but a
/// few places in a cache, and would be gone when their other half is looked at.
template <class Form, class Way>
SIM_LANES_LOOP void find_in_sides(const void* values, std::int64_t step, std::int64_t lines,
                                  std::int64_t count, void* results) {
  constexpr int kVectors = 4;
  const auto* from = static_cast<const typename Form::Bits*>(values);
  auto* to = static_cast<float*>(results);
  std::int64_t i = 0;
  for (; i + kVectors * 16 <= count; i += kVectors * 16) {
    Floats best[kVectors];
    for (int v = 0; v < kVectors; ++v) best[v] = Floats::at(to + i + v * 16);
    for (std::int64_t r = 0; r < lines; ++r) {
      const auto* line = from + r * step + i;
      for (int v = 0; v < kVectors; ++v) best[v] = better<Way>(best[v], Form::at(line + v * 16));
    }
    for (int v = 0; v < kVectors; ++v) best[v].store(to + i + v * 16);
  }
  for (; i < count; i += 16) {
    Floats best = part<OfFloats>(to + i, count - i, 0.0f);
    for (std::int64_t r = 0; r < lines; ++r)
      best = better<Way>(best, part<Form>(from + r * step + i, count - i, Way::kStart));
    alignas(64) float found[16];
    best.store(found);
    for (std::int64_t k = 0; k < 16 && i + k < count; ++k) to[i + k] = found[k];
  }
}

template <class Way>
Combine extremum_of_sides(aclDataType dtype) {
  if (dtype == ACL_FLOAT16) return &find_in_sides<OfHalves, Way>;
  if (dtype == ACL_BF16) return &find_in_sides<OfBfloat16s, Way>;
  return nullptr;
}

template <class Way>
Combine extremum_of_run(aclDataType dtype) {
  if (dtype == ACL_FLOAT) return &find_in_runs<OfFloats, Way>;
  if (dtype == ACL_FLOAT16) return &find_in_runs<OfHalves, Way>;
  if (dtype == ACL_BF16) return &find_in_runs<OfBfloat16s, Way>;
  return nullptr;
}

Combine sum_of_run(aclDataType dtype) {
  if (dtype == ACL_FLOAT) return &add_float_runs;
  if (dtype == ACL_FLOAT16) return &add_runs<OfHalves>;
  if (dtype == ACL_BF16) return &add_runs<OfBfloat16s>;
  return nullptr;
}

Combine sum_of_sides(aclDataType dtype) {
  if (dtype == ACL_FLOAT) return &add_float_sides;
  if (dtype == ACL_FLOAT16) return &add_sides<OfHalves>;
  if (dtype == ACL_BF16) return &add_sides<OfBfloat16s>;
  return nullptr;
}

Combine maximum_of_run(aclDataType dtype) { return extremum_of_run<Largest>(dtype); }
Combine minimum_of_run(aclDataType dtype) { return extremum_of_run<Smallest>(dtype); }
Combine maximum_of_sides(aclDataType dtype) { return extremum_of_sides<Largest>(dtype); }
Combine minimum_of_sides(aclDataType dtype) { return extremum_of_sides<Smallest>(dtype); }

}  // namespace
}  // namespace pyaclnn::sim::SIM_LANES
