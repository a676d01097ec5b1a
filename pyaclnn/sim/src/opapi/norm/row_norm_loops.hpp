// The two loops of a normalisation's gradient over rows, with the same bits in every way. Sums are
// float64, and so is what follows from them for elements of float32: the gradient is a small
// difference of much larger numbers. For elements of 16 bits it is computed in float32, which has
// the digits to spare.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "acl/acl_base.h"

namespace pyaclnn::sim {

/// grad_x = rstd (grad gamma) + slope n + constant, with the normalised n = rstd x + shift.
struct RowCoefficients {
  double rstd = 0;
  double shift = 0;
  double slope = 0;
  double constant = 0;
};

/// Rows one behind the other, or a piece of one, all of one type.
struct Rows {
  std::int64_t count = 1;
  std::int64_t length = 0;
  std::int64_t number = 0;  // of the first
  std::int64_t sections = 1;
  const float* gamma = nullptr;
  const void* grad = nullptr;
  const void* x1 = nullptr;
  const void* x2 = nullptr;   // with it, x is factor x1 + x2
  const void* add = nullptr;  // if there is one
  float factor = 1;
  double* grad_gamma = nullptr;  // lie as gamma does
  double* grad_beta = nullptr;
  void* grad_x = nullptr;
  void* grad_x1 = nullptr;

  std::int64_t section(std::int64_t row) const {
    return sections == 1 ? 0 : (number + row) % sections * length;
  }
};

struct RowNormLoops {
  static constexpr int kTogether = 4;  // rows that read and write sums over columns once for all

  /// Adds each row's sums of grad gamma and of that times x.
  void (*sums)(const Rows* rows, double* sums);
  /// grad_x, plus what is added to it, and the sums over columns. Each element is read before it is
  /// written: outputs may lie where inputs do.
  void (*gradients)(const Rows* rows, const RowCoefficients* coefficients);

  /// For elements converted to float32 from what `dtype` says. `is_sum`: of rows with an x2.
  static const RowNormLoops& of_floats(aclDataType dtype, bool is_sum);
  /// For float32, float16 or bfloat16 where they lie; null where this processor or type has none.
  static const RowNormLoops* in_place(aclDataType dtype, bool is_sum);
};

}  // namespace pyaclnn::sim
