// SPDX-License-Identifier: MIT
#include "opapi/softmax/softmax_grad_wide.hpp"

#include "opapi/common/cpu.hpp"

#if SIM_HAS_AVX2_PATH

#include <algorithm>
#include <type_traits>

#include "core/bulk_copy.hpp"
#include "objects/half.hpp"
#include "opapi/common/wide_registers.hpp"
#include "opapi/pointwise/base_two.hpp"

namespace pyaclnn::sim::wide {
namespace {

constexpr int kLanes = 16;
constexpr std::size_t kLine = 64;
// Memory asked for before it is read, in bytes of each operand, while the processor computes:
// 16 Mi float32 values take 4.2 ms in place of 5.1, 4.4 with 8 KiB.
constexpr std::size_t kAhead = 2048;

struct Float {
  using Bits = float;
  static constexpr int kInLine = 16;
  static SIM_AVX512_INLINE __m512 at(const float* from) { return _mm512_loadu_ps(from); }
  static float widen(float value) { return value; }
};

struct Half {
  using Bits = std::uint16_t;
  static constexpr int kInLine = 32;
  static constexpr bool kExact = true;  // products in float32
  static SIM_AVX512_INLINE __m512 at(const std::uint16_t* from) { return halves_at(from); }
  static SIM_AVX512_INLINE __m512i narrow(__m512 first, __m512 second) {
    return to_halves(first, second);
  }
  static float widen(std::uint16_t bits) { return half_to_float(bits); }
  static std::uint16_t narrow(float value) { return float_to_half(value); }
};

struct Bfloat16 {
  using Bits = std::uint16_t;
  static constexpr int kInLine = 32;
  static constexpr bool kExact = false;  // they may be too large or too small
  static SIM_AVX512_INLINE __m512 at(const std::uint16_t* from) { return bfloat16s_at(from); }
  static SIM_AVX512_INLINE __m512i narrow(__m512 first, __m512 second) {
    return to_bfloat16s(first, second);
  }
  static float widen(std::uint16_t bits) { return bfloat16_to_float(bits); }
  static std::uint16_t narrow(float value) { return float_to_bfloat16(value); }
};

SIM_AVX512_INLINE __m512d doubles_at(const float* from) {
  return _mm512_maskz_cvtps_pd(0xFF, _mm256_loadu_ps(from));
}

/// The sum of 16 partial sums, halving their number each time. In registers, where an array would
/// cost a row 3 % more time.
SIM_AVX512_INLINE double total_of(__m512d low, __m512d high) {
  const __m512d eight = _mm512_add_pd(low, high);
  const __m256d four = _mm256_add_pd(_mm512_maskz_extractf64x4_pd(0xFF, eight, 0),
                                     _mm512_maskz_extractf64x4_pd(0xFF, eight, 1));
  const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
  return _mm_cvtsd_f64(_mm_add_sd(_mm_unpackhi_pd(two, two), two));
}

/// What values of the gradient are multiplied with: y, or 1 for the logarithm.
template <bool kLog>
SIM_AVX512_INLINE __m512d factors_at(const float* y) {
  return kLog ? _mm512_set1_pd(1.0) : doubles_at(y);
}

/// Products of floats are exact in float64, so that fusing the addition changes nothing.
template <bool kLog>
SIM_AVX512_INLINE double dot(const float* grad, const float* y, std::int64_t count) {
  __m512d low = _mm512_setzero_pd();
  __m512d high = _mm512_setzero_pd();
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    low = _mm512_fmadd_pd(doubles_at(grad + i), factors_at<kLog>(y + i), low);
    high = _mm512_fmadd_pd(doubles_at(grad + i + 8), factors_at<kLog>(y + i + 8), high);
  }
  double first = _mm512_cvtsd_f64(low);
  for (; i < count; ++i) first += double(grad[i]) * (kLog ? 1.0 : double(y[i]));
  return total_of(_mm512_mask_broadcastsd_pd(low, 1, _mm_set_sd(first)), high);
}

SIM_ALWAYS_INLINE void prefetch(const void* from) {
  __builtin_prefetch(static_cast<const std::byte*>(from) + kAhead);
}

/// sum + grad * y of either half of 16 values; the same bits with both ways to convert.
template <class Form, bool kLog, int kHalf>
SIM_AVX512_INLINE __m512d with_products(__m512d sum, __m512 grad, __m512 y) {
  if constexpr (Form::kExact || kLog) {
    const __m512d products = doubles_of<kHalf>(kLog ? grad : _mm512_mul_ps(grad, y));
    return _mm512_fmadd_pd(products, _mm512_set1_pd(1.0), sum);
  } else {
    return _mm512_fmadd_pd(doubles_of<kHalf>(grad), doubles_of<kHalf>(y), sum);
  }
}

/// The sum over values of 16 bits, which are kept as floats if `kKeeps`.
template <class Form, bool kLog, bool kKeeps>
SIM_AVX512_INLINE double narrow_dot(const std::uint16_t* grad, const std::uint16_t* y,
                                    std::int64_t count, float* grads, float* ys) {
  __m512d low = _mm512_setzero_pd();
  __m512d high = _mm512_setzero_pd();
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    prefetch(grad + i);
    const __m512 of_grad = Form::at(grad + i);
    __m512 of_y = of_grad;
    if constexpr (!kLog || kKeeps) {
      prefetch(y + i);
      of_y = Form::at(y + i);
    }
    if constexpr (kKeeps) {
      _mm512_store_ps(grads + i, of_grad);
      _mm512_store_ps(ys + i, of_y);
    }
    low = with_products<Form, kLog, 0>(low, of_grad, of_y);
    high = with_products<Form, kLog, 1>(high, of_grad, of_y);
  }
  double first = _mm512_cvtsd_f64(low);
  for (; i < count; ++i) {
    const float of_grad = Form::widen(grad[i]);
    const float of_y = Form::widen(y[i]);
    if constexpr (kKeeps) {
      grads[i] = of_grad;
      ys[i] = of_y;
    }
    first += double(of_grad) * (kLog ? 1.0 : double(of_y));
  }
  return total_of(_mm512_mask_broadcastsd_pd(low, 1, _mm_set_sd(first)), high);
}

