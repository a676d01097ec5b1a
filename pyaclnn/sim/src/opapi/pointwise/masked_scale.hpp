// Elements times those of a mask times a number.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/pointwise/pointwise.hpp"

namespace pyaclnn::sim::formulas {

// masked_scale.cpp
extern const PointwiseFormula masked_scale;

}  // namespace pyaclnn::sim::formulas
