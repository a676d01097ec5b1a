// What DynamicQuant asks for before its arguments.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// 561000 on a chip before the 950.
void require_950(const Plan& plan);

}  // namespace pyaclnn::sim
