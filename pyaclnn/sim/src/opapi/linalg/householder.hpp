// QR factorisation by Householder reflections, with the signs of LAPACK's.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/linalg/dense.hpp"

namespace pyaclnn::sim {

/// A matrix is Q R, where Q is a product of reflections.
template <class T>
class QrFactors {
 public:
  explicit QrFactors(Dense<T> matrix);

  /// The first columns of Q, at most as many as the matrix has rows.
  Dense<T> q(std::int64_t columns) const;
  /// The first rows of R, which is upper triangular.
  Dense<T> r(std::int64_t rows) const;

 private:
  void reflect(std::int64_t k);

  // R on the diagonal and above; below it the vector of each reflection, whose first element is 1.
  Dense<T> factors_;
  std::vector<T> taus_;
};

}  // namespace pyaclnn::sim
