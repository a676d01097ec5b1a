// The softmax gradient's steps with registers of 16 floats. Compiled by each_lanes.hpp.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <type_traits>

#include "core/bulk_copy.hpp"
#include "opapi/common/lanes.hpp"
#include "opapi/pointwise/base_two_lanes.hpp"
#include "opapi/softmax/softmax_grad_wide.hpp"

namespace pyaclnn::sim::SIM_LANES {
namespace {

using wide::kSoftmaxBlock;
using wide::kSoftmaxShortRow;

constexpr std::size_t kLine = 64;
// Memory asked for before it is read, in bytes of each operand, while the processor computes:
// 16 Mi float32 values take 4.2 ms in place of 5.1, 4.4 with 8 KiB.
constexpr std::size_t kAhead = 2048;

template <class Form>
constexpr int kInLine = kLine / sizeof(typename Form::Bits);
template <class Form>
constexpr bool kIsFloat = std::is_same_v<Form, OfFloats>;

SIM_ALWAYS_INLINE void prefetch(const void* from) {
  __builtin_prefetch(static_cast<const std::byte*>(from) + kAhead);
}

/// What values of the gradient are multiplied with: y, or 1 for the logarithm.
template <bool kLog>
SIM_LANES_INLINE Doubles factors_at(const float* y) {
  return kLog ? Doubles::of(1.0) : OfFloats::doubles_at(y);
}

/// Products of floats are exact in float64, so that fusing the addition changes nothing.
template <bool kLog>
SIM_LANES_INLINE double dot(const float* grad, const float* y, std::int64_t count) {
  Doubles sum = Doubles::of(0.0);
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    sum = fused(OfFloats::doubles_at(grad + i), factors_at<kLog>(y + i), sum);
  double first = sum.first();
  for (; i < count; ++i) first += double(grad[i]) * (kLog ? 1.0 : double(y[i]));
  return sum.with_first(first).total();
}

/// sum + grad * y for values of 16 bits, whose product a float holds: it is exact, but where it is
/// beyond a float's range, or so small that the gradient's digits end before it.
template <bool kLog>
SIM_LANES_INLINE Doubles with_products(const Doubles& sum, Floats grad, Floats y) {
  // Fused, though nothing is multiplied: additions share their units with conversions.
  return fused(Doubles::of(kLog ? grad : grad * y), Doubles::of(1.0), sum);
}

/// The sum over values of 16 bits, which are kept as floats if `kKeeps`.
template <class Form, bool kLog, bool kKeeps>
SIM_LANES_INLINE double narrow_dot(const std::uint16_t* grad, const std::uint16_t* y,
                                   std::int64_t count, float* grads, float* ys) {
  Doubles sum = Doubles::of(0.0);
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    prefetch(grad + i);
    const Floats of_grad = Form::at(grad + i);
    Floats of_y = of_grad;
    if constexpr (!kLog || kKeeps) {
      prefetch(y + i);
      of_y = Form::at(y + i);
    }
    if constexpr (kKeeps) {
      of_grad.store(grads + i);
      of_y.store(ys + i);
    }
    sum = with_products<kLog>(sum, of_grad, of_y);
  }
  double first = sum.first();
  for (; i < count; ++i) {
    const float of_grad = Form::value(grad[i]);
    const float of_y = Form::value(y[i]);
    if constexpr (kKeeps) {
      grads[i] = of_grad;
      ys[i] = of_y;
    }
    first += double(of_grad) * (kLog ? 1.0 : double(of_y));
  }
  return sum.with_first(first).total();
}

template <class Form, bool kLog>
SIM_LANES_INLINE void dot_loop(const typename Form::Bits* grad, const typename Form::Bits* y,
                               std::int64_t count, [[maybe_unused]] float* grads,
                               [[maybe_unused]] float* ys, double* sum) {
  if constexpr (kIsFloat<Form>) {
    for (std::int64_t i = 0; i < count; i += kInLine<Form>) {
      prefetch(grad + i);
      prefetch(y + i);
    }
    *sum += dot<kLog>(grad, y, count);
  } else {
    *sum += narrow_dot<Form, kLog, true>(grad, y, count, grads, ys);
  }
}

template <class Form, bool kLog>
SIM_LANES_LOOP void sum_step(const std::byte* grad_bytes, const std::byte* y_bytes,
                             std::int64_t count, double* sum) {
  const auto* grad = reinterpret_cast<const typename Form::Bits*>(grad_bytes);
  const auto* y = reinterpret_cast<const typename Form::Bits*>(y_bytes);
  if constexpr (kIsFloat<Form>) {
    dot_loop<Form, kLog>(grad, y, count, nullptr, nullptr, sum);
  } else {
    *sum += narrow_dot<Form, kLog, false>(grad, y, count, nullptr, nullptr);
  }
}

template <class Form, bool kLog>
SIM_LANES_LOOP void dot_step(const std::byte* grad, const std::byte* y, std::int64_t count,
                             float* grads, float* ys, double* sum) {
  using Bits = typename Form::Bits;
  dot_loop<Form, kLog>(reinterpret_cast<const Bits*>(grad), reinterpret_cast<const Bits*>(y), count,
                       grads, ys, sum);
}

struct Scale {
  // In two parts, so that float32 arithmetic keeps the sum's digits.
  explicit SIM_LANES_INLINE Scale(double sum) {
    const float first = static_cast<float>(sum);
    const float rest = first - first == 0 ? static_cast<float>(sum - double(first)) : 0.0f;
    high = Floats::of(first);
    low = Floats::of(rest);
  }