template <class Form, bool kLog>
SIM_AVX512_INLINE void dot_loop(const typename Form::Bits* grad, const typename Form::Bits* y,
                                std::int64_t count, [[maybe_unused]] float* grads,
                                [[maybe_unused]] float* ys, double* sum) {
  if constexpr (std::is_same_v<Form, Float>) {
    for (std::int64_t i = 0; i < count; i += Form::kInLine) {
      prefetch(grad + i);
      prefetch(y + i);
    }
    *sum += dot<kLog>(grad, y, count);
  } else {
    *sum += narrow_dot<Form, kLog, true>(grad, y, count, grads, ys);
  }
}

template <class Form, bool kLog>
SIM_AVX512 void sum_step(const std::byte* grad_bytes, const std::byte* y_bytes, std::int64_t count,
                         double* sum) {
  const auto* grad = reinterpret_cast<const typename Form::Bits*>(grad_bytes);
  const auto* y = reinterpret_cast<const typename Form::Bits*>(y_bytes);
  if constexpr (std::is_same_v<Form, Float>) {
    dot_loop<Form, kLog>(grad, y, count, nullptr, nullptr, sum);
  } else {
    *sum += narrow_dot<Form, kLog, false>(grad, y, count, nullptr, nullptr);
  }
}

template <class Form, bool kLog>
SIM_AVX512 void dot_step(const std::byte* grad, const std::byte* y, std::int64_t count,
                         float* grads, float* ys, double* sum) {
  using Bits = typename Form::Bits;
  dot_loop<Form, kLog>(reinterpret_cast<const Bits*>(grad), reinterpret_cast<const Bits*>(y), count,
                       grads, ys, sum);
}

struct Scale {
  // In two parts, so that float32 arithmetic keeps the sum's digits.
  explicit SIM_AVX512_INLINE Scale(double sum) {
    const float first = static_cast<float>(sum);
    const float rest = first - first == 0 ? static_cast<float>(sum - double(first)) : 0.0f;
    high = _mm512_set1_ps(first);
    low = _mm512_set1_ps(rest);
  }

  SIM_AVX512_INLINE __m512 operator()(__m512 grad, __m512 y) const {
    return _mm512_mul_ps(y, _mm512_sub_ps(_mm512_sub_ps(grad, high), low));
  }

