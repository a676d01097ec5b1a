// SPDX-License-Identifier: MIT
#include "opapi/linalg/svd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/thread_pool.hpp"
#include "opapi/linalg/householder.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kMostSweeps = 60;  // for each value; two or three are usual
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

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
  // Several sums, for one alone is not vectorised.
  constexpr std::int64_t kSums = 8;
  T sums[kSums] = {};
  std::int64_t i = 0;
  for (; i + kSums <= count; i += kSums)
    for (std::int64_t j = 0; j < kSums; ++j) sums[j] += conjugate(x[i + j]) * y[i + j];
  for (; i < count; ++i) sums[0] += conjugate(x[i]) * y[i];
  return std::accumulate(sums, sums + kSums, T(0));
}

/// How many rows or columns of so many elements are worth a thread.
std::int64_t grain_of(std::int64_t elements) {
  return std::max<std::int64_t>(1, 16384 / std::max<std::int64_t>(elements, 1));
}

/// A reflection 1 - tau v v^H that begins at an axis; v begins with 1.
template <class T>
struct Reflection {
  std::vector<T> v;
  T tau = T(0);
  double image = 0;

  /// The one whose adjoint maps x to `image` e1.
  explicit Reflection(std::vector<T> x) : v(std::move(x)) {
    double below = 0;
    for (std::size_t i = 1; i < v.size(); ++i) below = std::hypot(below, std::abs(v[i]));
    const T head = v[0];
    image = std::real(head);
    v[0] = T(1);
    if (below == 0 && head == T(image)) return;  // nothing to reflect
    const double length = std::hypot(std::abs(head), below);
    image = std::real(head) >= 0 ? -length : length;
    for (std::size_t i = 1; i < v.size(); ++i) v[i] /= head - T(image);
    tau = (T(image) - head) / image;
  }

  /// Rows from `first` on become row - tau (v^H row) v, from the axis where v begins.
  void reflect_rows(std::int64_t first, Dense<T>& matrix) const {
    if (tau == T(0)) return;
    const std::int64_t count(v.size());
    const std::int64_t begin = matrix.columns() - count;
    parallel_for(matrix.rows() - first, grain_of(count), [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t i = first + from; i < first + to; ++i) {
        T* row = matrix.row(i) + begin;
        add_multiple(-tau * inner(v.data(), row, count), v.data(), count, row);
      }
    });
  }

  /// The adjoint of the reflection times the last rows of a matrix, from a column on.
  void reflect_columns(std::int64_t column, Dense<T>& matrix) const {
    if (tau == T(0)) return;
    const std::int64_t count(v.size());
    const std::int64_t begin = matrix.rows() - count;
    const auto reflect = [&](std::int64_t from, std::int64_t to) {
      std::vector<T> sums(std::size_t(to - from));
      for (std::int64_t i = 0; i < count; ++i)
        add_multiple(conjugate(v[std::size_t(i)]), matrix.row(begin + i) + column + from, to - from,
                     sums.data());
      for (std::int64_t i = 0; i < count; ++i)
        add_multiple(-conjugate(tau) * v[std::size_t(i)], sums.data(), to - from,
                     matrix.row(begin + i) + column + from);
    };
    parallel_for(matrix.columns() - column, std::max<std::int64_t>(grain_of(count), 64), reflect);
  }
};

/// Q B P^H of a square matrix: B is real, with a diagonal and what stands above it.
template <class T>
struct Bidiagonal {
  std::vector<double> diagonal;
  std::vector<double> above;
  Dense<T> left;   // Its rows are the columns of Q.
  Dense<T> right;  // Its rows are the columns of P.

  Bidiagonal(Dense<T> matrix, bool wants_vectors) {
    const std::int64_t n = matrix.rows();
    std::vector<Reflection<T>> of_columns;
    std::vector<Reflection<T>> of_rows;
    for (std::int64_t k = 0; k < n; ++k) {
      std::vector<T> x(std::size_t(n - k));
      for (std::int64_t i = k; i < n; ++i) x[std::size_t(i - k)] = matrix(i, k);
      const Reflection<T>& column = of_columns.emplace_back(std::move(x));
      column.reflect_columns(k + 1, matrix);
      diagonal.push_back(column.image);
      if (k + 1 == n) break;
      std::vector<T> y(matrix.row(k) + k + 1, matrix.row(k) + n);
      for (T& value : y) value = conjugate(value);
      Reflection<T>& row = of_rows.emplace_back(std::move(y));
      // From the right the conjugate takes its place, as rows are not conjugated.
      for (T& value : row.v) value = conjugate(value);
      row.reflect_rows(k + 1, matrix);
      for (T& value : row.v) value = conjugate(value);
      above.push_back(row.image);
    }
    if (!wants_vectors) return;
    left = product(of_columns, n);
    right = product(of_rows, n);
  }

