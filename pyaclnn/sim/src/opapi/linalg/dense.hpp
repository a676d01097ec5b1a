// A dense matrix of doubles or complex doubles: what factorisations work on.
// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pyaclnn::sim {

using Complex128 = std::complex<double>;

inline double conjugate(double value) { return value; }
inline Complex128 conjugate(Complex128 value) { return std::conj(value); }

/// Rows lie behind one another. T is double or Complex128.
template <class T>
class Dense {
 public:
  Dense() = default;
  Dense(std::int64_t rows, std::int64_t columns)
      : rows_(rows), columns_(columns), values_(std::size_t(rows) * std::size_t(columns)) {}

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  T* row(std::int64_t i) { return values_.data() + i * columns_; }
  const T* row(std::int64_t i) const { return values_.data() + i * columns_; }
  T& operator()(std::int64_t i, std::int64_t j) { return row(i)[j]; }
  const T& operator()(std::int64_t i, std::int64_t j) const { return row(i)[j]; }

  /// The conjugate transpose.
  Dense adjoint() const {
    Dense result(columns_, rows_);
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t j = 0; j < columns_; ++j) result(j, i) = conjugate((*this)(i, j));
    return result;
  }

 private:
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::vector<T> values_;
};

/// to += factor * from, over `count` elements.
template <class T>
void add_multiple(T factor, const T* from, std::int64_t count, T* to) {
  for (std::int64_t i = 0; i < count; ++i) to[i] += factor * from[i];
}

}  // namespace pyaclnn::sim
