// A list of floats that its header does not declare const, though it is read only.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/arguments.hpp"

namespace pyaclnn::sim {

struct MutableFloatArrayIn : FloatArrayIn {
  using C = aclFloatArray*;
  using FloatArrayIn::FloatArrayIn;
};

}  // namespace pyaclnn::sim
