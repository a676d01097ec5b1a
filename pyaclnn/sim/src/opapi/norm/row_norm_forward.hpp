// Normalisations with statistics for each row: layer, RMS, group normalisation and those fused with
// an addition before them or an activation behind.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/plan.hpp"
#include "opapi/common/row_major.hpp"

namespace pyaclnn::sim {

/// x = x_factor x1 + x2 + bias, as rows; y = (x - mean) rstd (gamma + gamma_summand) + beta, with
/// rstd = 1 / sqrt(mean((x - mean)^2) + eps), and then y = y (1 + scale) + shift. Operands that are
/// not given: x2, bias, beta, scale and shift are 0, gamma is 1, and outputs are not wanted.
struct RowNormForward {
  RowMajor x1;
  RowMajor x2;
  RowMajor bias;   // a row, or as many as there are
  RowMajor gamma;  // sections * length / fold values
  RowMajor beta;
  RowMajor scale;  // a row for each `section_rows` rows
  RowMajor shift;

  RowMajor y;
  RowMajor y_too;  // a second y
  RowMajor x;
  RowMajor mean;  // of each row
  RowMajor rstd;  // of each row
  RowMajor variance;

  std::int64_t rows = 1;
  std::int64_t length = 1;
  std::int64_t sections = 1;  // row r takes the gammas of section r % sections
  std::int64_t fold = 1;      // neighbouring columns that share a gamma
  float eps = 0;
  bool has_mean = true;  // otherwise the mean counts as 0
  float x_factor = 1;
  float gamma_summand = 0;
  std::int64_t section_rows = 1;  // neighbouring rows that share scale and shift
  bool has_silu = false;          // y is multiplied by the sigmoid of silu_scale y
  float silu_scale = 1;
  aclDataType gives = ACL_FLOAT;  // y is rounded to this type before it is converted
  bool of_halves = false;         // x has the digits of 16 bits, for x1 is all there is to it
};

/// Plans x where nothing is added to it.
void set_input(RowNormForward& norm, Plan& plan, const TensorArgument& x);

/// Plans y, after `gives` is set.
void set_result(RowNormForward& norm, Plan& plan, const TensorArgument& y);

void launch_row_norm_forward(Plan& plan, RowNormForward norm);

}  // namespace pyaclnn::sim
