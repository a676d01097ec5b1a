// SPDX-License-Identifier: MIT
#include "opapi/linalg/lu.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "opapi/common/cpu_wide.hpp"
#include "opapi/linalg/triangular.hpp"

namespace pyaclnn::sim {
namespace {

/// Takes multiples of row k of a square matrix from those below it, and puts the factors in the
/// place of the zeros.
template <class T>
struct Eliminate {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(T* matrix, std::int64_t n, std::int64_t k) {
    const T* const pivots = matrix + k * n;
    for (std::int64_t i = k + 1; i < n; ++i) {
      T* const row = matrix + i * n;
      const T factor = row[k] / pivots[k];
      row[k] = factor;
      if (factor != T(0)) add_multiple(-factor, pivots + k + 1, n - k - 1, row + k + 1);
    }
  }
};

}  // namespace

template <class T>
LuFactors<T> factor_lu(Dense<T> matrix) {
  const auto eliminate = wide_loop_for_cpu<Eliminate<T>, T*, std::int64_t, std::int64_t>();
  const std::int64_t n = matrix.rows();
  LuFactors<T> result;
  result.row_from.resize(std::size_t(n));
  std::iota(result.row_from.begin(), result.row_from.end(), std::int64_t(0));
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t best = k;
    for (std::int64_t i = k + 1; i < n; ++i)
      if (std::abs(matrix(i, k)) > std::abs(matrix(best, k))) best = i;
    if (best != k) {
      std::swap_ranges(matrix.row(k), matrix.row(k) + n, matrix.row(best));
      std::swap(result.row_from[std::size_t(k)], result.row_from[std::size_t(best)]);
      result.sign = -result.sign;
    }
    if (matrix(k, k) == T(0)) {
      // What is below it is zero, too.
      result.singular = true;
      continue;
    }
    eliminate(matrix.row(0), n, k);
  }
  result.lu = std::move(matrix);
  return result;
}

template <class T>
Dense<T> inverse(const LuFactors<T>& factors) {
  const std::int64_t n = factors.lu.rows();
  Dense<T> result(n, n);
  for (std::int64_t i = 0; i < n; ++i) result(i, factors.row_from[std::size_t(i)]) = T(1);
  solve_lower(factors.lu, true, result);
  solve_upper(factors.lu, false, result);
  return result;
}

template LuFactors<double> factor_lu(Dense<double>);
template LuFactors<Complex128> factor_lu(Dense<Complex128>);
template Dense<double> inverse(const LuFactors<double>&);
template Dense<Complex128> inverse(const LuFactors<Complex128>&);

}  // namespace pyaclnn::sim
