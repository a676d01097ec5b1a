// SPDX-License-Identifier: MIT
#include "opapi/linalg/householder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pyaclnn::sim {
namespace {

/// Applies 1 - tau v v^H to the rows from `first` on and the columns from `column` on. v is 1 and
/// what stands below the diagonal in a column of `factors`.
template <class T>
void apply(const Dense<T>& factors, std::int64_t first, T tau, std::int64_t column,
           Dense<T>& matrix) {
  const std::int64_t count = matrix.columns() - column;
  if (tau == T(0) || count <= 0) return;
  std::vector<T> sums(matrix.row(first) + column, matrix.row(first) + column + count);
  for (std::int64_t i = first + 1; i < matrix.rows(); ++i)
    add_multiple(conjugate(factors(i, first)), matrix.row(i) + column, count, sums.data());
  add_multiple(-tau, sums.data(), count, matrix.row(first) + column);
  for (std::int64_t i = first + 1; i < matrix.rows(); ++i)
    add_multiple(-tau * factors(i, first), sums.data(), count, matrix.row(i) + column);
}

double imaginary(double) { return 0; }
double imaginary(Complex128 value) { return value.imag(); }

/// The length of a vector of numbers of any size.
class Length {
 public:
  template <class T>
  void add(T value) {
    length_ = std::hypot(length_, std::abs(value));
  }
  double value() const { return length_; }

 private:
  double length_ = 0;
};

}  // namespace

template <class T>
QrFactors<T>::QrFactors(Dense<T> matrix) : factors_(std::move(matrix)) {
  const std::int64_t count = std::min(factors_.rows(), factors_.columns());
  taus_.resize(std::size_t(count));
  for (std::int64_t k = 0; k < count; ++k) reflect(k);
}

template <class T>
void QrFactors<T>::reflect(std::int64_t k) {
  Length below;
  for (std::int64_t i = k + 1; i < factors_.rows(); ++i) below.add(factors_(i, k));
  const T head = factors_(k, k);
  if (below.value() == 0 && imaginary(head) == 0) return;  // nothing to reflect
  const double length = std::hypot(std::abs(head), below.value());
  const double image = std::real(head) >= 0 ? -length : length;
  for (std::int64_t i = k + 1; i < factors_.rows(); ++i) factors_(i, k) /= head - T(image);
  factors_(k, k) = T(image);
  const T tau = (T(image) - head) / image;
  taus_[std::size_t(k)] = tau;
  apply(factors_, k, conjugate(tau), k + 1, factors_);
}

template <class T>
Dense<T> QrFactors<T>::q(std::int64_t columns) const {
  Dense<T> result(factors_.rows(), columns);
  for (std::int64_t i = 0; i < std::min(result.rows(), columns); ++i) result(i, i) = T(1);
  for (std::int64_t k = std::int64_t(taus_.size()); k-- > 0;)
    apply(factors_, k, taus_[std::size_t(k)], std::int64_t(0), result);
  return result;
}

template <class T>
Dense<T> QrFactors<T>::r(std::int64_t rows) const {
  Dense<T> result(rows, factors_.columns());
  for (std::int64_t i = 0; i < std::min(rows, factors_.rows()); ++i)
    std::copy(factors_.row(i) + std::min(i, factors_.columns()),
              factors_.row(i) + factors_.columns(),
              result.row(i) + std::min(i, factors_.columns()));
  return result;
}

template class QrFactors<double>;
template class QrFactors<Complex128>;

}  // namespace pyaclnn::sim
