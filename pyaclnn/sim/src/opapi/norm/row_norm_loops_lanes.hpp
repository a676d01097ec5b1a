// RowNormLoops in registers of 16 numbers, and for what is left of a row of one. Compiled by
// each_lanes.hpp.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "opapi/common/lanes.hpp"
#include "opapi/norm/row_norm_loops.hpp"

namespace pyaclnn::sim::SIM_LANES {
namespace {

constexpr int kTogether = RowNormLoops::kTogether;

SIM_LANES_INLINE double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

template <class Number>
SIM_LANES_INLINE Number numbers_of(double value) {
  if constexpr (std::is_same_v<Number, double>)
    return value;
  else
    return Number::of(value);
}
template <class Number>
SIM_LANES_INLINE Number numbers_at(const double* from) {
  if constexpr (std::is_same_v<Number, double>)
    return *from;
  else
    return Number::at(from);
}
template <class Form, class Number>
SIM_LANES_INLINE Number numbers_at(const void* from, std::int64_t i) {
  const auto* at = static_cast<const typename Form::Bits*>(from) + i;
  if constexpr (std::is_same_v<Number, double>)
    return double(Form::value(*at));
  else
    return Form::doubles_at(at);
}
SIM_LANES_INLINE void store(double number, double* to) { *to = number; }
SIM_LANES_INLINE void store(const Doubles& numbers, double* to) { numbers.store(to); }
template <class Form>
SIM_LANES_INLINE void put(void* to, std::int64_t i, double number) {
  static_cast<typename Form::Bits*>(to)[i] = Form::bits(static_cast<float>(number));
}
template <class Form>
SIM_LANES_INLINE void put(void* to, std::int64_t i, const Doubles& numbers) {
  Form::put(static_cast<typename Form::Bits*>(to) + i, numbers.narrowed());
}

template <class Form, bool is_sum, class Number>
SIM_LANES_INLINE Number x_at(const Rows& rows, std::int64_t i) {
  const Number x1 = numbers_at<Form, Number>(rows.x1, i);
  if constexpr (is_sum)
    return numbers_of<Number>(rows.factor) * x1 + numbers_at<Form, Number>(rows.x2, i);
  return x1;
}

template <class Form, bool is_sum, class Number>
SIM_LANES_INLINE void add(const Rows& rows, std::int64_t i, const double* gamma, Number& plain,
                          Number& product) {
  const Number g = numbers_at<Form, Number>(rows.grad, i) * numbers_at<Number>(gamma);
  plain = plain + g;
  product = fused(g, x_at<Form, is_sum, Number>(rows, i), product);
}

template <class Form, bool is_sum>
SIM_LANES_LOOP void add_sums(const Rows* of, double* sums) {
  const Rows rows = *of;
  for (std::int64_t row = 0; row < rows.count; ++row, sums += 2) {
    const double* gamma = rows.gamma + rows.section(row);
    const std::int64_t first = row * rows.length;
    Doubles plain = Doubles::of(0.0);
    Doubles product = plain;
    std::int64_t i = 0;
    for (; i + kLanes <= rows.length; i += kLanes)
      add<Form, is_sum>(rows, first + i, gamma + i, plain, product);
    double plain_rest = 0;
    double product_rest = 0;
    for (; i < rows.length; ++i)
      add<Form, is_sum>(rows, first + i, gamma + i, plain_rest, product_rest);
    sums[0] += plain.total() + plain_rest;
    sums[1] += product.total() + product_rest;
  }
}

template <class Form, bool is_sum, bool kAdds, int kRows, class Number>
SIM_LANES_INLINE void write_column(const Rows& rows, std::int64_t first, const double* gamma,
                                   const RowCoefficients* of, double* grad_gamma,
                                   double* grad_beta) {
  Number sum = numbers_at<Number>(grad_gamma);
  Number plain = numbers_at<Number>(grad_beta);
  for (int k = 0; k < kRows; ++k) {
    const std::int64_t at = first + k * rows.length;
    const Number grad = numbers_at<Form, Number>(rows.grad, at);
    const Number x = x_at<Form, is_sum, Number>(rows, at);
    const Number factor = numbers_of<Number>(of[k].grad);
    const Number from_x = fused(numbers_of<Number>(of[k].x), x, numbers_of<Number>(of[k].constant));
    const Number gradient = fused(factor, grad * numbers_at<Number>(gamma), from_x);
    sum = fused(grad, fused(factor, x, numbers_of<Number>(of[k].shift)), sum);
    plain = plain + grad;
    if constexpr (kAdds) {
      put<Form>(rows.grad_x, at, gradient + numbers_at<Form, Number>(rows.add, at));
    } else {
      put<Form>(rows.grad_x, at, gradient);
    }
    if constexpr (is_sum) put<Form>(rows.grad_x1, at, numbers_of<Number>(rows.factor) * gradient);
  }
  store(sum, grad_gamma);
  store(plain, grad_beta);
}

template <class Form, bool is_sum, bool kAdds, int kRows>
SIM_LANES_INLINE void write_some(const Rows& rows, std::int64_t row,
                                 const RowCoefficients* coefficients) {
  RowCoefficients of[kRows];
  std::copy_n(coefficients + row, kRows, of);
  const std::int64_t first = row * rows.length;
  const double* gamma = rows.gamma + rows.section(row);
  double* grad_gamma = rows.grad_gamma + rows.section(row);
  double* grad_beta = rows.grad_beta + rows.section(row);
  std::int64_t i = 0;
  for (; i + kLanes <= rows.length; i += kLanes)
    write_column<Form, is_sum, kAdds, kRows, Doubles>(rows, first + i, gamma + i, of,
                                                      grad_gamma + i, grad_beta + i);
  for (; i < rows.length; ++i)
    write_column<Form, is_sum, kAdds, kRows, double>(rows, first + i, gamma + i, of, grad_gamma + i,
                                                     grad_beta + i);
}

template <class Form, bool is_sum, bool kAdds>
SIM_LANES_INLINE void write(const Rows& rows, const RowCoefficients* coefficients) {
  std::int64_t row = 0;
  for (; rows.sections == 1 && row + kTogether <= rows.count; row += kTogether)
    write_some<Form, is_sum, kAdds, kTogether>(rows, row, coefficients);
  for (; row < rows.count; ++row) write_some<Form, is_sum, kAdds, 1>(rows, row, coefficients);
}

template <class Form, bool is_sum>
SIM_LANES_LOOP void write_gradients(const Rows* of, const RowCoefficients* coefficients) {
  const Rows rows = *of;
  if (rows.add == nullptr) {
    write<Form, is_sum, false>(rows, coefficients);
  } else {
    write<Form, is_sum, true>(rows, coefficients);
  }
}

template <class Form, bool is_sum>
constexpr RowNormLoops kLoops{&add_sums<Form, is_sum>, &write_gradients<Form, is_sum>};

template <class Form>
const RowNormLoops* loops_of(bool is_sum) {
  return is_sum ? &kLoops<Form, true> : &kLoops<Form, false>;
}

const RowNormLoops* row_norm_loops(aclDataType dtype, bool is_sum) {
  if (dtype == ACL_FLOAT) return loops_of<OfFloats>(is_sum);
  if (dtype == ACL_FLOAT16) return loops_of<OfHalves>(is_sum);
  if (dtype == ACL_BF16) return loops_of<OfBfloat16s>(is_sum);
  return nullptr;
}

}  // namespace
}  // namespace pyaclnn::sim::SIM_LANES
