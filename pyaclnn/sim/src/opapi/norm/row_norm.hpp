// The gradient of normalisations with statistics for each row: layer, RMS, deep and, for small
// images, group normalisation.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/plan.hpp"
#include "opapi/common/row_major.hpp"

namespace pyaclnn::sim {

/// x = x_factor x1 + x2, as rows; y = (x - mean) rstd gamma + beta. Operands that are not given:
/// x2 and mean are 0, gamma is 1, add is 0, and outputs are not wanted.
struct RowNorm {
  RowMajor grad;
  RowMajor x1;
  RowMajor x2;
  RowMajor mean;   // of each row
  RowMajor rstd;   // of each row
  RowMajor gamma;  // sections * length / fold values
  RowMajor add;    // to grad_x

  RowMajor grad_x;
  RowMajor grad_x1;  // x_factor grad_x
  RowMajor grad_gamma;
  RowMajor grad_beta;

  std::int64_t rows = 1;
  std::int64_t length = 1;
  std::int64_t sections = 1;  // row r takes the gammas of section r % sections
  std::int64_t fold = 1;      // neighbouring columns that share a gamma
  double x_factor = 1.0;
  bool has_mean = true;  // without, the mean of the gradient is not subtracted either
};

/// Rows of the axes from `axis` on.
RowNorm rows_of(const Dims& shape, std::size_t axis);

void run_row_norm(const RowNorm& norm, const KernelMemory& memory);

/// Adds the kernel to the plan.
void launch_row_norm(Plan& plan, RowNorm norm);

}  // namespace pyaclnn::sim
