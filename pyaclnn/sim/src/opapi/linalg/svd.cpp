// SPDX-License-Identifier: MIT
#include "opapi/linalg/svd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "opapi/linalg/householder.hpp"

namespace pyaclnn::sim {
namespace {

constexpr int kMostSweeps = 60;  // ten or so are usual

template <class T>
void fill(T value, Dense<T>& matrix) {
  std::fill(matrix.row(0), matrix.row(0) + matrix.rows() * matrix.columns(), value);
}

template <class T>
double largest(const Dense<T>& matrix) {
  double result = 0;
  for (std::int64_t i = 0; i < matrix.rows(); ++i)
    for (std::int64_t j = 0; j < matrix.columns(); ++j) {
      const double size = std::abs(matrix(i, j));
      if (!std::isfinite(size)) return std::numeric_limits<double>::quiet_NaN();
      result = std::max(result, size);
    }
  return result;
}

/// x . y of two rows, the first conjugated.
template <class T>
T inner(const T* x, const T* y, std::int64_t count) {
  T sum(0);
  for (std::int64_t i = 0; i < count; ++i) sum += conjugate(x[i]) * y[i];
  return sum;
}

/// (x, y) = (cosine x - sine conj(phase) y, sine phase x + cosine y)
template <class T>
void rotate(double cosine, double sine, T phase, std::int64_t count, T* x, T* y) {
  for (std::int64_t i = 0; i < count; ++i) {
    const T a = x[i];
    const T b = y[i] * conjugate(phase);
    x[i] = cosine * a - sine * b;
    y[i] = (sine * a + cosine * b) * phase;
  }
}

/// Makes the rows of `rows` orthogonal by rotations, which `turns` takes part in.
template <class T>
void make_orthogonal(Dense<T>& rows, Dense<T>& turns) {
  const std::int64_t n = rows.rows();
  const std::int64_t m = rows.columns();
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    bool turned = false;
    for (std::int64_t p = 0; p + 1 < n; ++p) {
      for (std::int64_t q = p + 1; q < n; ++q) {
        const double a = std::real(inner(rows.row(p), rows.row(p), m));
        const double b = std::real(inner(rows.row(q), rows.row(q), m));
        const T c = inner(rows.row(p), rows.row(q), m);
        const double size = std::abs(c);
        if (size == 0 || size <= 1e-15 * std::sqrt(a) * std::sqrt(b)) continue;
        turned = true;
        const double zeta = (b - a) / (2 * size);
        const double tangent = (zeta >= 0 ? 1.0 : -1.0) / (std::abs(zeta) + std::hypot(1.0, zeta));
        const double cosine = 1 / std::hypot(1.0, tangent);
        const T phase = c / size;
        rotate(cosine, cosine * tangent, phase, m, rows.row(p), rows.row(q));
        rotate(cosine, cosine * tangent, phase, n, turns.row(p), turns.row(q));
      }
    }
    if (!turned) return;
  }
}

template <class T>
Dense<T> unit(std::int64_t n) {
  Dense<T> result(n, n);
  for (std::int64_t i = 0; i < n; ++i) result(i, i) = T(1);
  return result;
}

/// Of a square matrix with elements of at most 1.
template <class T>
SvdFactors<T> factor_square(const Dense<T>& matrix) {
  const std::int64_t n = matrix.rows();
  // Columns are turned; here they are rows, which lie densely. W = A V, and row j of `columns` is
  // column j of W.
  Dense<T> columns(n, n);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) columns(j, i) = matrix(i, j);
  Dense<T> turns = unit<T>(n);
  make_orthogonal(columns, turns);

  std::vector<double> lengths(static_cast<std::size_t>(n));
  for (std::int64_t j = 0; j < n; ++j)
    lengths[std::size_t(j)] = std::sqrt(std::real(inner(columns.row(j), columns.row(j), n)));
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return lengths[std::size_t(a)] > lengths[std::size_t(b)];
  });

  SvdFactors<T> result;
  result.v = Dense<T>(n, n);
  Dense<T> left(n, n);
  const double least = n == 0 ? 0 : lengths[std::size_t(order[0])] * 1e-14 * double(n);
  std::int64_t rank = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    const std::int64_t from = order[std::size_t(j)];
    const double length = lengths[std::size_t(from)];
    result.values.push_back(length);
    for (std::int64_t i = 0; i < n; ++i) result.v(i, j) = turns(from, i);
    if (length <= least) continue;
    rank = j + 1;
    for (std::int64_t i = 0; i < n; ++i) left(i, j) = columns(from, i) / length;
  }
  if (rank < n) {
    // The directions that a singular matrix does not reach: any that are orthogonal to the others.
    Dense<T> reached(n, rank);
    for (std::int64_t i = 0; i < n; ++i) std::copy(left.row(i), left.row(i) + rank, reached.row(i));
    const Dense<T> all = QrFactors<T>(std::move(reached)).q(n);
    for (std::int64_t i = 0; i < n; ++i)
      std::copy(all.row(i) + rank, all.row(i) + n, left.row(i) + rank);
  }
  result.u = std::move(left);
  return result;
}

/// Of a matrix with at least as many rows as columns and elements of at most 1.
template <class T>
SvdFactors<T> factor_tall(Dense<T> matrix, bool full) {
  const std::int64_t m = matrix.rows();
  const std::int64_t n = matrix.columns();
  const QrFactors<T> factors(std::move(matrix));
  SvdFactors<T> result = factor_square(factors.r(n));
  // What R's matrix does not turn stays as Q has it.
  Dense<T> u = factors.q(full ? m : n);
  std::vector<T> turned(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < m; ++i) {
    std::fill(turned.begin(), turned.end(), T(0));
    for (std::int64_t k = 0; k < n; ++k) add_multiple(u(i, k), result.u.row(k), n, turned.data());
    std::copy(turned.begin(), turned.end(), u.row(i));
  }
  result.u = std::move(u);
  return result;
}

}  // namespace

template <class T>
SvdFactors<T> factor_svd(const Dense<T>& matrix, bool full) {
  const bool wide = matrix.rows() < matrix.columns();
  const double scale = largest(matrix);
  SvdFactors<T> result;
  if (std::isnan(scale)) {
    const std::int64_t count = std::min(matrix.rows(), matrix.columns());
    result.u = Dense<T>(matrix.rows(), full ? matrix.rows() : count);
    result.v = Dense<T>(matrix.columns(), full ? matrix.columns() : count);
    fill(T(scale), result.u);
    fill(T(scale), result.v);
    result.values.assign(std::size_t(count), scale);
    return result;
  }
  Dense<T> tall = wide ? matrix.adjoint() : matrix;
  if (scale > 0) {
    for (std::int64_t i = 0; i < tall.rows(); ++i)
      for (std::int64_t j = 0; j < tall.columns(); ++j) tall(i, j) /= scale;
  }
  result = factor_tall(std::move(tall), full);
  for (double& value : result.values) value *= scale;
  if (wide) std::swap(result.u, result.v);
  return result;
}

template SvdFactors<double> factor_svd(const Dense<double>&, bool);
template SvdFactors<Complex128> factor_svd(const Dense<Complex128>&, bool);

}  // namespace pyaclnn::sim
