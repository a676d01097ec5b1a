// How a reduction walks its operand: which axes stay, which go, and in which runs.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/arguments.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/view.hpp"

namespace pyaclnn::sim {

/// A set of axes, one bit each.
using AxisMask = std::uint32_t;

/// The axes that `dims` names, all where it names none; refuses 161002 what is out of range, or
/// twice unless axes may be `repeated`, as where CANN leaves the list to its kernel.
AxisMask axis_mask(const Check& check, const TensorArgument& tensor,
                   const std::vector<std::int64_t>& dims, bool repeated = false);

/// The same, but none where `dims` names none and `none` says so.
AxisMask axes_unless_none(const Check& check, const TensorArgument& tensor, const IntArrayIn& dims,
                          bool none, bool repeated = false);

/// Refuses 161002 what is out of range.
void check_dims(const Check& check, const TensorArgument& tensor,
                const std::vector<std::int64_t>& dims);

/// The shape without those axes, or with extents of 1 in their place.
Dims reduced_shape(const Dims& shape, AxisMask axes, bool keep);

/// A few axes as one: positions in row-major order.
struct AxisGroup {
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;
  std::int64_t count = 1;

  void add(std::int64_t extent, std::int64_t stride);
  /// Element offset of a position.
  std::int64_t at(std::int64_t position) const;

  /// Whether all positions are the same number of elements apart, and which.
  bool is_even() const;
  std::int64_t even_step() const;
};

/// Kept and reduced axes of a view. The axis whose elements lie densest is the run: values are
/// taken along it, `length` of them, `step` apart.
struct ReductionWalk {
  ReductionWalk(const View& in, AxisMask axes);

  AxisGroup kept;     // without the run
  AxisGroup reduced;  // without the run
  std::int64_t length = 1;
  std::int64_t step = 1;
  bool run_is_reduced = true;
  std::int64_t run_place = 0;  // elements of the result between neighbours of a kept run
  AxisGroup kept_in_result;    // the kept axes, strides in a row-major result

  /// Makes reduced axes that go on where the run ends part of it: for values that come to the same
  /// in any order, whatever the view.
  void lengthen_run();

  std::int64_t reduced_count() const { return reduced.count * (run_is_reduced ? length : 1); }
  std::int64_t results() const { return kept.count * (run_is_reduced ? 1 : length); }
};

}  // namespace pyaclnn::sim
