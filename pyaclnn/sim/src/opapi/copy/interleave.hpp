// Elements that are repeated as often as a tensor says.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Refuses what is no number for all of `places` elements, and no list of one for each.
void check_repeats(const Check& check, const TensorArgument& repeats, std::int64_t places);

/// Plans out = self with each place of an axis repeated as often as `repeats`, read when it runs,
/// says; what `out` has no room for is left out, and what is not covered keeps its values.
void repeat_interleave(Plan& plan, const TensorArgument& self, const TensorArgument& repeats,
                       std::size_t axis, const TensorArgument& out);
/// The same of all elements as one axis.
void repeat_interleave(Plan& plan, const TensorArgument& self, const TensorArgument& repeats,
                       const TensorArgument& out);
/// The same of the places themselves: 0, 1, 2, ...
void repeat_places(Plan& plan, const TensorArgument& repeats, const TensorArgument& out);

}  // namespace pyaclnn::sim
