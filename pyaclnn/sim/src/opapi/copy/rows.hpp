// Copies of rows that lie dense in the output, and in the input too, or as one element of it.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Plans out = in for views of one shape and element type, if that is such a copy: of one element
/// all along a row, of one row again and again, or of many short rows. False if it is another one.
bool launch_row_copy(Plan& plan, const View& out, const View& in);

}  // namespace pyaclnn::sim
