// Copies that write one element of the input all along a row of the output.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Plans out = in for views of one shape and element type, if that is such a copy, of rows that are
/// worth it; false if it is another one.
bool launch_repeated_copy(Plan& plan, const View& out, const View& in);

}  // namespace pyaclnn::sim
