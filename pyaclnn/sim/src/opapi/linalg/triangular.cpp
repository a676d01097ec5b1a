// SPDX-License-Identifier: MIT
#include "opapi/linalg/triangular.hpp"

namespace pyaclnn::sim {
namespace {

template <class T>
void divide_row(T by, std::int64_t count, T* row) {
  for (std::int64_t j = 0; j < count; ++j) row[j] /= by;
}

}  // namespace

template <class T>
void solve_lower(const Dense<T>& a, bool unit, Dense<T>& b) {
  for (std::int64_t i = 0; i < a.rows(); ++i) {
    for (std::int64_t k = 0; k < i; ++k) add_multiple(-a(i, k), b.row(k), b.columns(), b.row(i));
    if (!unit) divide_row(a(i, i), b.columns(), b.row(i));
  }
}

template <class T>
void solve_upper(const Dense<T>& a, bool unit, Dense<T>& b) {
  for (std::int64_t i = a.rows(); i-- > 0;) {
    for (std::int64_t k = i + 1; k < a.rows(); ++k)
      add_multiple(-a(i, k), b.row(k), b.columns(), b.row(i));
    if (!unit) divide_row(a(i, i), b.columns(), b.row(i));
  }
}

template void solve_lower(const Dense<double>&, bool, Dense<double>&);
template void solve_lower(const Dense<Complex128>&, bool, Dense<Complex128>&);
template void solve_upper(const Dense<double>&, bool, Dense<double>&);
template void solve_upper(const Dense<Complex128>&, bool, Dense<Complex128>&);

}  // namespace pyaclnn::sim
