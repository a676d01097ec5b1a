// Sorting, and choosing by order, along an axis.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/common/reduction_walk.hpp"

namespace pyaclnn::sim {

/// Which elements of an ordered line are written: those from `begin` on, as many as there is room
/// for, or the one in the middle, of an even number the lower one. A line with NaN has NaN there,
/// unless NaN does not count.
struct Chosen {
  enum Kind { kFrom, kMedian, kNanMedian } kind = kFrom;
  std::int64_t begin = 0;
};

/// Where a line's elements go: with an axis in the place of the input's, or without.
struct OrderOutput {
  const View* view = nullptr;  // null: they are not wanted
  bool has_axis = true;
};

/// Plans the elements of each line of `axes` in order, and where they were; equal ones keep their
/// order, NaN is larger than every number.
void launch_order(Plan& plan, const View& self, AxisMask axes, bool descending, Chosen chosen,
                  OrderOutput values, OrderOutput indices);

/// aclnnSort, aclnnTopk and aclnnArgsort after their checks, with what CANN needs as workspace.
void sort(Plan& plan, const TensorArgument& self, std::size_t axis, bool descending,
          const TensorArgument& values, const TensorArgument& indices);
void topk(Plan& plan, const TensorArgument& self, std::size_t axis, bool largest,
          const TensorArgument& values, const TensorArgument& indices);
void argsort(Plan& plan, const TensorArgument& self, std::size_t axis, bool descending,
             const TensorArgument& indices);

/// What CANN gives as the median of no elements: NaN, the least int32 or int64, 0 of other types.
void median_of_nothing(Plan& plan, const TensorArgument& out);

/// One element of each line, chosen by its order. `indices` may be null.
void choose(Plan& plan, const TensorArgument& self, AxisMask axes, Chosen chosen, bool keep,
            const TensorArgument& values, const TensorArgument* indices);

}  // namespace pyaclnn::sim
