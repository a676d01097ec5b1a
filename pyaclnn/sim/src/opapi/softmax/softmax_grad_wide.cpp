// SPDX-License-Identifier: MIT
#include "opapi/softmax/softmax_grad_wide.hpp"

#include "opapi/common/cpu.hpp"

#if SIM_HAS_AVX2_PATH

#include <type_traits>

#include "core/bulk_copy.hpp"
#include "objects/half.hpp"
#include "opapi/common/wide_registers.hpp"

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

/// Products of floats are exact in float64, so that fusing the addition changes nothing.
SIM_AVX512_INLINE double dot(const float* grad, const float* y, std::int64_t count) {
  __m512d low = _mm512_setzero_pd();
  __m512d high = _mm512_setzero_pd();
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    low = _mm512_fmadd_pd(doubles_at(grad + i), doubles_at(y + i), low);
    high = _mm512_fmadd_pd(doubles_at(grad + i + 8), doubles_at(y + i + 8), high);
  }
  double first = _mm512_cvtsd_f64(low);
  for (; i < count; ++i) first += double(grad[i]) * double(y[i]);
  return total_of(_mm512_mask_broadcastsd_pd(low, 1, _mm_set_sd(first)), high);
}

SIM_ALWAYS_INLINE void prefetch(const void* from) {
  __builtin_prefetch(static_cast<const std::byte*>(from) + kAhead);
}

/// sum + grad * y of either half of 16 values; the same bits with both ways to convert.
template <class Form, int kHalf>
SIM_AVX512_INLINE __m512d with_products(__m512d sum, __m512 grad, __m512 y) {
  if constexpr (Form::kExact) {
    const __m512d products = doubles_of<kHalf>(_mm512_mul_ps(grad, y));
    return _mm512_fmadd_pd(products, _mm512_set1_pd(1.0), sum);
  } else {
    return _mm512_fmadd_pd(doubles_of<kHalf>(grad), doubles_of<kHalf>(y), sum);
  }
}

/// The sum over values of 16 bits, which are kept as floats if `kKeeps`.
template <class Form, bool kKeeps>
SIM_AVX512_INLINE double narrow_dot(const std::uint16_t* grad, const std::uint16_t* y,
                                    std::int64_t count, float* grads, float* ys) {
  __m512d low = _mm512_setzero_pd();
  __m512d high = _mm512_setzero_pd();
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    prefetch(grad + i);
    prefetch(y + i);
    const __m512 of_grad = Form::at(grad + i);
    const __m512 of_y = Form::at(y + i);
    if constexpr (kKeeps) {
      _mm512_store_ps(grads + i, of_grad);
      _mm512_store_ps(ys + i, of_y);
    }
    low = with_products<Form, 0>(low, of_grad, of_y);
    high = with_products<Form, 1>(high, of_grad, of_y);
  }
  double first = _mm512_cvtsd_f64(low);
  for (; i < count; ++i) {
    const float of_grad = Form::widen(grad[i]);
    const float of_y = Form::widen(y[i]);
    if constexpr (kKeeps) {
      grads[i] = of_grad;
      ys[i] = of_y;
    }
    first += double(of_grad) * double(of_y);
  }
  return total_of(_mm512_mask_broadcastsd_pd(low, 1, _mm_set_sd(first)), high);
}

template <class Form>
SIM_AVX512_INLINE void dot_loop(const typename Form::Bits* grad, const typename Form::Bits* y,
                                std::int64_t count, [[maybe_unused]] float* grads,
                                [[maybe_unused]] float* ys, double* sum) {
  if constexpr (std::is_same_v<Form, Float>) {
    for (std::int64_t i = 0; i < count; i += Form::kInLine) {
      prefetch(grad + i);
      prefetch(y + i);
    }
    *sum += dot(grad, y, count);
  } else {
    *sum += narrow_dot<Form, true>(grad, y, count, grads, ys);
  }
}

template <class Form>
SIM_AVX512 void sum_step(const std::byte* grad_bytes, const std::byte* y_bytes, std::int64_t count,
                         double* sum) {
  const auto* grad = reinterpret_cast<const typename Form::Bits*>(grad_bytes);
  const auto* y = reinterpret_cast<const typename Form::Bits*>(y_bytes);
  if constexpr (std::is_same_v<Form, Float>) {
    dot_loop<Form>(grad, y, count, nullptr, nullptr, sum);
  } else {
    *sum += narrow_dot<Form, false>(grad, y, count, nullptr, nullptr);
  }
}

template <class Form>
SIM_AVX512 void dot_step(const std::byte* grad, const std::byte* y, std::int64_t count,
                         float* grads, float* ys, double* sum) {
  using Bits = typename Form::Bits;
  dot_loop<Form>(reinterpret_cast<const Bits*>(grad), reinterpret_cast<const Bits*>(y), count,
                 grads, ys, sum);
}

struct Scale {
  __m512 high;
  __m512 low;

  SIM_AVX512_INLINE __m512 operator()(__m512 grad, __m512 y) const {
    return _mm512_mul_ps(y, _mm512_sub_ps(_mm512_sub_ps(grad, high), low));
  }
};

