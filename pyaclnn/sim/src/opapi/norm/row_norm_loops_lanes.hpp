// RowNormLoops in registers of 16 numbers, and for what is left of a row of one. Compiled by
// each_lanes.hpp.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "opapi/common/lanes.hpp"
#include "opapi/norm/precision.hpp"
#include "opapi/norm/row_norm_loops.hpp"

namespace pyaclnn::sim::SIM_LANES {
namespace {

constexpr int kTogether = RowNormLoops::kTogether;

SIM_LANES_INLINE float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
SIM_LANES_INLINE double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

// What elements are computed as: 16 of them in registers, or one.
struct InFloats {
  using Some = Floats;
  using One = float;
};
struct InDoubles {
  using Some = Doubles;
  using One = double;
};

template <class Number>
constexpr bool kIsOne = std::is_floating_point_v<Number>;

template <class Number>
SIM_LANES_INLINE Number numbers_of(double value) {
  if constexpr (kIsOne<Number>)
    return static_cast<Number>(value);
  else if constexpr (std::is_same_v<Number, Floats>)
    return Floats::of(static_cast<float>(value));
  else
    return Doubles::of(value);
}
template <class Form, class Number>
SIM_LANES_INLINE Number numbers_at(const void* from, std::int64_t i) {
  const auto* at = static_cast<const typename Form::Bits*>(from) + i;
  if constexpr (kIsOne<Number>)
    return Number(Form::value(*at));
  else if constexpr (std::is_same_v<Number, Floats>)
    return Form::at(at);
  else
    return Form::doubles_at(at);
}
SIM_LANES_INLINE double widened(double number) { return number; }
SIM_LANES_INLINE Doubles widened(const Doubles& numbers) { return numbers; }
SIM_LANES_INLINE Doubles widened(Floats numbers) { return Doubles::of(numbers); }
SIM_LANES_INLINE void add_to(double* sum, double number) { *sum += number; }
SIM_LANES_INLINE void add_to(double* sum, const Doubles& numbers) {
  (Doubles::at(sum) + numbers).store(sum);
}
SIM_LANES_INLINE Floats narrowed(Floats numbers) { return numbers; }
SIM_LANES_INLINE Floats narrowed(const Doubles& numbers) { return numbers.narrowed(); }
template <class Form, class Number>
SIM_LANES_INLINE void put(void* to, std::int64_t i, const Number& numbers) {
  auto* at = static_cast<typename Form::Bits*>(to) + i;
  if constexpr (kIsOne<Number>)
    *at = Form::bits(static_cast<float>(numbers));
  else
    Form::put(at, narrowed(numbers));
}

template <class Form, bool is_sum, class Number>
SIM_LANES_INLINE Number x_at(const Rows& rows, std::int64_t i) {
  const Number x1 = numbers_at<Form, Number>(rows.x1, i);
  if constexpr (is_sum)
    return fused(numbers_of<Number>(rows.factor), x1, numbers_at<Form, Number>(rows.x2, i));
  return x1;
}

template <class Form, bool is_sum, class Number, class Sum>
SIM_LANES_INLINE void add(const Rows& rows, std::int64_t i, const float* gamma, Sum& plain,
                          Sum& product) {
  const Sum g =
      widened(numbers_at<Form, Number>(rows.grad, i) * numbers_at<OfFloats, Number>(gamma, 0));
  plain = plain + g;
  product = fused(g, widened(x_at<Form, is_sum, Number>(rows, i)), product);
}

template <class Form, class In, bool is_sum>
SIM_LANES_LOOP void add_sums(const Rows* of, double* sums) {
  const Rows rows = *of;
  for (std::int64_t row = 0; row < rows.count; ++row, sums += 2) {
    const float* gamma = rows.gamma + rows.section(row);
    const std::int64_t first = row * rows.length;
    Doubles plain = Doubles::of(0.0);
    Doubles product = plain;
    std::int64_t i = 0;
    for (; i + kLanes <= rows.length; i += kLanes)
      add<Form, is_sum, typename In::Some>(rows, first + i, gamma + i, plain, product);
    double plain_rest = 0;
    double product_rest = 0;
    for (; i < rows.length; ++i)
      add<Form, is_sum, typename In::One>(rows, first + i, gamma + i, plain_rest, product_rest);
    sums[0] += plain.total() + plain_rest;
    sums[1] += product.total() + product_rest;
  }
}

template <class Form, bool is_sum, bool kAdds, int kRows, class Number>
SIM_LANES_INLINE void write_column(const Rows& rows, std::int64_t first, const float* gamma,
                                   const RowCoefficients* of, double* grad_gamma,
                                   double* grad_beta) {
  const Number of_column = numbers_at<OfFloats, Number>(gamma, 0);
  Number sum = numbers_of<Number>(0);
  Number plain = sum;
  for (int k = 0; k < kRows; ++k) {
    const std::int64_t at = first + k * rows.length;
    const Number grad = numbers_at<Form, Number>(rows.grad, at);
    const Number rstd = numbers_of<Number>(of[k].rstd);
    const Number normal =
        fused(rstd, x_at<Form, is_sum, Number>(rows, at), numbers_of<Number>(of[k].shift));
    const Number from_x =
        fused(numbers_of<Number>(of[k].slope), normal, numbers_of<Number>(of[k].constant));
    const Number gradient = fused(rstd, grad * of_column, from_x);
    sum = fused(grad, normal, sum);
    plain = plain + grad;
    if constexpr (kAdds) {
      put<Form>(rows.grad_x, at, gradient + numbers_at<Form, Number>(rows.add, at));
    } else {
      put<Form>(rows.grad_x, at, gradient);
    }
    if constexpr (is_sum) put<Form>(rows.grad_x1, at, numbers_of<Number>(rows.factor) * gradient);
  }
  add_to(grad_gamma, widened(sum));
  add_to(grad_beta, widened(plain));
}

template <class Form, class In, bool is_sum, bool kAdds, int kRows>
SIM_LANES_INLINE void write_some(const Rows& rows, std::int64_t row,
                                 const RowCoefficients* coefficients) {
  RowCoefficients of[kRows];
  std::copy_n(coefficients + row, kRows, of);
  const std::int64_t first = row * rows.length;
  const float* gamma = rows.gamma + rows.section(row);
  double* grad_gamma = rows.grad_gamma + rows.section(row);
  double* grad_beta = rows.grad_beta + rows.section(row);
  std::int64_t i = 0;
  for (; i + kLanes <= rows.length; i += kLanes)
    write_column<Form, is_sum, kAdds, kRows, typename In::Some>(rows, first + i, gamma + i, of,
                                                                grad_gamma + i, grad_beta + i);
  for (; i < rows.length; ++i)
    write_column<Form, is_sum, kAdds, kRows, typename In::One>(rows, first + i, gamma + i, of,
                                                               grad_gamma + i, grad_beta + i);
}

template <class Form, class In, bool is_sum, bool kAdds>
SIM_LANES_INLINE void write(const Rows& rows, const RowCoefficients* coefficients) {
  std::int64_t row = 0;
  for (; rows.sections == 1 && row + kTogether <= rows.count; row += kTogether)
    write_some<Form, In, is_sum, kAdds, kTogether>(rows, row, coefficients);
  for (; row < rows.count; ++row) write_some<Form, In, is_sum, kAdds, 1>(rows, row, coefficients);
}

template <class Form, class In, bool is_sum>
SIM_LANES_LOOP void write_gradients(const Rows* of, const RowCoefficients* coefficients) {
  const Rows rows = *of;
  if (rows.add == nullptr) {
    write<Form, In, is_sum, false>(rows, coefficients);
  } else {
    write<Form, In, is_sum, true>(rows, coefficients);
  }
}

template <class Form, class In, bool is_sum>
constexpr RowNormLoops kLoops{&add_sums<Form, In, is_sum>, &write_gradients<Form, In, is_sum>};

template <class Form, class In>
const RowNormLoops* loops_of(bool is_sum) {
  return is_sum ? &kLoops<Form, In, true> : &kLoops<Form, In, false>;
}

/// `converted`: the elements lie as floats, which were of this type.
const RowNormLoops* row_norm_loops(aclDataType dtype, bool converted, bool is_sum) {
  if (converted)
    return is_computed_in_floats(dtype) ? loops_of<OfFloats, InFloats>(is_sum)
                                        : loops_of<OfFloats, InDoubles>(is_sum);
  if (dtype == ACL_FLOAT) return loops_of<OfFloats, InDoubles>(is_sum);
  if (dtype == ACL_FLOAT16) return loops_of<OfHalves, InFloats>(is_sum);
  if (dtype == ACL_BF16) return loops_of<OfBfloat16s, InFloats>(is_sum);
  return nullptr;
}

}  // namespace
}  // namespace pyaclnn::sim::SIM_LANES
