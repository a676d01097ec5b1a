// Elements chosen by number: what all operators that gather, scatter, index or embed do.
//
// For every position of the numbers there is a slice of a table. Which one is said by the numbers,
// each along an axis of the table, and by axes along which the position itself counts.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "opapi/common/arguments.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Numbers of one axis of the table, in the shape of the positions; they may repeat by broadcast.
struct Choice {
  View numbers;
  std::size_t axis = 0;
  bool wraps = false;  // numbers below 0 count from the end
};

struct Chosen {
  static constexpr std::size_t kNone = ~std::size_t(0);

  View table;
  std::optional<View> before;  // what the table is to hold before, if that lies elsewhere
  View other;                  // the positions' axes, then those of a slice
  // One element that stands for all of other, which then is no operand.
  std::shared_ptr<const std::array<std::byte, 16>> constant;
  std::size_t positions = 0;
  std::vector<std::size_t> position_axes;  // of the table, for each axis of the positions; or kNone
  std::vector<std::size_t> slice_axes;     // of the table, in the order of the slice's axes
  std::vector<Choice> choices;
  bool ignores_outside = false;  // positions with a number out of range are left out
  // Of what is combined with the table, in the kind of number it is combined in.
  double factor = 1.0;
  std::int64_t whole_factor = 1;
};

/// What becomes of an element of the table and one that goes there.
enum class Combine { kReplace, kAdd, kMultiply, kMaximum, kMinimum, kMean, kDivide };

/// Plans other = table at the numbers. A number that the table does not have ends the task with
/// 507015, as an access outside its memory does on the device; nothing is read there.
void launch_gather(Plan& plan, const Chosen& chosen);

/// Plans table at the numbers = other, or combined with it: float16 and bfloat16 as
/// float, rounded once at the end, other types as they are; where numbers repeat, in the order of
/// the positions. The table is made what is `before` on the way, each part of it while it is in the
/// cache, or first of all.
void launch_scatter(Plan& plan, const Chosen& chosen, Combine combine, bool include_self = true);

/// The kernels of both, of slices that are not empty, for launches that know their numbers only
/// then.
Launch gather_kernel(const char* api, const Chosen& chosen);
Launch scatter_kernel(const char* api, const Chosen& chosen, Combine combine,
                      bool include_self = true);

/// Ends a task in which a number was none of `extent` places.
[[noreturn]] void refuse_index(const char* api, std::int64_t extent);

/// A number as an element of a type, in place of `other` with these extents.
void set_constant(Chosen& chosen, const ScalarIn& number, aclDataType dtype, const Dims& shape);

/// A number as an element of a type, which is what other is multiplied by.
void set_factor(Chosen& chosen, const ScalarIn& number, aclDataType dtype);

/// A view with at least one axis.
View listed(View view);

/// A view as one whose axes are others of it; kNone for an axis of extent `extent` that repeats.
View with_axes(const View& view, const std::vector<std::size_t>& axes);

/// The table with numbers along one axis, as aclnnGather and aclnnScatter have it: other positions
/// count for themselves.
Chosen chosen_elements(const View& table, std::size_t axis, const View& numbers, const View& other,
                       bool wraps);

/// Slices along one axis, the numbers' axes in its place.
Chosen chosen_slices(const View& table, std::size_t axis, const View& numbers, const View& other,
                     bool wraps);

}  // namespace pyaclnn::sim
