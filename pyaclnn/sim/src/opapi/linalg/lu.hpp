// LU factorisation with partial pivoting, for inverses and determinants.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/linalg/dense.hpp"

namespace pyaclnn::sim {

/// A square matrix with its rows exchanged is L U.
template <class T>
struct LuFactors {
  Dense<T> lu;                         // U, and below its diagonal L, whose own diagonal is ones
  std::vector<std::int64_t> row_from;  // row i of L U is this row of the matrix
  int sign = 1;                        // of the permutation: 1 or -1
  /// A pivot is zero: the matrix is singular, and so is U.
  bool singular = false;
};

/// The determinant is `sign` times the product of the diagonal of `lu`.
template <class T>
LuFactors<T> factor_lu(Dense<T> matrix);

/// The inverse; infinities and NaN of a singular matrix.
template <class T>
Dense<T> inverse(const LuFactors<T>& factors);

}  // namespace pyaclnn::sim
