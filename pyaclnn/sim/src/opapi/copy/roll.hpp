// Elements moved along axes; what leaves at one end comes in at the other.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Refuses shifts and dims that do not go together: one shift for each dimension, or one alone for
/// all elements in a row.
void check_roll(const Check& check, const std::vector<std::int64_t>& shifts,
                const std::vector<std::int64_t>& dims);
}  // namespace pyaclnn::sim
