// SPDX-License-Identifier: MIT
#include "opapi/norm/one_row.hpp"

#include <cmath>

#include "opapi/norm/forward_rows.hpp"

namespace pyaclnn::sim {
namespace {

std::vector<double> wide(const std::vector<float>& values, std::int64_t length, double otherwise) {
  std::vector<double> result(values.begin(), values.end());
  result.resize(std::size_t(length), otherwise);
  return result;
}

}  // namespace

OneRowNorm::OneRowNorm(std::int64_t length, bool has_mean, float eps,
                       const std::vector<float>& gamma, const std::vector<float>& beta)
    : gamma_(wide(gamma, length, 1)),
      beta_(wide(beta, length, 0)),
      eps_(eps),
      has_mean_(has_mean) {}

OneRowNorm::Statistic OneRowNorm::normalise(const float* x, float* y) const {
  const ForwardRows& rows = ForwardRows::of_floats();
  const float shift = has_mean_ ? shift_at(x[0]) : 0.0f;
  Moments moments;
  rows.add_moments(x, length(), shift, &moments, nullptr);
  if (!(has_mean_ ? moments.good(length()) : moments.in_range(length()))) {
    moments = {};
    rows.add_moments_exactly(x, length(), shift, &moments);
  }
  Statistic of;
  of.mean = has_mean_ ? moments.mean(double(shift), length()) : 0.0;
  const double variance =
      has_mean_ ? moments.variance(length()) : moments.squares / double(length());
  of.rstd = 1.0 / std::sqrt(variance + double(eps_));
  rows.scale(x, length(), of.mean, of.rstd, gamma_.data(), beta_.data(), y);
  return of;
}

void OneRowNorm::add_gradient(const float* grad, const float* x, const Statistic& of, float* dx,
                              double* dgamma, double* dbeta) const {
  double sum = 0;
  double product = 0;
  for (std::size_t i = 0; i < gamma_.size(); ++i) {
    const double normal = (double(x[i]) - of.mean) * of.rstd;
    dgamma[i] += double(grad[i]) * normal;
    dbeta[i] += double(grad[i]);
    sum += double(grad[i]) * gamma_[i];
    product += double(grad[i]) * gamma_[i] * normal;
  }
  const double count = double(length());
  const double mean = has_mean_ ? sum / count : 0.0;
  for (std::size_t i = 0; i < gamma_.size(); ++i) {
    const double normal = (double(x[i]) - of.mean) * of.rstd;
    dx[i] = float(of.rstd * (double(grad[i]) * gamma_[i] - mean - normal * product / count));
  }
}

}  // namespace pyaclnn::sim
