// What rows are made of before they are quantised: normalised sums and gated halves.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/quant/rows.hpp"

namespace pyaclnn::sim {

/// x1, or x1 + x2, over its root mean square, times gamma, plus beta.
struct Normalised {
  std::int64_t width = 1;
  float epsilon = 0;
  aclDataType dtype = ACL_FLOAT;  // of x1
  bool rounds_sum = false;        // to the type of x1 before it is normalised
  bool rounds_later = false;      // the same, once its root is known
  bool refines_root = false;      // 1 over the root is rounded once
  bool in_halves = false;         // the quotient and the product are rounded to float16
  bool rounds = false;            // the result is rounded to the type of x1
  RowMajor x1, x2, gamma, beta;
  RowMajor sum, inverse, norm;  // outputs: x1 + x2, 1 over the root, and the result without beta

  void operator()(const KernelMemory& memory, const RowPlace& place, float* to) const;
};

/// x1, or x1 + x2 + bias, less its mean over its deviation, times gamma, plus beta; and then
/// once more, by factors of each band of rows: times 1 + scale, plus shift.
struct Centred {
  std::int64_t width = 1;
  float epsilon = 0;
  RowMajor x1, x2, bias, gamma, beta;
  bool bias_by_row = false;
  RowMajor scale, shift;
  std::int64_t band = 1;  // rows that have the same scale and shift
  bool fused = false;     // these two round once
  RowMajor sum, result;   // outputs: x1 + x2 + bias, and what is quantised

  void operator()(const KernelMemory& memory, const RowPlace& place, float* to) const;
};

/// Whether the last extents of a shape are those of another.
bool ends_with(const Dims& shape, const Dims& last);

/// The layout of an operand, made contiguous; none where it is not given, or empty.
RowMajor read_rows(Plan& plan, const TensorArgument& tensor);

/// How the halves of a row are gated.
///   plainly    a / (1 + exp(-a)) b
///   clamped    a s(alpha a) (b + bias), where a is at most the limit, and so is b's magnitude
struct HalvesGate {
  bool left = true;  // a is the first half
  bool clamped = false;
  bool interleaved = false;  // a and b are neighbours
  float limit = 0, alpha = 1, bias = 0;
  aclDataType rounds_to = ACL_DT_UNDEFINED;
};

/// A plain gate, or the clamped one of neighbours with such numbers.
HalvesGate halves_gate(bool left, bool clamped, double limit, double alpha, double bias);

/// The gradients of a plain gate, whose first half is a, beside one another: rows of twice `width`,
/// from such rows and from gradients of `width`. Results are rounded to a type.
RowSource gated_gradients(const RowSource& whole, const RowSource& grad, std::int64_t width,
                          aclDataType rounds_to);

/// Rows of `width`, from those of twice as many values.
RowSource gated_halves(const RowSource& whole, std::int64_t width, const HalvesGate& gate);

}  // namespace pyaclnn::sim
