// Layer or RMS normalisation of single rows of floats, for operators that do more with a row.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace pyaclnn::sim {

class OneRowNorm {
 public:
  struct Statistic {
    double mean = 0;
    double rstd = 0;
  };

  /// RMS normalisation without `has_mean`. An empty gamma is 1, an empty beta 0.
  OneRowNorm(std::int64_t length, bool has_mean, float eps, const std::vector<float>& gamma,
             const std::vector<float>& beta = {});

  std::int64_t length() const { return static_cast<std::int64_t>(gamma_.size()); }
  /// y may be x.
  Statistic normalise(const float* x, float* y) const;
  /// The gradient to x from that of y, whose sums for gamma and beta grow by those of this row.
  void add_gradient(const float* grad, const float* x, const Statistic& of, float* dx,
                    double* dgamma, double* dbeta) const;

 private:
  std::vector<double> gamma_;
  std::vector<double> beta_;
  float eps_;
  bool has_mean_;
};

}  // namespace pyaclnn::sim
