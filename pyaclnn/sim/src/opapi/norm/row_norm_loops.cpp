// SPDX-License-Identifier: MIT
#include "opapi/norm/row_norm_loops.hpp"

#include <algorithm>

#include "opapi/common/double_lanes.hpp"

#define SIM_LANES_CODE "opapi/norm/row_norm_loops_lanes.hpp"
#include "opapi/common/each_lanes.hpp"

namespace pyaclnn::sim {
namespace {

constexpr int kLanes = DoubleLanes::kLanes;
constexpr int kTogether = RowNormLoops::kTogether;

SIM_ALWAYS_INLINE double at(const void* values, std::int64_t i) {
  return double(static_cast<const float*>(values)[i]);
}
SIM_ALWAYS_INLINE void put(void* values, std::int64_t i, double value) {
  static_cast<float*>(values)[i] = static_cast<float>(value);
}

template <bool is_sum>
SIM_ALWAYS_INLINE double x_at(const Rows& rows, std::int64_t i) {
  return is_sum ? rows.factor * at(rows.x1, i) + at(rows.x2, i) : at(rows.x1, i);
}

template <bool is_sum>
void add_sums(const Rows* of, double* sums) {
  const Rows rows = *of;
  for (std::int64_t row = 0; row < rows.count; ++row, sums += 2) {
    const double* gamma = rows.gamma + rows.section(row);
    const std::int64_t first = row * rows.length;
    double plain[kLanes] = {};
    double product[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= rows.length; i += kLanes) {
      for (int k = 0; k < kLanes; ++k) {
        const double g = at(rows.grad, first + i + k) * gamma[i + k];
        plain[k] += g;
        product[k] = fma(g, x_at<is_sum>(rows, first + i + k), product[k]);
      }
    }
    double plain_rest = 0;
    double product_rest = 0;
    for (; i < rows.length; ++i) {
      const double g = at(rows.grad, first + i) * gamma[i];
      plain_rest += g;
      product_rest = fma(g, x_at<is_sum>(rows, first + i), product_rest);
    }
    sums[0] += DoubleLanes(plain).total() + plain_rest;
    sums[1] += DoubleLanes(product).total() + product_rest;
  }
}

template <bool is_sum, bool kAdds, int kRows>
SIM_ALWAYS_INLINE void write_some(const Rows& rows, std::int64_t row,
                                  const RowCoefficients* coefficients) {
  RowCoefficients of[kRows];
  std::copy_n(coefficients + row, kRows, of);
  const std::int64_t length = rows.length;
  const double* gamma = rows.gamma + rows.section(row);
  double* grad_gamma = rows.grad_gamma + rows.section(row);
  double* grad_beta = rows.grad_beta + rows.section(row);
  SIM_INDEPENDENT_ITERATIONS
  for (std::int64_t i = 0; i < length; ++i) {
    double sum = grad_gamma[i];
    double plain = grad_beta[i];
    for (int k = 0; k < kRows; ++k) {
      const std::int64_t place = (row + k) * length + i;
      const double grad = at(rows.grad, place);
      const double x = x_at<is_sum>(rows, place);
      const double gradient = fma(of[k].grad, grad * gamma[i], fma(of[k].x, x, of[k].constant));
      sum = fma(grad, fma(of[k].grad, x, of[k].shift), sum);
      plain += grad;
      put(rows.grad_x, place, kAdds ? gradient + at(rows.add, place) : gradient);
      if (is_sum) put(rows.grad_x1, place, rows.factor * gradient);
    }
    grad_gamma[i] = sum;
    grad_beta[i] = plain;
  }
}

template <bool is_sum, bool kAdds>
SIM_ALWAYS_INLINE void write(const Rows& rows, const RowCoefficients* coefficients) {
  std::int64_t row = 0;
  for (; rows.sections == 1 && row + kTogether <= rows.count; row += kTogether)
    write_some<is_sum, kAdds, kTogether>(rows, row, coefficients);
  for (; row < rows.count; ++row) write_some<is_sum, kAdds, 1>(rows, row, coefficients);
}

template <bool is_sum>
void write_gradients(const Rows* of, const RowCoefficients* coefficients) {
  const Rows rows = *of;
  if (rows.add == nullptr) {
    write<is_sum, false>(rows, coefficients);
  } else {
    write<is_sum, true>(rows, coefficients);
  }
}

template <bool is_sum>
constexpr RowNormLoops kFloats{&add_sums<is_sum>, &write_gradients<is_sum>};

}  // namespace

const RowNormLoops* RowNormLoops::in_place([[maybe_unused]] aclDataType dtype,
                                           [[maybe_unused]] bool is_sum) {
  return SIM_BY_LANES(row_norm_loops(dtype, is_sum));
}

const RowNormLoops& RowNormLoops::of_floats(bool is_sum) {
  if (const RowNormLoops* loops = in_place(ACL_FLOAT, is_sum)) return *loops;
  return is_sum ? kFloats<true> : kFloats<false>;
}

}  // namespace pyaclnn::sim