  __m512 high;
  __m512 low;
};

SIM_AVX512_INLINE __m512 with_term(__m512 a, __m512 b, float c) {
  return _mm512_fmadd_ps(a, b, _mm512_set1_ps(c));
}

/// base_two::exp, the same bits: one instruction scales by what takes two factors there.
SIM_AVX512_INLINE __m512 exp_of(__m512 x) {
  using namespace base_two;
  // Of two operands one of which is NaN, the second.
  const __m512 above = _mm512_maskz_max_ps(kAll, _mm512_set1_ps(-104.0f), x);
  const __m512 at = _mm512_maskz_min_ps(kAll, _mm512_set1_ps(89.0f), above);
  const __m512 log2e = _mm512_set1_ps(vec::detail::kLog2E);
  const __m512 shift = _mm512_set1_ps(vec::detail::kRoundingShift);
  const __m512 n = _mm512_sub_ps(_mm512_fmadd_ps(at, log2e, shift), shift);
  const __m512 f = _mm512_fmadd_ps(at, _mm512_set1_ps(kLow), _mm512_fmsub_ps(at, log2e, n));
  const __m512 square = _mm512_mul_ps(f, f);
  __m512 even = with_term(square, _mm512_set1_ps(kEven[0]), kEven[1]);
  even = with_term(square, even, kEven[2]);
  even = with_term(square, even, 1.0f);
  const __m512 odd =
      with_term(square, with_term(square, _mm512_set1_ps(kOdd[0]), kOdd[1]), kOdd[2]);
  return _mm512_maskz_scalef_ps(kAll, _mm512_fmadd_ps(f, odd, even), n);
}

struct LogScale {
  explicit SIM_AVX512_INLINE LogScale(double sum)
      : total(_mm512_set1_ps(static_cast<float>(sum))) {}

  SIM_AVX512_INLINE __m512 operator()(__m512 grad, __m512 y) const {
    return _mm512_sub_ps(grad, _mm512_mul_ps(exp_of(y), total));
  }

  __m512 total;
};

/// A cache line of results.
template <class From, class Form, class Step>
SIM_AVX512_INLINE __m512i line_of(const typename From::Bits* grad, const typename From::Bits* y,
                                  const Step& step) {
  const __m512 first = step(From::at(grad), From::at(y));
  if constexpr (std::is_same_v<Form, Float>) {
    return _mm512_castps_si512(first);
  } else {
    return Form::narrow(first, step(From::at(grad + kLanes), From::at(y + kLanes)));
  }
}

/// From values of one form to results of another.
template <class From, class Form, class Step, bool kBulk>
SIM_AVX512_INLINE void scale_loop(const typename From::Bits* grad, const typename From::Bits* y,
                                  std::int64_t count, const double* sum, typename Form::Bits* out) {
  const Step step(*sum);
  std::int64_t i = 0;
  for (; i + Form::kInLine <= count; i += Form::kInLine) {
    const __m512i line = line_of<From, Form>(grad + i, y + i, step);
    if constexpr (kBulk) {
      _mm512_stream_si512(reinterpret_cast<__m512i*>(out + i), line);
    } else {
      _mm512_storeu_si512(out + i, line);
    }
  }
  if (i == count) return;
  typename From::Bits of_grad[Form::kInLine] = {};
  typename From::Bits of_y[Form::kInLine] = {};
  typename Form::Bits results[Form::kInLine];
  std::copy(grad + i, grad + count, of_grad);
  std::copy(y + i, y + count, of_y);
  _mm512_storeu_si512(results, line_of<From, Form>(of_grad, of_y, step));
  std::copy_n(results, count - i, out + i);
}

template <class From, class Form, class Step>
SIM_AVX512_INLINE void scale_to(const typename From::Bits* grad, const typename From::Bits* y,
                                std::int64_t count, const double* sum, std::byte* to, bool bulk) {
  using Bits = typename Form::Bits;
  auto* out = reinterpret_cast<Bits*>(to);
  if (!bulk) return scale_loop<From, Form, Step, false>(grad, y, count, sum, out);
  if (reinterpret_cast<std::uintptr_t>(to) % kLine == 0)
    return scale_loop<From, Form, Step, true>(grad, y, count, sum, out);
  alignas(64) Bits results[kSoftmaxBlock];
  scale_loop<From, Form, Step, false>(grad, y, count, sum, results);
  bulk_copy(to, results, std::size_t(count) * sizeof(Bits));
}

