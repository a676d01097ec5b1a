// ForwardRows with AVX-512, where nothing is converted by way of memory. The order of operations is
// that of the loops over floats.
// SPDX-License-Identifier: MIT
#include "opapi/common/cpu.hpp"
#include "opapi/norm/forward_rows.hpp"

#if SIM_HAS_AVX2_PATH
#include "opapi/common/wide_forms.hpp"
#endif

namespace pyaclnn::sim {

#if SIM_HAS_AVX2_PATH
namespace {

// FMA belongs to every processor with AVX-512.
#define SIM_WIDE __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,fma,f16c")))
#define SIM_WIDE_INLINE SIM_WIDE SIM_ALWAYS_INLINE

constexpr std::int64_t kLanes = 16;
constexpr std::int64_t kStep = 2 * kLanes;
constexpr std::int64_t kBlock = ForwardRows::kSummedInFloats;
constexpr std::int64_t kRegisters = kBlock / kLanes;
constexpr std::int64_t kLine = 64;
constexpr __mmask8 kEight = 0xFF;

/// 16 numbers in float64.
struct Doubles {
  __m512d low;
  __m512d high;
};

SIM_WIDE_INLINE __m512d widened(__m256 values) { return _mm512_maskz_cvtps_pd(kEight, values); }

SIM_WIDE_INLINE Doubles widened(__m512 values) {
  return {widened(_mm512_maskz_extractf32x8_ps(kEight, values, 0)),
          widened(_mm512_maskz_extractf32x8_ps(kEight, values, 1))};
}

// Eight at a time: halves of a register would have to be taken out of it.
SIM_WIDE_INLINE __m256 eight_at(wide::Floats, const float* from) { return _mm256_loadu_ps(from); }
SIM_WIDE_INLINE __m128i eight_bits(const std::uint16_t* from) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}
SIM_WIDE_INLINE __m256 eight_at(wide::Halves, const std::uint16_t* from) {
  return _mm256_cvtph_ps(eight_bits(from));
}
SIM_WIDE_INLINE __m256 eight_at(wide::Bfloat16s, const std::uint16_t* from) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(eight_bits(from)), 16));
}

template <class Form>
SIM_WIDE_INLINE Doubles doubles_at(const typename Form::Bits* from) {
  return {widened(eight_at(Form(), from)), widened(eight_at(Form(), from + kLanes / 2))};
}

SIM_WIDE_INLINE __m512 narrowed(const Doubles& values) {
  const __m256 high = _mm512_maskz_cvtpd_ps(kEight, values.high);
  return _mm512_maskz_insertf32x8(
      wide::kAll, _mm512_castps256_ps512(_mm512_maskz_cvtpd_ps(kEight, values.low)), high, 1);
}

struct LaneSums {
  __m512d low;
  __m512d high;

  SIM_WIDE_INLINE void add(const Doubles& d) {
    low = _mm512_add_pd(low, d.low);
    high = _mm512_add_pd(high, d.high);
  }
  SIM_WIDE_INLINE void add_squares(const Doubles& d) {
    add({_mm512_mul_pd(d.low, d.low), _mm512_mul_pd(d.high, d.high)});
  }
  /// With a few more values, one for each lane.
  SIM_WIDE_INLINE double total(const double* rest) const {
    const __m512d eight = _mm512_add_pd(_mm512_add_pd(low, _mm512_loadu_pd(rest)),
                                        _mm512_add_pd(high, _mm512_loadu_pd(rest + kLanes / 2)));
    alignas(kLine) double sums[kLanes / 2];
    _mm512_store_pd(sums, eight);
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) +
           ((sums[1] + sums[5]) + (sums[3] + sums[7]));
  }
};

/// Both sums of a run.
template <class Form>
struct Sums {
  using Bits = typename Form::Bits;
  static constexpr bool kOfHalves = sizeof(Bits) == sizeof(std::uint16_t);

  LaneSums plain;
  LaneSums squares;

  SIM_WIDE_INLINE Sums() {
    plain = {_mm512_setzero_pd(), _mm512_setzero_pd()};
    squares = plain;
  }

