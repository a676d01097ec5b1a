// What operators demand of the memory formats of their tensors. The demands of each operator are a
// row of the table in format_rules.cpp; where in its order of checks an operator makes them, it
// calls check_formats().
// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string_view>

#include "objects/formats.hpp"
#include "opapi/common/check.hpp"

namespace pyaclnn::sim {

/// One demand of an operator.
struct FormatDemand {
  enum class Kind { kNothing, kAlike, kOneOf, kNoneOf };

  Kind kind = Kind::kNothing;
  /// Names of parameters, separated by spaces. Those alike have the format of the first.
  std::string_view tensors = {};
  FormatSet formats{};
  /// Made of tensors with so many dimensions; 0 for all.
  std::size_t rank = 0;
  /// Made where this holds; null for everywhere.
  bool (*where)() = nullptr;
};

/// All demands of an operator, in the order it makes them.
struct FormatRow {
  std::string_view name;  // of the function, without "aclnn"
  FormatDemand demands[4];
};

/// The row of an operator. One without a row demands nothing, and has no business here.
const FormatRow& format_row(std::string_view name);

/// Makes one demand of those tensors that are given; 161002 where it is not met. One of tensors
/// that are not among these is not made.
void check_format(const Check& check, const FormatDemand& demand,
                  std::initializer_list<const TensorArgument*> tensors);

/// Makes the demands of a row, in their order.
void check_formats(const Check& check, const FormatRow& row,
                   std::initializer_list<const TensorArgument*> tensors);

/// The same of the row of the operator that checks.
template <class... Tensors>
void check_formats(const Check& check, const Tensors&... tensors) {
  check_formats(check, format_row(check.name()), {&tensors...});
}

}  // namespace pyaclnn::sim
