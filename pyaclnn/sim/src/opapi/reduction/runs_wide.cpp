// SPDX-License-Identifier: MIT
#include "opapi/reduction/runs_wide.hpp"

#include <limits>

#include "opapi/common/cpu.hpp"

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
  if (nan != 0) return std::numeric_limits<float>::quiet_NaN();
  if (i < count) {
    float first = _mm512_cvtss_f32(a);
    for (; i < count; ++i) first = Way::of(first, Form::value(from[i]));
    if (first != first) return first;
    a = _mm512_mask_broadcastss_ps(a, 1, _mm_set_ss(first));
  }
  return folded<Way>(Way::of(Way::of(a, c), Way::of(b, d)));
}

template <class Form>
SIM_AVX512 void add_run(const void* values, std::int64_t count, void* result) {
  const auto* from = static_cast<const typename Form::Bits*>(values);
  *static_cast<double*>(result) += double(combined<Form, Add>(from, count));
}

template <class Form, class Way>
SIM_AVX512 void find_in_run(const void* values, std::int64_t count, void* result) {
  const auto* from = static_cast<const typename Form::Bits*>(values);
  auto* found = static_cast<float*>(result);
  *found = Way::of(*found, combined<Form, Way>(from, count));
}

template <class Way>
Combine extremum_of_run(aclDataType dtype) {
  if (!cpu_has_avx512()) return nullptr;
  switch (dtype) {
    case ACL_FLOAT:
      return &find_in_run<Floats, Way>;
    case ACL_FLOAT16:
      return &find_in_run<Halves, Way>;
    case ACL_BF16:
      return &find_in_run<Bfloat16s, Way>;
    default:
      return nullptr;
  }
}

}  // namespace

Combine sum_of_run(aclDataType dtype) {
  if (!cpu_has_avx512()) return nullptr;
  if (dtype == ACL_FLOAT16) return &add_run<Halves>;
  if (dtype == ACL_BF16) return &add_run<Bfloat16s>;
  return nullptr;
}

Combine maximum_of_run(aclDataType dtype) { return extremum_of_run<Largest>(dtype); }
Combine minimum_of_run(aclDataType dtype) { return extremum_of_run<Smallest>(dtype); }

#else

Combine sum_of_run(aclDataType) { return nullptr; }
Combine maximum_of_run(aclDataType) { return nullptr; }
Combine minimum_of_run(aclDataType) { return nullptr; }

#endif

}  // namespace pyaclnn::sim::reduction
