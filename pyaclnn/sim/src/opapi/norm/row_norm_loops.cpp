// SPDX-License-Identifier: MIT
#include "opapi/norm/row_norm_loops.hpp"

#include <algorithm>

#include "opapi/common/double_lanes.hpp"
#include "opapi/norm/precision.hpp"

#define SIM_LANES_CODE "opapi/norm/row_norm_loops_lanes.hpp"
#include "opapi/common/each_lanes.hpp"

namespace pyaclnn::sim {
namespace {

constexpr int kLanes = DoubleLanes::kLanes;
constexpr int kTogether = RowNormLoops::kTogether;

// A Number is what elements are computed as: float or double.

template <class Number>
SIM_ALWAYS_INLINE Number at(const void* values, std::int64_t i) {
  return Number(static_cast<const float*>(values)[i]);
}
template <class Number>
SIM_ALWAYS_INLINE void put(void* values, std::int64_t i, Number value) {
  static_cast<float*>(values)[i] = static_cast<float>(value);
}

template <class Number, bool is_sum>
SIM_ALWAYS_INLINE Number x_at(const Rows& rows, std::int64_t i) {
  const auto x1 = at<Number>(rows.x1, i);
  return is_sum ? fma(Number(rows.factor), x1, at<Number>(rows.x2, i)) : x1;
}

template <class Number, bool is_sum>
SIM_ALWAYS_INLINE void add(const Rows& rows, std::int64_t i, float gamma, double& plain,
                           double& product) {
  const auto g = double(at<Number>(rows.grad, i) * Number(gamma));
  plain += g;
  product = fma(g, double(x_at<Number, is_sum>(rows, i)), product);
}

template <class Number, bool is_sum>
void add_sums(const Rows* of, double* sums) {
  const Rows rows = *of;
  for (std::int64_t row = 0; row < rows.count; ++row, sums += 2) {
    const float* gamma = rows.gamma + rows.section(row);
    const std::int64_t first = row * rows.length;
    double plain[kLanes] = {};
    double product[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= rows.length; i += kLanes)
      for (int k = 0; k < kLanes; ++k)
        add<Number, is_sum>(rows, first + i + k, gamma[i + k], plain[k], product[k]);
    double plain_rest = 0;
    double product_rest = 0;
    for (; i < rows.length; ++i)
      add<Number, is_sum>(rows, first + i, gamma[i], plain_rest, product_rest);
    sums[0] += DoubleLanes(plain).total() + plain_rest;
    sums[1] += DoubleLanes(product).total() + product_rest;
  }
}

template <class Number>
struct Coefficients {
  Coefficients() = default;
  explicit Coefficients(const RowCoefficients& of)
      : rstd(Number(of.rstd)),
        shift(Number(of.shift)),
        slope(Number(of.slope)),
        constant(Number(of.constant)) {}

  Number rstd;
  Number shift;
  Number slope;
  Number constant;
};

template <class Number, bool is_sum, bool kAdds, int kRows>
SIM_ALWAYS_INLINE void write_some(const Rows& rows, std::int64_t row,
                                  const RowCoefficients* coefficients) {
  Coefficients<Number> of[kRows];
  for (int k = 0; k < kRows; ++k) of[k] = Coefficients<Number>(coefficients[row + k]);
  const std::int64_t length = rows.length;
  const float* gamma = rows.gamma + rows.section(row);
  double* grad_gamma = rows.grad_gamma + rows.section(row);
  double* grad_beta = rows.grad_beta + rows.section(row);
  SIM_INDEPENDENT_ITERATIONS
  for (std::int64_t i = 0; i < length; ++i) {
    Number sum = 0;
    Number plain = 0;
    for (int k = 0; k < kRows; ++k) {
      const std::int64_t place = (row + k) * length + i;
      const auto grad = at<Number>(rows.grad, place);
      const Number normal = fma(of[k].rstd, x_at<Number, is_sum>(rows, place), of[k].shift);
      const Number gradient =
          fma(of[k].rstd, grad * Number(gamma[i]), fma(of[k].slope, normal, of[k].constant));
      sum = fma(grad, normal, sum);
      plain += grad;
      put(rows.grad_x, place, kAdds ? gradient + at<Number>(rows.add, place) : gradient);
      if (is_sum) put(rows.grad_x1, place, Number(rows.factor) * gradient);
    }
    grad_gamma[i] += double(sum);
    grad_beta[i] += double(plain);
  }
}

template <class Number, bool is_sum, bool kAdds>
SIM_ALWAYS_INLINE void write(const Rows& rows, const RowCoefficients* coefficients) {
  std::int64_t row = 0;
  for (; rows.sections == 1 && row + kTogether <= rows.count; row += kTogether)
    write_some<Number, is_sum, kAdds, kTogether>(rows, row, coefficients);
  for (; row < rows.count; ++row) write_some<Number, is_sum, kAdds, 1>(rows, row, coefficients);
}

template <class Number, bool is_sum>
void write_gradients(const Rows* of, const RowCoefficients* coefficients) {
  const Rows rows = *of;
  if (rows.add == nullptr) {
    write<Number, is_sum, false>(rows, coefficients);
  } else {
    write<Number, is_sum, true>(rows, coefficients);
  }
}

template <class Number, bool is_sum>
constexpr RowNormLoops kLoops{&add_sums<Number, is_sum>, &write_gradients<Number, is_sum>};

template <class Number>
const RowNormLoops& loops_of(bool is_sum) {
  return is_sum ? kLoops<Number, true> : kLoops<Number, false>;
}

}  // namespace

const RowNormLoops* RowNormLoops::in_place([[maybe_unused]] aclDataType dtype,
                                           [[maybe_unused]] bool is_sum) {
  return SIM_BY_LANES(row_norm_loops(dtype, false, is_sum));
}

const RowNormLoops& RowNormLoops::of_floats(aclDataType dtype, bool is_sum) {
  const RowNormLoops* lanes = SIM_BY_LANES(row_norm_loops(dtype, true, is_sum));
  if (lanes != nullptr) return *lanes;
  return is_computed_in_floats(dtype) ? loops_of<float>(is_sum) : loops_of<double>(is_sum);
}

}  // namespace pyaclnn::sim
