// SPDX-License-Identifier: MIT
#include "opapi/linalg/cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace pyaclnn::sim {

Dense<double> cholesky(Dense<double> matrix) {
  const std::int64_t n = matrix.rows();
  for (std::int64_t i = 0; i < n; ++i) {
    double* row = matrix.row(i);
    for (std::int64_t j = 0; j <= i; ++j) {
      double sum = row[j];
      for (std::int64_t k = 0; k < j; ++k) sum -= row[k] * matrix(j, k);
      row[j] = j == i ? std::sqrt(sum) : sum / matrix(j, j);
    }
    std::fill(row + i + 1, row + n, 0.0);
  }
  return matrix;
}

}  // namespace pyaclnn::sim