template <class Form, class Step>
SIM_AVX512 void scale_step(const float* grad, const float* y, std::int64_t count, const double* sum,
                           std::byte* to, bool bulk) {
  scale_to<Float, Form, Step>(grad, y, count, sum, to, bulk);
}

template <class Form, class Step>
SIM_AVX512 void apply_step(const std::byte* grad, const std::byte* y, std::int64_t count,
                           const double* sum, std::byte* to, bool bulk) {
  using Bits = typename Form::Bits;
  scale_to<Form, Form, Step>(reinterpret_cast<const Bits*>(grad), reinterpret_cast<const Bits*>(y),
                             count, sum, to, bulk);
}

template <class Form, bool kLog>
SIM_AVX512 bool rows_step(const std::byte* grad_bytes, const std::byte* y_bytes, std::int64_t rows,
                          std::int64_t length, std::byte* to) {
  using Bits = typename Form::Bits;
  using Step = std::conditional_t<kLog, LogScale, Scale>;
  if (length % Form::kInLine != 0 || length > kSoftmaxShortRow) return false;
  const auto* grad = reinterpret_cast<const Bits*>(grad_bytes);
  const auto* y = reinterpret_cast<const Bits*>(y_bytes);
  auto* out = reinterpret_cast<Bits*>(to);
  // First the sums of several: a row would wait for its own.
  constexpr std::int64_t kSome = 8;
  while (rows > 0) {
    const std::int64_t some = std::min(kSome, rows);
    double sums[kSome] = {};
    if constexpr (std::is_same_v<Form, Float>) {
      for (std::int64_t i = 0; i < some; ++i)
        dot_loop<Form, kLog>(grad + i * length, y + i * length, length, nullptr, nullptr, &sums[i]);
      for (std::int64_t i = 0; i < some; ++i)
        scale_loop<Form, Form, Step, false>(grad + i * length, y + i * length, length, &sums[i],
                                            out + i * length);
    } else {
      alignas(64) float grads[kSome][kSoftmaxShortRow];
      alignas(64) float ys[kSome][kSoftmaxShortRow];
      for (std::int64_t i = 0; i < some; ++i)
        dot_loop<Form, kLog>(grad + i * length, y + i * length, length, grads[i], ys[i], &sums[i]);
      for (std::int64_t i = 0; i < some; ++i)
        scale_loop<Float, Form, Step, false>(grads[i], ys[i], length, &sums[i], out + i * length);
    }
    grad += some * length;
    y += some * length;
    out += some * length;
    rows -= some;
  }
  return true;
}

SIM_AVX512 void float_dot(const float* grad, const float* y, std::int64_t count, double* sum) {
  *sum += dot<false>(grad, y, count);
}

template <class Form, bool kLog>
SoftmaxSteps steps_of() {
  using Step = std::conditional_t<kLog, LogScale, Scale>;
  return {&dot_step<Form, kLog>, &scale_step<Form, Step>, &rows_step<Form, kLog>,
          &sum_step<Form, kLog>, &apply_step<Form, Step>};
}

template <bool kLog>
SoftmaxSteps steps_of(aclDataType dtype) {
  if (dtype == ACL_FLOAT) return steps_of<Float, kLog>();
  if (dtype == ACL_FLOAT16) return steps_of<Half, kLog>();
  if (dtype == ACL_BF16) return steps_of<Bfloat16, kLog>();
  return {};
}

}  // namespace

FloatDotFn softmax_dot() { return cpu_has_avx512() ? &float_dot : nullptr; }

SoftmaxSteps softmax_steps(aclDataType dtype, bool logarithm) {
  if (!cpu_has_avx512()) return {};
  return logarithm ? steps_of<true>(dtype) : steps_of<false>(dtype);
}

}  // namespace pyaclnn::sim::wide

#else

namespace pyaclnn::sim::wide {

FloatDotFn softmax_dot() { return nullptr; }

SoftmaxSteps softmax_steps(aclDataType, bool) { return {}; }

}  // namespace pyaclnn::sim::wide

#endif
