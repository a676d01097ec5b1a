// Copies of elements that were cast to a type in between.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Plans to = from, which has been cast to `via` before.
void launch_cast_via(Plan& plan, const View& to, const View& from, aclDataType via);

}  // namespace pyaclnn::sim
