// Cholesky factorisation of symmetric positive definite matrices.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/linalg/dense.hpp"

namespace pyaclnn::sim {

/// The lower triangle L of a matrix that is L L^T, of which the lower triangle is read. NaN from
/// where a matrix turns out not to be positive definite.
Dense<double> cholesky(Dense<double> matrix);

}  // namespace pyaclnn::sim
