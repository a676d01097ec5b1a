// Arguments that their headers do not declare const, though they are only read.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/arguments.hpp"

namespace pyaclnn::sim {

struct MutableScalarIn : ScalarIn {
  using C = aclScalar*;
  using ScalarIn::ScalarIn;
};

struct MutableIntArrayIn : IntArrayIn {
  using C = aclIntArray*;
  using IntArrayIn::IntArrayIn;
};

}  // namespace pyaclnn::sim