 private:
  /// The columns of the product of the reflections, as rows.
  static Dense<T> product(const std::vector<Reflection<T>>& reflections, std::int64_t n) {
    Dense<T> result(n, n);
    for (std::int64_t i = 0; i < n; ++i) result(i, i) = T(1);
    // The columns before an axis are those of the unit matrix until then.
    for (std::size_t k = reflections.size(); k-- > 0;)
      reflections[k].reflect_rows(n - std::int64_t(reflections[k].v.size()), result);
    return result;
  }
};

/// Rotations of rows that are done later, many at once for as many columns as a cache holds.
template <class T>
class Turns {
 public:
  /// Nothing is turned where `rows` is null.
  explicit Turns(Dense<T>* rows) : rows_(rows) {}

  /// Rows p and q become c p + s q and c q - s p.
  void add(std::int64_t p, std::int64_t q, double c, double s) {
    if (rows_ == nullptr) return;
    waiting_.push_back({p, q, c, s});
    if (std::int64_t(waiting_.size()) >= kMost) done();
  }

  /// Does those that wait.
  void done() {
    if (rows_ == nullptr) return;
    parallel_for(rows_->columns(), kColumns, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t begin = from; begin < to; begin += kColumns) {
        const std::int64_t count = std::min(kColumns, to - begin);
        for (const Turn& turn : waiting_) {
          T* x = rows_->row(turn.p) + begin;
          T* y = rows_->row(turn.q) + begin;
          for (std::int64_t i = 0; i < count; ++i) {
            const T a = x[i];
            const T b = y[i];
            x[i] = turn.c * a + turn.s * b;
            y[i] = turn.c * b - turn.s * a;
          }
        }
      }
    });
    waiting_.clear();
  }

 private:
  struct Turn {
    std::int64_t p, q;
    double c, s;
  };
  static constexpr std::int64_t kMost = 1 << 16;
  static constexpr std::int64_t kColumns = 64;

  Dense<T>* rows_;
  std::vector<Turn> waiting_;
};

struct Rotation {
  double c, s, length;

  /// The one that maps (f, g) to (length, 0).
  Rotation(double f, double g) : c(1), s(0), length(std::hypot(f, g)) {
    if (length == 0) return;
    c = f / length;
    s = g / length;
  }
};

/// Makes B diagonal by implicit QR steps with shifts (Golub and Kahan), whose rotations take part
/// in `left` and `right`.
template <class T>
class Diagonalisation {
 public:
  Diagonalisation(Bidiagonal<T>& of, bool wants_vectors)
      : d_(of.diagonal),
        e_(of.above),
        left_(wants_vectors ? &of.left : nullptr),
        right_(wants_vectors ? &of.right : nullptr) {}

  void run() {
    for (double value : d_) norm_ = std::max(norm_, std::abs(value));
    for (double value : e_) norm_ = std::max(norm_, std::abs(value));
    std::int64_t last = std::int64_t(d_.size()) - 1;
    for (std::int64_t left = kMostSweeps * (last + 1); last > 0 && left > 0; --left) {
      for (std::int64_t i = 0; i < last; ++i)
        if (std::abs(e(i)) <= kEpsilon * (std::abs(d(i)) + std::abs(d(i + 1)))) e(i) = 0;
      while (last > 0 && e(last - 1) == 0) --last;
      if (last == 0) break;
      std::int64_t first = last - 1;
      while (first > 0 && e(first - 1) != 0) --first;
      if (!split_at_zero(first, last)) step(first, last);
    }
    left_.done();
    right_.done();
  }

 private:
  double& d(std::int64_t i) { return d_[std::size_t(i)]; }
  double& e(std::int64_t i) { return e_[std::size_t(i)]; }

