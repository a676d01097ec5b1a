// Operators that write or combine elements or slices by their numbers.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/indexing/chosen.hpp"

namespace pyaclnn::sim {

/// What aclnnScatter's number stands for: 1 adds, 2 multiplies, 3 and 4 take the larger and the
/// smaller one; any other replaces.
Combine combine_of(std::int64_t reduce);

/// The same where there is a mean, too.
inline Combine mean_or_combine_of(std::int64_t reduce) {
  return reduce == 5 ? Combine::kMean : combine_of(reduce);
}

/// aclnnScatter: self, index and src have as many dimensions; index is not longer than src, and not
/// longer than self but along `dim`.
std::size_t check_scatter(const Check& check, const TensorArgument& self, std::int64_t dim,
                          const TensorArgument& index, const TensorArgument* src,
                          const TensorArgument& out);
void scatter(Plan& plan, const TensorArgument& self, std::size_t axis, const TensorArgument& index,
             const TensorArgument& src, const TensorArgument& out, Combine combine,
             bool include_self = true);
void scatter_value(Plan& plan, const TensorArgument& self, std::size_t axis,
                   const TensorArgument& index, const ScalarIn& value, const TensorArgument& out,
                   Combine combine);

/// out = self, which may be the same tensor.
void copy_self(Plan& plan, const TensorArgument& self, const TensorArgument& out);

/// out as the table that elements go to, and self, which it is to hold before, unless it is out.
struct Table {
  View view;
  std::optional<View> before;
};
Table table_of(Plan& plan, const TensorArgument& self, const TensorArgument& out);

}  // namespace pyaclnn::sim
