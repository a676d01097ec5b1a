// Products of int8 with weights of int4, whose scales are those of columns or of groups of the
// depth.
// SPDX-License-Identifier: MIT
#pragma once

#include "parameters/QuantMatmulV5.hpp"

namespace pyaclnn::sim {

/// Whether x1 is int8, and x2 int4 in words of int32.
bool multiplies_int8_by_words(const QuantMatmulV5Parameters& given);

void int8_by_int4(const Check& check, Plan& plan, const QuantMatmulV5Parameters& given);

}  // namespace pyaclnn::sim