  /// Where a value of the diagonal is 0, frees it from what stands beside or above it.
  bool split_at_zero(std::int64_t first, std::int64_t last) {
    if (std::abs(d(last)) <= kEpsilon * norm_) {
      d(last) = 0;
      double f = std::exchange(e(last - 1), 0.0);
      for (std::int64_t i = last - 1; i >= first; --i) {
        const Rotation turn(d(i), f);
        d(i) = turn.length;
        right_.add(i, last, turn.c, turn.s);
        if (i == first) break;
        f = -turn.s * e(i - 1);
        e(i - 1) *= turn.c;
      }
      return true;
    }
    for (std::int64_t i = first; i < last; ++i) {
      if (std::abs(d(i)) > kEpsilon * norm_) continue;
      d(i) = 0;
      double f = std::exchange(e(i), 0.0);
      for (std::int64_t k = i + 1; k <= last; ++k) {
        const Rotation turn(d(k), f);
        d(k) = turn.length;
        left_.add(k, i, turn.c, turn.s);
        if (k == last) break;
        f = -turn.s * e(k);
        e(k) *= turn.c;
      }
      return true;
    }
    return false;
  }

  /// One QR step of B^T B without forming it; the shift is near its smallest eigenvalue.
  void step(std::int64_t first, std::int64_t last) {
    const double a = std::abs(d(last - 1)), b = std::abs(e(last - 1)), c = std::abs(d(last));
    const double shift = 2 * a * c / (std::hypot(a + c, b) + std::hypot(a - c, b));
    const double head = d(first);
    double f = (std::abs(head) - shift) * (std::copysign(1.0, head) + shift / head);
    double g = e(first);
    for (std::int64_t k = first; k < last; ++k) {
      const Rotation turn(f, g);
      if (k > first) e(k - 1) = turn.length;
      f = turn.c * d(k) + turn.s * e(k);
      e(k) = turn.c * e(k) - turn.s * d(k);
      g = turn.s * d(k + 1);
      d(k + 1) *= turn.c;
      right_.add(k, k + 1, turn.c, turn.s);
      const Rotation back(f, g);
      d(k) = back.length;
      f = back.c * e(k) + back.s * d(k + 1);
      d(k + 1) = back.c * d(k + 1) - back.s * e(k);
      left_.add(k, k + 1, back.c, back.s);
      if (k + 1 == last) break;
      g = back.s * e(k + 1);
      e(k + 1) *= back.c;
    }
    e(last - 1) = f;
  }

  std::vector<double>& d_;
  std::vector<double>& e_;
  Turns<T> left_;
  Turns<T> right_;
  double norm_ = 0;
};

/// Of a square matrix with elements of at most 1.
template <class T>
SvdFactors<T> factor_square(Dense<T> matrix, bool wants_vectors) {
  const std::int64_t n = matrix.rows();
  Bidiagonal<T> found(std::move(matrix), wants_vectors);
  Diagonalisation<T>(found, wants_vectors).run();

  const std::vector<double>& lengths = found.diagonal;
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return std::abs(lengths[std::size_t(a)]) > std::abs(lengths[std::size_t(b)]);
  });
  SvdFactors<T> result;
  for (const std::int64_t from : order)
    result.values.push_back(std::abs(lengths[std::size_t(from)]));
  if (!wants_vectors) return result;
  result.u = Dense<T>(n, n);
  result.v = Dense<T>(n, n);
  for (std::int64_t j = 0; j < n; ++j) {
    const std::int64_t from = order[std::size_t(j)];
    // Values are not negative; the vector on the right takes the sign.
    const double sign = lengths[std::size_t(from)] < 0 ? -1 : 1;
    for (std::int64_t i = 0; i < n; ++i) {
      result.u(i, j) = found.left(from, i);
      result.v(i, j) = sign * found.right(from, i);
    }
  }
  return result;
}

/// Of a matrix with at least as many rows as columns and elements of at most 1.
template <class T>
SvdFactors<T> factor_tall(Dense<T> matrix, bool full, bool wants_vectors) {
  const std::int64_t m = matrix.rows();
  const std::int64_t n = matrix.columns();
  if (m == n) return factor_square(std::move(matrix), wants_vectors);
  const QrFactors<T> factors(std::move(matrix));
  SvdFactors<T> result = factor_square(factors.r(n), wants_vectors);
  if (!wants_vectors) return result;
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
SvdFactors<T> factor_svd(const Dense<T>& matrix, bool full, bool wants_vectors) {
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
  result = factor_tall(std::move(tall), full, wants_vectors);
  for (double& value : result.values) value *= scale;
  if (wide) std::swap(result.u, result.v);
  return result;
}

template SvdFactors<double> factor_svd(const Dense<double>&, bool, bool);
template SvdFactors<Complex128> factor_svd(const Dense<Complex128>&, bool, bool);

}  // namespace pyaclnn::sim
