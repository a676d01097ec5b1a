// Gated units whose rows are halved, or taken pair by pair, of which only the first may be wanted;
// and their gradients. A row is all from the axis that is cut to the end.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

constexpr float kNoLimit = std::numeric_limits<float>::infinity();

/// What a gate takes besides its two operands.
struct GateNumbers {
  float alpha = 1;
  float limit = kNoLimit;
  float bias = 0;
  float beta = 1;
  float linear_beta = 0;
};

/// a is the gate, b the other operand; s is the sigmoid.
///   kClipped       min(a, limit) s(alpha min(a, limit)) (clamp(b) + bias)
///   kClippedAfter  min(a s(a), limit) clamp(b)
///   kSitu          beta tanh(a / beta) s(a) linear_beta tanh(b / linear_beta), or times b
/// Where a or b is cut off there is no gradient; kClippedInside has none at the limit, either.
enum class SwigluGate { kClipped, kClippedInside, kClippedAfter, kSitu };

/// The gate of a clampMode.
inline SwigluGate clipped_gate(std::int64_t mode) {
  return mode == 1 ? SwigluGate::kClippedAfter : SwigluGate::kClipped;
}

/// A limit that is `none` where it does not limit.
inline float limit_or_none(double limit, double none) {
  return float(limit) == float(none) ? kNoLimit : float(limit);
}

/// The gate of so many pairs: numbers, count, a, b and the result.
using GateRow = void (*)(const GateNumbers*, std::int64_t, const float*, const float*, float*);
GateRow gate_row(SwigluGate gate);

struct GatedRows {
  SwigluGate gate = SwigluGate::kClipped;
  GateNumbers numbers;
  std::size_t axis = 0;
  bool interleaved = false;  // a and b are neighbours
  bool swapped = false;      // the gate is the second half
};

/// Refuses, where the work is divided, groups that are no list of counts, or more than `most`.
void check_groups(const Plan& plan, const TensorArgument& groups, std::int64_t most);

/// Refuses weights that are not one for each row of x.
void check_row_weights(const Plan& plan, const TensorArgument& weight, const TensorArgument& x);

/// Refuses, where the work is divided, a tensor that has no elements.
void check_not_empty(const Plan& plan, const TensorArgument& tensor);

/// Refuses strided views, which CANN's kernel reads and writes as if they were none.
void check_dense(const Check& check, std::initializer_list<const TensorArgument*> tensors);

/// Plans out = gate(rows of x) times the weight of each row. With groups only as many rows are
/// written as they sum up to.
void gated_rows(Plan& plan, const GatedRows& call, const TensorArgument& x,
                const TensorArgument* weight, const TensorArgument* groups,
                const TensorArgument& out);

/// Plans grad_x = the gradient; rows that no group has are 0.
void gated_rows_backward(Plan& plan, const GatedRows& call, const TensorArgument& grad,
                         const TensorArgument& x, const TensorArgument* weight,
                         const TensorArgument* groups, const TensorArgument& grad_x);

/// What SwigluGroupGrad refuses.
void check_swiglu_group_grad(const Check& check, const TensorArgument& grad,
                             const TensorArgument& x, const TensorArgument& weight,
                             const TensorArgument& y, const TensorArgument& groups,
                             const TensorArgument& grad_x, const TensorArgument& grad_weight);

/// What SwigluGroupQuantGrad refuses, where the work is divided.
void check_swiglu_group_quant_grad(const Plan& plan, const TensorArgument& grad,
                                   const TensorArgument& x, const TensorArgument& weight,
                                   const TensorArgument& y, const TensorArgument& groups,
                                   const TensorArgument& grad_x, const TensorArgument& grad_weight);

/// Plans out = for each row of the last axis the sum of a times b; 0 for rows that no group has.
void row_products(Plan& plan, const TensorArgument& a, const TensorArgument& b,
                  const TensorArgument& out, const TensorArgument* groups = nullptr);

}  // namespace pyaclnn::sim