  SIM_WIDE_INLINE void add_block(const Bits* x, __m512 shift) {
    __m512 sums[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()};
    __m512 sums_of_squares[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()};
    for (int r = 0; r < kRegisters; ++r) {
      const __m512 d = _mm512_sub_ps(Form::at(x + r * kLanes), shift);
      if constexpr (kOfHalves) {
        sums[r % 2] = _mm512_add_ps(sums[r % 2], d);
      } else {
        plain.add(doubles_at<Form>(x + r * kLanes));
      }
      sums_of_squares[r % 2] = _mm512_add_ps(sums_of_squares[r % 2], _mm512_mul_ps(d, d));
    }
    if constexpr (kOfHalves) plain.add(widened(_mm512_add_ps(sums[0], sums[1])));
    squares.add(widened(_mm512_add_ps(sums_of_squares[0], sums_of_squares[1])));
  }

  /// Adds the rest of a run, and both sums to `moments`.
  SIM_WIDE_INLINE void finish(const Bits* x, std::int64_t count, float shift, Moments* moments) {
    const __m512d from = _mm512_set1_pd(double(shift));
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      const Doubles values = doubles_at<Form>(x + i);
      const Doubles d{_mm512_sub_pd(values.low, from), _mm512_sub_pd(values.high, from)};
      plain.add(d);
      squares.add_squares(d);
    }
    double rest[kLanes] = {};
    double rest_of_squares[kLanes] = {};
    for (int k = 0; i < count; ++i, ++k) {
      const double d = double(Form::value(x[i])) - double(shift);
      rest[k] = d;
      rest_of_squares[k] = d * d;
    }
    moments->plain += plain.total(rest);
    moments->squares += squares.total(rest_of_squares);
  }
};

template <class Form>
SIM_WIDE void add_moments(const void* values, std::int64_t count, float shift, Moments* moments,
                          const void* ahead) {
  using Bits = typename Form::Bits;
  constexpr std::int64_t kLineElements = kLine / std::int64_t(sizeof(Bits));
  const auto* x = static_cast<const Bits*>(values);
  const auto* next = static_cast<const Bits*>(ahead);
  const __m512 from = _mm512_set1_ps(shift);
  Sums<Form> sums;
  std::int64_t i = 0;
  // Sums of floats are not precise enough for an element that is nearly the mean.
  if (!Sums<Form>::kOfHalves) moments->plain -= double(count / kBlock * kBlock) * double(shift);
  for (; i + kBlock <= count; i += kBlock) {
    if (next != nullptr) {
      for (std::int64_t k = 0; k < kBlock; k += kLineElements) __builtin_prefetch(next + i + k);
    }
    sums.add_block(x + i, from);
  }
  sums.finish(x + i, count - i, shift, moments);
}

template <class Form>
SIM_WIDE void add_moments_exactly(const void* values, std::int64_t count, float shift,
                                  Moments* moments) {
  Sums<Form> sums;
  sums.finish(static_cast<const typename Form::Bits*>(values), count, shift, moments);
}

/// y = map(x): map.of(form, where x lies, its index) gives 16 values, map.of(x, index) one.
template <class Form, bool kPast, class Map>
SIM_WIDE_INLINE void mapped(const void* values, std::int64_t count, void* results, Map map) {
  const auto* x = static_cast<const typename Form::Bits*>(values);
  auto* y = static_cast<typename Form::Bits*>(results);
  std::int64_t i = 0;
  for (; i + kStep <= count; i += kStep)
    Form::template put<kPast>(y + i, map.of(Form(), x + i, i),
                              map.of(Form(), x + i + kLanes, i + kLanes));
  for (; i < count; ++i) y[i] = Form::bits(map.of(Form::value(x[i]), i));
}

struct ScaleEach {
  double rstd;
  double constant;
  const double* gamma;
  const double* beta;

