// Rows of experts put together to tokens again, and the gradients of that.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/arguments.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Experts [first, last); none without a range.
struct ExpertSpan {
  std::int64_t first = -1, last = -1;

  bool has(std::int64_t expert) const { return first <= expert && expert < last; }
};

/// Experts whose rows are no expert's work: nothing, the token x itself, or alpha1 x + alpha2 v.
struct SpecialExperts {
  ExpertSpan zero, copy, constant;
  const TensorArgument* tokens = nullptr;     // [tokens, columns]
  const TensorArgument* alpha1 = nullptr;     // [constant experts, columns]
  const TensorArgument* alpha2 = nullptr;     // [constant experts, columns]
  const TensorArgument* constants = nullptr;  // [constant experts, columns]
};

/// The experts that a list of two numbers names, of so many that are known, or of any for 0. Only
/// the 950 reads it.
ExpertSpan expert_span(const Plan& plan, const IntArrayIn& range, std::int64_t experts);

/// How many experts are known: rows of the bias, or rooms; 0 for any.
inline std::int64_t known_experts(const TensorArgument& bias, const TensorArgument& rows,
                                  std::int64_t mode) {
  if (bias.given()) return bias.shape()[0];
  return mode % 2 == 1 ? rows.shape()[0] : 0;
}

/// How many experts a token has: a scale for each, or one.
inline std::int64_t columns_or_one(const TensorArgument& scales) {
  return scales.given() ? scales.shape()[1] : 1;
}

/// The same of a range, which comes with a number.
inline std::int64_t chosen_experts(bool ranged, std::int64_t number, const TensorArgument& scales) {
  return ranged ? number : columns_or_one(scales);
}

/// An output that is written where an operand is given, else null.
inline const TensorArgument* beside(const TensorArgument& operand, const TensorArgument& out) {
  return operand.given() ? &out : nullptr;
}

/// out[t] = sum of `added` + sum over j of scale[t, j] (rows[place[t, j]] + bias[expert[t, j]]).
///
/// Sums are float32, in that order. A place of no row counts as zeros. Tensors may be left out:
/// null or not given.
struct Combination {
  const TensorArgument& rows;    // [..., columns]
  const TensorArgument& places;  // [tokens k]
  std::int64_t k;
  const TensorArgument& out;                // [tokens, columns]
  bool by_column = false;                   // the place of (t, j) is at j tokens + t
  const TensorArgument* scales = nullptr;   // [tokens, k]
  const TensorArgument* bias = nullptr;     // [experts, columns]
  const TensorArgument* experts = nullptr;  // [tokens, k]
  const TensorArgument* first_added = nullptr;
  const TensorArgument* second_added = nullptr;
  // Places [first, last) are those of the rows; all others are another device's.
  std::int64_t first_place = 0;
  std::int64_t last_place = INT64_MAX;

  SpecialExperts special = {};

  const TensorArgument* rows_or_none() const { return &rows; }
};

/// Refuses shapes that do not fit.
void combine(Plan& plan, const Combination& combination);

/// The gradients by the rows and by the scales, for the gradient of a combination's result.
struct CombinationGradient {
  const TensorArgument& grad;    // [tokens, columns]
  const TensorArgument& places;  // [tokens k]
  std::int64_t k;
  const TensorArgument& rows_grad;              // [..., columns]; zeros where no token is
  const TensorArgument* rows = nullptr;         // [..., columns], for the gradient of scales
  const TensorArgument* scales = nullptr;       // [tokens, k]
  const TensorArgument* bias = nullptr;         // [experts, columns]
  const TensorArgument* experts = nullptr;      // [tokens, k]
  const TensorArgument* scales_grad = nullptr;  // [tokens, k]
  std::int64_t first_place = 0;
  std::int64_t last_place = INT64_MAX;

  const TensorArgument* rows_or_none() const { return rows; }
};

/// Refuses shapes that do not fit.
void combine_backward(Plan& plan, const CombinationGradient& gradient);

/// out[i] = values[places[i] - first] for places [first, last), else zero.
void pick_places(Plan& plan, const TensorArgument& values, const TensorArgument& places,
                 std::int64_t first, std::int64_t last, const TensorArgument& out);

}  // namespace pyaclnn::sim
