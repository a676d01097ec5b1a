// Copies whose output is dense along one axis and whose input is dense along another.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Plans out = in for views of one shape whose elements have `size` bytes, if that is such a copy;
/// false if it is another one. Elements go through tiles that are read and written in whole cache
/// lines: one after the other, each would cost a line of its own.
bool launch_transposed_copy(Plan& plan, const View& out, const View& in, std::size_t size);

}  // namespace pyaclnn::sim
