// Slices whose entries are ranges, places, all of some axes, or new axes; and axes that are put in
// another order before or after they are cut differently.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// What an entry is, bit by bit. Where several are set, `ellipsis` counts before `new_axis` and
/// that before `shrink`.
struct SliceMasks {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t ellipsis;
  std::uint64_t new_axis;
  std::uint64_t shrink;
};

/// Entries of a slice: as many of each.
struct SliceEntries {
  const std::vector<std::int64_t>& begin;
  const std::vector<std::int64_t>& end;
  const std::vector<std::int64_t>& strides;
};

/// Refuses entries that no tensor has: of different numbers, steps of 0, two ellipses, and places
/// with a step that is not positive.
void check_entries(const Check& check, const SliceEntries& entries, const SliceMasks& masks);

/// Plans out = the slice. 561103 for more entries than dimensions and a place that is not there,
/// 161002 for an output of another shape.
void strided_slice(const Check& check, Plan& plan, const TensorArgument& self,
                   const SliceEntries& entries, const SliceMasks& masks, const TensorArgument& out);

/// 561103 for what is no order, or no shape of so many elements.
void check_confusion(const Plan& plan, const TensorArgument& x,
                     const std::vector<std::int64_t>& order, const std::vector<std::int64_t>& shape,
                     bool order_first, const TensorArgument& out);

}  // namespace pyaclnn::sim
