// Tokens sorted by the experts that were chosen for them: rows for each expert behind one another,
// or in rooms of one size.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/arguments.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// What is made of rows on their way.
enum class RowQuant {
  kNone,
  kStatic,             // round(x scale + offset), in float32
  kStaticHalf,         // the same, every step in float16
  kDynamic,            // round(x s / q), q = max |x s| / 127, in float32
  kDynamicThroughHalf  // the quotient cut to float16, halves rounded away from zero
};

/// How the rows of each expert are counted.
enum class Counted { kNot, kEach, kRunning, kPairs };

/// One routing. Tensors may be left out: null or not given.
struct Routing {
  const TensorArgument& x;        // [tokens, columns]
  const TensorArgument& experts;  // [tokens, k] or [tokens]
  /// Names of the pairs of token and expert, columns of them first: their order is that of rows.
  const TensorArgument* labels = nullptr;
  /// Only these experts are seen; others' pairs have no row.
  bool limited = false;
  std::int64_t first_expert = 0;
  std::int64_t last_expert = 0;
  /// In rooms of so many rows for each expert; zero: behind one another.
  std::int64_t capacity = 0;
  /// Rows in front of this one are another device's.
  std::int64_t first_row = 0;
  RowQuant quant = RowQuant::kNone;
  const TensorArgument* scale = nullptr;   // one, one for each token, or a row for each expert
  const TensorArgument* offset = nullptr;  // one
  bool scale_of_pairs = false;             // or one for each pair
  float one_scale = 1;                     // where `scale` is not given
  float one_offset = 0;
  Counted counted = Counted::kNot;

  const TensorArgument* rows = nullptr;    // [rows, columns] or [experts, capacity, columns]
  const TensorArgument* places = nullptr;  // [tokens k], the row of each pair, -1 for none
  bool sources = false;                    // places has the pair of each row instead
  const TensorArgument* sorted = nullptr;  // [tokens k], the experts in order
  const TensorArgument* counts = nullptr;
  const TensorArgument* scales = nullptr;  // of each row, q or its token's scale
  const TensorArgument* seen = nullptr;    // how many pairs have a row
};

/// Refuses shapes that do not fit; without rooms there are at most `active` rows.
void route(Plan& plan, const Routing& routing, std::int64_t active);

/// How rows are quantised on the 950 once they are in order, by the numbers of quantMode.
struct RoutedQuant {
  std::int64_t mode;
  const TensorArgument &x, &scale, &out, &scale_out;
};

/// Routes rows that go to scratch memory, and quantises those that there are.
void route_quantised(Plan& plan, Routing routing, std::int64_t active, const RoutedQuant& quant);

/// Routes rows into int4, by their scales, which its `scales` take, and those of columns.
void route_as_int4(Plan& plan, Routing routing, std::int64_t active, const TensorArgument& out);

/// Experts [first, last).
struct ExpertRange {
  std::int64_t first;
  std::int64_t last;
};

/// The range that a list of two numbers names, all experts for an empty one; refuses other lists.
ExpertRange expert_range(const Plan& plan, const IntArrayIn& range, std::int64_t experts);

/// Whether a range is named.
inline bool names_range(const IntArrayIn& range) {
  return range.given() && !range.values().empty();
}

/// Refuses scales of columns but a row for all experts, or one for each.
void check_smooth(const Plan& plan, const TensorArgument& scale, std::int64_t experts,
                  std::int64_t columns);

/// Sets what rows are quantised with, -1 for not, 0 for one scale, 1 for that of each row, and
/// where rows' scales go; refuses scales that do not fit.
void set_row_quant(const Plan& plan, Routing& routing, std::int64_t mode,
                   const TensorArgument& offset, const TensorArgument& scales);

/// out[i] = how many of the sorted numbers are at most i.
void count_experts(Plan& plan, const TensorArgument& sorted, const TensorArgument& out);

}  // namespace pyaclnn::sim
