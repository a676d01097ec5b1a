// A scalar that its header does not declare const, though it is only read.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/arguments.hpp"

namespace pyaclnn::sim {

struct MutableScalarIn : ScalarIn {
  using C = aclScalar*;
  using ScalarIn::ScalarIn;
};

}  // namespace pyaclnn::sim