  SIM_WIDE_INLINE __m512d eight(__m512d x, std::int64_t at) const {
    const __m512d normal = _mm512_fmadd_pd(x, _mm512_set1_pd(rstd), _mm512_set1_pd(constant));
    return _mm512_fmadd_pd(normal, _mm512_loadu_pd(gamma + at), _mm512_loadu_pd(beta + at));
  }
  template <class Form>
  SIM_WIDE_INLINE __m512 of(Form, const typename Form::Bits* x, std::int64_t at) const {
    const Doubles d = doubles_at<Form>(x);
    return narrowed({eight(d.low, at), eight(d.high, at + kLanes / 2)});
  }
  SIM_WIDE_INLINE float of(float x, std::int64_t at) const {
    return float(__builtin_fma(__builtin_fma(double(x), rstd, constant), gamma[at], beta[at]));
  }
};

struct ScaleAll {
  double mean;
  double factor;
  double summand;

  SIM_WIDE_INLINE __m512d eight(__m512d x) const {
    const __m512d centered = _mm512_sub_pd(x, _mm512_set1_pd(mean));
    return _mm512_add_pd(_mm512_mul_pd(centered, _mm512_set1_pd(factor)), _mm512_set1_pd(summand));
  }
  template <class Form>
  SIM_WIDE_INLINE __m512 of(Form, const typename Form::Bits* x, std::int64_t) const {
    const Doubles d = doubles_at<Form>(x);
    return narrowed({eight(d.low), eight(d.high)});
  }
  SIM_WIDE_INLINE float of(float x, std::int64_t) const {
    return float((double(x) - mean) * factor + summand);
  }
};

struct ScaleInFloats {
  HalfScale by;

  template <class Form>
  SIM_WIDE_INLINE __m512 of(Form, const typename Form::Bits* from, std::int64_t) const {
    const __m512 x = Form::at(from);
    return _mm512_add_ps(
        _mm512_fmadd_ps(x, _mm512_set1_ps(by.factor), _mm512_set1_ps(by.summand)),
        _mm512_fmadd_ps(x, _mm512_set1_ps(by.factor_rest), _mm512_set1_ps(by.summand_rest)));
  }
  SIM_WIDE_INLINE float of(float x, std::int64_t) const {
    return __builtin_fmaf(x, by.factor, by.summand) +
           __builtin_fmaf(x, by.factor_rest, by.summand_rest);
  }
};

template <class Form, bool kPast>
SIM_WIDE void scale(const void* x, std::int64_t count, double mean, double rstd,
                    const double* gamma, const double* beta, void* y) {
  mapped<Form, kPast>(x, count, y, ScaleEach{rstd, -mean * rstd, gamma, beta});
}

template <class Form, bool kPast>
SIM_WIDE void scale_alike(const void* x, std::int64_t count, double mean, double factor,
                          double summand, void* y) {
  mapped<Form, kPast>(x, count, y, ScaleAll{mean, factor, summand});
}

template <class Form, bool kPast>
SIM_WIDE void scale_halves(const void* x, std::int64_t count, const HalfScale* by, void* y) {
  mapped<Form, kPast>(x, count, y, ScaleInFloats{*by});
}

template <class Form>
float value_of(const void* x) {
  return Form::value(*static_cast<const typename Form::Bits*>(x));
}

template <class Form, bool kPast>
constexpr ForwardRows kRows{sizeof(typename Form::Bits), &value_of<Form>,
                            &add_moments<Form>,          &add_moments_exactly<Form>,
                            &scale<Form, kPast>,         &scale_alike<Form, kPast>,
                            &scale_halves<Form, kPast>};

template <bool kPast>
const ForwardRows* rows_of(aclDataType dtype) {
  switch (dtype) {
    case ACL_FLOAT:
      return &kRows<wide::Floats, kPast>;
    case ACL_FLOAT16:
      return &kRows<wide::Halves, kPast>;
    case ACL_BF16:
      return &kRows<wide::Bfloat16s, kPast>;
    default:
      return nullptr;
  }
}

}  // namespace

const ForwardRows* ForwardRows::in_place(aclDataType dtype, bool past) {
  if (!cpu_has_avx512()) return nullptr;
  return past ? rows_of<true>(dtype) : rows_of<false>(dtype);
}

#else

const ForwardRows* ForwardRows::in_place(aclDataType, bool) { return nullptr; }

#endif

}  // namespace pyaclnn::sim
