// Systems of equations with a triangular matrix.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/linalg/dense.hpp"

namespace pyaclnn::sim {

/// Replaces b by the solution of A x = b, of which the lower or upper triangle of A counts;
/// `unit`: its diagonal is ones, whatever stands there. A zero there gives infinities and NaN.
template <class T>
void solve_lower(const Dense<T>& a, bool unit, Dense<T>& b);
template <class T>
void solve_upper(const Dense<T>& a, bool unit, Dense<T>& b);

}  // namespace pyaclnn::sim