/// From values of one form to results of another.
template <class From, class Form, bool kBulk>
SIM_AVX512_INLINE void scale_loop(const typename From::Bits* grad, const typename From::Bits* y,
                                  std::int64_t count, const double* sum, typename Form::Bits* out) {
  // In two parts, so that float32 arithmetic keeps the sum's digits.
  const float high = static_cast<float>(*sum);
  const float low = high - high == 0 ? static_cast<float>(*sum - double(high)) : 0.0f;
  const Scale scale{_mm512_set1_ps(high), _mm512_set1_ps(low)};
  std::int64_t i = 0;
  for (; i + Form::kInLine <= count; i += Form::kInLine) {
    __m512i line;
    if constexpr (std::is_same_v<Form, Float>) {
      line = _mm512_castps_si512(scale(From::at(grad + i), From::at(y + i)));
    } else {
      line = Form::narrow(scale(From::at(grad + i), From::at(y + i)),
                          scale(From::at(grad + i + kLanes), From::at(y + i + kLanes)));
    }
    if constexpr (kBulk) {
      _mm512_stream_si512(reinterpret_cast<__m512i*>(out + i), line);
    } else {
      _mm512_storeu_si512(out + i, line);
    }
  }
  for (; i < count; ++i) {
    const float value = From::widen(y[i]) * ((From::widen(grad[i]) - high) - low);
    if constexpr (std::is_same_v<Form, Float>) {
      out[i] = value;
    } else {
      out[i] = Form::narrow(value);
    }
  }
}

template <class From, class Form>
SIM_AVX512_INLINE void scale_to(const typename From::Bits* grad, const typename From::Bits* y,
                                std::int64_t count, const double* sum, std::byte* to, bool bulk) {
  using Bits = typename Form::Bits;
  auto* out = reinterpret_cast<Bits*>(to);
  if (!bulk) return scale_loop<From, Form, false>(grad, y, count, sum, out);
  if (reinterpret_cast<std::uintptr_t>(to) % kLine == 0)
    return scale_loop<From, Form, true>(grad, y, count, sum, out);
  alignas(64) Bits results[kSoftmaxBlock];
  scale_loop<From, Form, false>(grad, y, count, sum, results);
  bulk_copy(to, results, std::size_t(count) * sizeof(Bits));
}

template <class Form>
SIM_AVX512 void scale_step(const float* grad, const float* y, std::int64_t count, const double* sum,
                           std::byte* to, bool bulk) {
  scale_to<Float, Form>(grad, y, count, sum, to, bulk);
}

template <class Form>
SIM_AVX512 void apply_step(const std::byte* grad, const std::byte* y, std::int64_t count,
                           const double* sum, std::byte* to, bool bulk) {
  using Bits = typename Form::Bits;
  scale_to<Form, Form>(reinterpret_cast<const Bits*>(grad), reinterpret_cast<const Bits*>(y), count,
                       sum, to, bulk);
}

template <class Form>
SIM_AVX512 bool rows_step(const std::byte* grad_bytes, const std::byte* y_bytes, std::int64_t rows,
                          std::int64_t length, std::byte* to) {
  using Bits = typename Form::Bits;
  if (length % Form::kInLine != 0 || length > kSoftmaxShortRow) return false;
  const auto* grad = reinterpret_cast<const Bits*>(grad_bytes);
  const auto* y = reinterpret_cast<const Bits*>(y_bytes);
  auto* out = reinterpret_cast<Bits*>(to);
  for (const Bits* end = grad + rows * length; grad != end;
       grad += length, y += length, out += length) {
    double sum = 0;
    if constexpr (std::is_same_v<Form, Float>) {
      dot_loop<Form>(grad, y, length, nullptr, nullptr, &sum);
      scale_loop<Form, Form, false>(grad, y, length, &sum, out);
    } else {
      alignas(64) float grads[kSoftmaxShortRow];
      alignas(64) float ys[kSoftmaxShortRow];
      dot_loop<Form>(grad, y, length, grads, ys, &sum);
      scale_loop<Float, Form, false>(grads, ys, length, &sum, out);
    }
  }
  return true;
}

SIM_AVX512 void float_dot(const float* grad, const float* y, std::int64_t count, double* sum) {
  *sum += dot(grad, y, count);
}

template <class Form>
SoftmaxSteps steps_of() {
  return {&dot_step<Form>, &scale_step<Form>, &rows_step<Form>, &sum_step<Form>, &apply_step<Form>};
}

}  // namespace

FloatDotFn softmax_dot() { return cpu_has_avx512() ? &float_dot : nullptr; }

SoftmaxSteps softmax_steps(aclDataType dtype) {
  if (!cpu_has_avx512()) return {};
  if (dtype == ACL_FLOAT) return steps_of<Float>();
  if (dtype == ACL_FLOAT16) return steps_of<Half>();
  if (dtype == ACL_BF16) return steps_of<Bfloat16>();
  return {};
}

}  // namespace pyaclnn::sim::wide

#else

namespace pyaclnn::sim::wide {

FloatDotFn softmax_dot() { return nullptr; }

SoftmaxSteps softmax_steps(aclDataType) { return {}; }

}  // namespace pyaclnn::sim::wide

#endif
