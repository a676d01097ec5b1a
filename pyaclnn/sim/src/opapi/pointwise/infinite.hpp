// Whether elements are infinite, of either sign.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/pointwise/pointwise.hpp"

namespace pyaclnn::sim::formulas {

// rounding.cpp
extern const PointwiseFormula is_infinite;

}  // namespace pyaclnn::sim::formulas