  SIM_LANES_INLINE Floats operator()(Floats grad, Floats y) const {
    return y * ((grad - high) - low);
  }

  Floats high;
  Floats low;
};

struct LogScale {
  explicit SIM_LANES_INLINE LogScale(double sum) : total(Floats::of(static_cast<float>(sum))) {}

  SIM_LANES_INLINE Floats operator()(Floats grad, Floats y) const { return grad - exp(y) * total; }

  Floats total;
};

/// A cache line of results.
template <class From, class Form, bool kPast, class Step>
SIM_LANES_INLINE void put_line(const typename From::Bits* grad, const typename From::Bits* y,
                               const Step& step, typename Form::Bits* out) {
  const Floats first = step(From::at(grad), From::at(y));
  if constexpr (!kIsFloat<Form>) {
    Form::template put<kPast>(out, first, step(From::at(grad + kLanes), From::at(y + kLanes)));
  } else if constexpr (kPast) {
    first.store_past(out);
  } else {
    first.store(out);
  }
}

/// From values of one form to results of another.
template <class From, class Form, class Step, bool kPast>
SIM_LANES_INLINE void scale_loop(const typename From::Bits* grad, const typename From::Bits* y,
                                 std::int64_t count, const double* sum, typename Form::Bits* out) {
  constexpr int kWidth = kInLine<Form>;
  const Step step(*sum);
  std::int64_t i = 0;
  for (; i + kWidth <= count; i += kWidth)
    put_line<From, Form, kPast>(grad + i, y + i, step, out + i);
  if (i + kLanes <= count) {
    Form::put(out + i, step(From::at(grad + i), From::at(y + i)));
    i += kLanes;
  }
  if (i == count) return;
  typename From::Bits of_grad[kWidth] = {};
  typename From::Bits of_y[kWidth] = {};
  typename Form::Bits results[kWidth];
  std::copy(grad + i, grad + count, of_grad);
  std::copy(y + i, y + count, of_y);
  put_line<From, Form, false>(of_grad, of_y, step, results);
  std::copy_n(results, count - i, out + i);
}

template <class From, class Form, class Step>
SIM_LANES_INLINE void scale_to(const typename From::Bits* grad, const typename From::Bits* y,
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
SIM_LANES_LOOP void scale_step(const float* grad, const float* y, std::int64_t count,
                               const double* sum, std::byte* to, bool bulk) {
  scale_to<OfFloats, Form, Step>(grad, y, count, sum, to, bulk);
}

template <class Form, class Step>
SIM_LANES_LOOP void apply_step(const std::byte* grad, const std::byte* y, std::int64_t count,
                               const double* sum, std::byte* to, bool bulk) {
  using Bits = typename Form::Bits;
  scale_to<Form, Form, Step>(reinterpret_cast<const Bits*>(grad), reinterpret_cast<const Bits*>(y),
                             count, sum, to, bulk);
}

template <class Form, bool kLog>
SIM_LANES_LOOP bool rows_step(const std::byte* grad_bytes, const std::byte* y_bytes,
                              std::int64_t rows, std::int64_t length, std::byte* to) {
  using Bits = typename Form::Bits;
  using Step = std::conditional_t<kLog, LogScale, Scale>;
  if (length % kLanes != 0 || length > kSoftmaxShortRow) return false;
  const auto* grad = reinterpret_cast<const Bits*>(grad_bytes);
  const auto* y = reinterpret_cast<const Bits*>(y_bytes);
  auto* out = reinterpret_cast<Bits*>(to);
  // First the sums of several: a row would wait for its own.
  constexpr std::int64_t kSome = 8;
  while (rows > 0) {
    const std::int64_t some = std::min(kSome, rows);
    double sums[kSome] = {};
    if constexpr (kIsFloat<Form>) {
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
        scale_loop<OfFloats, Form, Step, false>(grads[i], ys[i], length, &sums[i],
                                                out + i * length);
    }
    grad += some * length;
    y += some * length;
    out += some * length;
    rows -= some;
  }
  return true;
}

SIM_LANES_LOOP void float_dot(const float* grad, const float* y, std::int64_t count, double* sum) {
  *sum += dot<false>(grad, y, count);
}

wide::FloatDotFn softmax_dot() { return &float_dot; }

template <class Form, bool kLog>
wide::SoftmaxSteps steps_of() {
  using Step = std::conditional_t<kLog, LogScale, Scale>;
  return {&dot_step<Form, kLog>, &scale_step<Form, Step>, &rows_step<Form, kLog>,
          &sum_step<Form, kLog>, &apply_step<Form, Step>};
}

template <bool kLog>
wide::SoftmaxSteps steps_of(aclDataType dtype) {
  if (dtype == ACL_FLOAT) return steps_of<OfFloats, kLog>();
  if (dtype == ACL_FLOAT16) return steps_of<OfHalves, kLog>();
  if (dtype == ACL_BF16) return steps_of<OfBfloat16s, kLog>();
  return {};
}

wide::SoftmaxSteps softmax_steps(aclDataType dtype, bool logarithm) {
  return logarithm ? steps_of<true>(dtype) : steps_of<false>(dtype);
}

}  // namespace
}  // namespace pyaclnn::sim::SIM_LANES
