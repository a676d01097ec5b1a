// Results of int8 that the matrix unit makes of a product, by words of 64 bits.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// out = int8 of (product * scale) whole, and the offset added, of one word or one for each column.
void quantise_result(Plan& plan, const TensorArgument& product, const TensorArgument& words,
                     const TensorArgument& out);

}  // namespace pyaclnn::sim
