// Operands that are cast to float16 or bfloat16 before they are computed with as float.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/convert.hpp"

namespace pyaclnn::sim {

/// Loads elements of type `from` as float, rounded to `compute` where that is narrower.
LoadFn narrowing_loader(aclDataType from, aclDataType compute);

}  // namespace pyaclnn::sim
