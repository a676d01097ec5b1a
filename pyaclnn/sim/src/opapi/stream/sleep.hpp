// A stream that does nothing for a while.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Plans a wait for the first of these numbers of a chip's cycles, a second at most. Refuses, where
/// the work is divided, a list of none and one that is not positive.
void sleep_cycles(Plan& plan, const std::vector<std::int64_t>& cycles);

}  // namespace pyaclnn::sim
