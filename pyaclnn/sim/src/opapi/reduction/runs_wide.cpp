// SPDX-License-Identifier: MIT
#include "opapi/reduction/runs_wide.hpp"

#include <algorithm>
#include <limits>

#include "opapi/common/cpu_wide.hpp"

#if SIM_HAS_AVX2_PATH
#include "opapi/common/wide_forms.hpp"
#endif

namespace pyaclnn::sim::reduction {

#if SIM_HAS_AVX2_PATH
namespace {

using wide::kAll;

using wide::Bfloat16s;
using wide::Floats;
using wide::Halves;

struct Add {
  static constexpr bool kFindsNan = false;
  static constexpr float kStart = 0.0f;
  static SIM_AVX512_INLINE __m512 of(__m512 a, __m512 b) { return _mm512_add_ps(a, b); }
  static SIM_ALWAYS_INLINE float of(float a, float b) { return a + b; }
};

// Of equal numbers the second, as zeros may differ in sign. NaN is looked for beside.
struct Largest {
  static constexpr bool kFindsNan = true;
  static constexpr float kStart = -std::numeric_limits<float>::infinity();
  static SIM_AVX512_INLINE __m512 of(__m512 a, __m512 b) { return _mm512_maskz_max_ps(kAll, a, b); }
  static SIM_ALWAYS_INLINE float of(float a, float b) { return ((a != a) | (a > b)) ? a : b; }
};

struct Smallest {
  static constexpr bool kFindsNan = true;
  static constexpr float kStart = std::numeric_limits<float>::infinity();
  static SIM_AVX512_INLINE __m512 of(__m512 a, __m512 b) { return _mm512_maskz_min_ps(kAll, a, b); }
  static SIM_ALWAYS_INLINE float of(float a, float b) { return ((a != a) | (a < b)) ? a : b; }
};

/// 16 lanes in one, halving their number each time.
template <class Way>
SIM_AVX512_INLINE float folded(__m512 lanes) {
  const __m512 eight = Way::of(lanes, _mm512_maskz_shuffle_f32x4(kAll, lanes, lanes, 0x0E));
  const __m512 four = Way::of(eight, _mm512_maskz_shuffle_f32x4(kAll, eight, eight, 0x01));
  const __m512 two = Way::of(four, _mm512_maskz_permute_ps(kAll, four, 0x0E));
  const __m512 one = Way::of(two, _mm512_maskz_permute_ps(kAll, two, 0x01));
  return _mm512_cvtss_f32(one);
}

/// Up to 16 values, and what changes nothing behind them.
template <class Form>
SIM_AVX512_INLINE __m512 part(const typename Form::Bits* from, std::int64_t count, float nothing) {
  if (count >= 16) return Form::at(from);
  alignas(64) typename Form::Bits bits[16];
  for (int i = 0; i < 16; ++i) bits[i] = i < count ? from[i] : typename Form::Bits(0);
  const auto mask = static_cast<__mmask16>((1u << count) - 1);
  return _mm512_mask_blend_ps(mask, _mm512_set1_ps(nothing), Form::at(bits));
}

template <class Form, class Way>
SIM_AVX512_INLINE float combined(const typename Form::Bits* from, std::int64_t count) {
  constexpr std::int64_t kLanes = 16;
  __m512 a = _mm512_set1_ps(Way::kStart);
  __m512 b = a;
  __m512 c = a;
  __m512 d = a;
  __mmask16 nan = 0;
  std::int64_t i = 0;
  for (; i + 4 * kLanes <= count; i += 4 * kLanes) {
    const __m512 e = Form::at(from + i);
    const __m512 f = Form::at(from + i + kLanes);
    const __m512 g = Form::at(from + i + 2 * kLanes);
    const __m512 h = Form::at(from + i + 3 * kLanes);
    if constexpr (Way::kFindsNan) {
      nan = _mm512_kor(nan, _mm512_cmp_ps_mask(e, f, _CMP_UNORD_Q));
      nan = _mm512_kor(nan, _mm512_cmp_ps_mask(g, h, _CMP_UNORD_Q));
    }
    a = Way::of(a, e);
    b = Way::of(b, f);
    c = Way::of(c, g);
    d = Way::of(d, h);
  }
  // What is left goes to the first lanes.
  __m512 sums[] = {a, b, c, d};
  for (int k = 0; k < 4 && i < count; ++k, i += kLanes) {
    const __m512 values = part<Form>(from + i, count - i, Way::kStart);
    if constexpr (Way::kFindsNan)
      nan = _mm512_kor(nan, _mm512_cmp_ps_mask(values, values, _CMP_UNORD_Q));
    sums[k] = Way::of(sums[k], values);
  }
  if (nan != 0) return std::numeric_limits<float>::quiet_NaN();
  return folded<Way>(Way::of(Way::of(sums[0], sums[2]), Way::of(sums[1], sums[3])));
}

template <class Form>
SIM_AVX512 void add_runs(const void* values, std::int64_t step, std::int64_t runs,
                         std::int64_t count, void* results) {
  const auto* from = static_cast<const typename Form::Bits*>(values);
  auto* to = static_cast<double*>(results);
  for (std::int64_t r = 0; r < runs; ++r)
    to[r] += double(combined<Form, Add>(from + r * step, count));
}

/// Four values, as a product with one, which gives the same bits: processors that convert where
/// they add, but not where they multiply, do both at a time. Longer vectors they convert in two
/// steps, which takes half as long again.
SIM_AVX512_INLINE __m256d with_doubles(__m256d sum, __m128 values) {
  return _mm256_maskz_fmadd_pd(0xF, _mm256_cvtps_pd(values), _mm256_set1_pd(1.0), sum);
}

/// The k-th four of values that a mask has, zeros in place of others.
SIM_AVX512_INLINE __m128 four(const float* from, std::uint32_t mask, int k) {
  return _mm_maskz_loadu_ps(static_cast<__mmask8>((mask >> (4 * k)) & 0xF), from + 4 * k);
}

/// In 32 lanes.
SIM_AVX512_INLINE double summed(const float* from, std::int64_t count) {
  constexpr int kSums = 8;
  __m256d sums[kSums];
  for (__m256d& sum : sums) sum = _mm256_setzero_pd();
  std::int64_t i = 0;
  for (; i + 4 * kSums <= count; i += 4 * kSums) {
    for (int k = 0; k < kSums; ++k) sums[k] = with_doubles(sums[k], _mm_loadu_ps(from + i + 4 * k));
  }
  const auto rest = static_cast<std::uint32_t>((std::uint64_t(1) << (count - i)) - 1);
  if (rest != 0) {
    for (int k = 0; k < kSums / 2; ++k) sums[k] = with_doubles(sums[k], four(from + i, rest, k));
  }
  if (rest >> 16 != 0) {
    for (int k = kSums / 2; k < kSums; ++k)
      sums[k] = with_doubles(sums[k], four(from + i, rest, k));
  }
  for (int half = kSums / 2; half > 0; half /= 2) {
    for (int k = 0; k < half; ++k) sums[k] = _mm256_add_pd(sums[k], sums[k + half]);
  }
  const __m128d two =
      _mm_add_pd(_mm256_castpd256_pd128(sums[0]), _mm256_extractf128_pd(sums[0], 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

SIM_AVX512 void add_float_runs(const void* values, std::int64_t step, std::int64_t runs,
                               std::int64_t count, void* results) {
  const auto* from = static_cast<const float*>(values);
  auto* to = static_cast<double*>(results);
  for (std::int64_t r = 0; r < runs; ++r) to[r] += summed(from + r * step, count);
}

/// Sums of lines side by side, each line to doubles; kLines at a time.
template <int kLines>
SIM_AVX512_INLINE void add_float_lines(const float* from, std::int64_t step, std::int64_t count,
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

SIM_AVX512 void add_float_sides(const void* values, std::int64_t step, std::int64_t lines,
                                std::int64_t count, void* results) {
  const auto* from = static_cast<const float*>(values);
  auto* to = static_cast<double*>(results);
  for (; lines >= kTogether; lines -= kTogether, from += kTogether * step)
    add_float_lines<kTogether>(from, step, count, to);
  for (; lines > 0; --lines, from += step) add_float_lines<1>(from, step, count, to);
}

template <class Form, bool kWhole>
SIM_AVX512_INLINE __m512 sum_of_lines(const typename Form::Bits* from, std::int64_t step,
                                      std::int64_t count) {
  __m512 values[kTogether];
  for (std::int64_t i = 0; i < kTogether; ++i)
    values[i] = kWhole ? Form::at(from + i * step) : part<Form>(from + i * step, count, 0.0f);
  const __m512 first =
      _mm512_add_ps(_mm512_add_ps(values[0], values[1]), _mm512_add_ps(values[2], values[3]));
  const __m512 second =
      _mm512_add_ps(_mm512_add_ps(values[4], values[5]), _mm512_add_ps(values[6], values[7]));
  return _mm512_add_ps(first, second);
}

SIM_AVX512_INLINE void add_to(double* to, __m512 values) {
  _mm512_storeu_pd(to, _mm512_add_pd(_mm512_loadu_pd(to), wide::doubles_of<0>(values)));
  _mm512_storeu_pd(to + 8, _mm512_add_pd(_mm512_loadu_pd(to + 8), wide::doubles_of<1>(values)));
}

SIM_AVX512_INLINE void add_to(double* to, __m512 values, std::int64_t count) {
  const auto low = static_cast<__mmask8>(count >= 8 ? 0xFF : (1u << count) - 1);
  const auto high = static_cast<__mmask8>(count >= 16 ? 0xFF
                                          : count > 8 ? (1u << (count - 8)) - 1
                                                      : 0);
  _mm512_mask_storeu_pd(to, low,
                        _mm512_add_pd(_mm512_maskz_loadu_pd(low, to), wide::doubles_of<0>(values)));
  _mm512_mask_storeu_pd(
      to + 8, high,
      _mm512_add_pd(_mm512_maskz_loadu_pd(high, to + 8), wide::doubles_of<1>(values)));
}

template <class Form>
SIM_AVX512 void add_sides(const void* values, std::int64_t step, std::int64_t lines,
                          std::int64_t count, void* results) {
  const auto* from = static_cast<const typename Form::Bits*>(values);
  auto* to = static_cast<double*>(results);
  std::int64_t r = 0;
  for (; r + kTogether <= lines; r += kTogether, from += kTogether * step) {
    std::int64_t i = 0;
    for (; i + 16 <= count; i += 16) add_to(to + i, sum_of_lines<Form, true>(from + i, step, 16));
    if (i < count) add_to(to + i, sum_of_lines<Form, false>(from + i, step, count - i), count - i);
  }
  for (; r < lines; ++r, from += step) {
    for (std::int64_t i = 0; i < count; i += 16)
      add_to(to + i, part<Form>(from + i, count - i, 0.0f), count - i);
  }
}

template <class Form, class Way>
SIM_AVX512 void find_in_runs(const void* values, std::int64_t step, std::int64_t runs,
                             std::int64_t count, void* results) {
  const auto* from = static_cast<const typename Form::Bits*>(values);
  auto* to = static_cast<float*>(results);
  for (std::int64_t r = 0; r < runs; ++r)
    to[r] = Way::of(to[r], combined<Form, Way>(from + r * step, count));
}

/// Of lines side by side; what is NaN stays it.
template <class Form, class Way>
SIM_AVX512 void find_in_sides(const void* values, std::int64_t step, std::int64_t lines,
                              std::int64_t count, void* results) {
  const auto* from = static_cast<const typename Form::Bits*>(values);
  auto* to = static_cast<float*>(results);
  for (std::int64_t i = 0; i < count; i += 16) {
    const auto mask = static_cast<__mmask16>(count - i >= 16 ? kAll : (1u << (count - i)) - 1);
    __m512 best = _mm512_maskz_loadu_ps(mask, to + i);
    for (std::int64_t r = 0; r < lines; ++r) {
      const __m512 line = part<Form>(from + r * step + i, count - i, Way::kStart);
      const __mmask16 number = _mm512_cmp_ps_mask(best, best, _CMP_ORD_Q);
      best = _mm512_mask_blend_ps(number, best, Way::of(best, line));
    }
    _mm512_mask_storeu_ps(to + i, mask, best);
  }
}

template <class Way>
Combine extremum_of_sides(aclDataType dtype) {
  if (!cpu_has_avx512()) return nullptr;
  if (dtype == ACL_FLOAT16) return &find_in_sides<Halves, Way>;
  if (dtype == ACL_BF16) return &find_in_sides<Bfloat16s, Way>;
  return nullptr;
}

template <class Way>
Combine extremum_of_run(aclDataType dtype) {
  if (!cpu_has_avx512()) return nullptr;
  switch (dtype) {
    case ACL_FLOAT:
      return &find_in_runs<Floats, Way>;
    case ACL_FLOAT16:
      return &find_in_runs<Halves, Way>;
    case ACL_BF16:
      return &find_in_runs<Bfloat16s, Way>;
    default:
      return nullptr;
  }
}

}  // namespace

Combine sum_of_run(aclDataType dtype) {
  if (!cpu_has_avx512()) return nullptr;
  if (dtype == ACL_FLOAT) return &add_float_runs;
  if (dtype == ACL_FLOAT16) return &add_runs<Halves>;
  if (dtype == ACL_BF16) return &add_runs<Bfloat16s>;
  return nullptr;
}

Combine sum_of_sides(aclDataType dtype) {
  if (!cpu_has_avx512()) return nullptr;
  if (dtype == ACL_FLOAT) return &add_float_sides;
  if (dtype == ACL_FLOAT16) return &add_sides<Halves>;
  if (dtype == ACL_BF16) return &add_sides<Bfloat16s>;
  return nullptr;
}

Combine maximum_of_run(aclDataType dtype) { return extremum_of_run<Largest>(dtype); }
Combine minimum_of_run(aclDataType dtype) { return extremum_of_run<Smallest>(dtype); }
Combine maximum_of_sides(aclDataType dtype) { return extremum_of_sides<Largest>(dtype); }
Combine minimum_of_sides(aclDataType dtype) { return extremum_of_sides<Smallest>(dtype); }

#else

Combine sum_of_run(aclDataType) { return nullptr; }
Combine maximum_of_run(aclDataType) { return nullptr; }
Combine minimum_of_run(aclDataType) { return nullptr; }
Combine sum_of_sides(aclDataType) { return nullptr; }
Combine maximum_of_sides(aclDataType) { return nullptr; }
Combine minimum_of_sides(aclDataType) { return nullptr; }

#endif

namespace {

enum class Keeps { kSum, kLargest, kSmallest };

template <class T, Keeps kKeeps>
struct IntegerRuns {
  static SIM_ALWAYS_INLINE std::int64_t one(const T* from, std::int64_t count) {
    if constexpr (kKeeps == Keeps::kSum) {
      std::uint64_t sum = 0;
      for (std::int64_t i = 0; i < count; ++i)
        sum += static_cast<std::uint64_t>(static_cast<std::int64_t>(from[i]));
      return static_cast<std::int64_t>(sum);
    } else {
      constexpr bool kLargest = kKeeps == Keeps::kLargest;
      T best = kLargest ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
      for (std::int64_t i = 0; i < count; ++i)
        best = (kLargest ? from[i] > best : from[i] < best) ? from[i] : best;
      return best;
    }
  }

  template <Isa>
  static SIM_ALWAYS_INLINE void run(const void* values, std::int64_t step, std::int64_t runs,
                                    std::int64_t count, void* results) {
    const auto* from = static_cast<const T*>(values);
    auto* to = static_cast<std::int64_t*>(results);
    for (std::int64_t r = 0; r < runs; ++r) {
      if (count == 0) continue;
      const std::int64_t found = one(from + r * step, count);
      if constexpr (kKeeps == Keeps::kSum)
        to[r] = static_cast<std::int64_t>(static_cast<std::uint64_t>(to[r]) +
                                          static_cast<std::uint64_t>(found));
      else
        to[r] = kKeeps == Keeps::kLargest ? std::max(to[r], found) : std::min(to[r], found);
    }
  }
};

template <Keeps kKeeps>
Combine integers(aclDataType dtype) {
  const auto loop = [](auto zero) {
    return wide_loop_for_cpu<IntegerRuns<decltype(zero), kKeeps>, const void*, std::int64_t,
                             std::int64_t, std::int64_t, void*>();
  };
  if (dtype == ACL_INT8) return loop(std::int8_t());
  if (dtype == ACL_INT32) return loop(std::int32_t());
  if (dtype == ACL_INT64) return loop(std::int64_t());
  return nullptr;
}

}  // namespace

Combine integer_sum_of_run(aclDataType dtype) { return integers<Keeps::kSum>(dtype); }
Combine integer_maximum_of_run(aclDataType dtype) { return integers<Keeps::kLargest>(dtype); }
Combine integer_minimum_of_run(aclDataType dtype) { return integers<Keeps::kSmallest>(dtype); }

}  // namespace pyaclnn::sim::reduction
