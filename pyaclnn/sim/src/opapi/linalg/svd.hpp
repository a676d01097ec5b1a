// Singular values: a bidiagonal matrix by reflections, made diagonal by QR steps.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "opapi/linalg/dense.hpp"

namespace pyaclnn::sim {

/// A matrix is U diag(values) V^H; values descend.
template <class T>
struct SvdFactors {
  Dense<T> u;
  Dense<T> v;
  std::vector<double> values;
};

/// `full`: U and V are square; else they have as many columns as there are values. Without
/// `wants_vectors` they are empty, and take no time. NaN throughout of a matrix with numbers that
/// are not finite.
template <class T>
SvdFactors<T> factor_svd(const Dense<T>& matrix, bool full, bool wants_vectors);

}  // namespace pyaclnn::sim
