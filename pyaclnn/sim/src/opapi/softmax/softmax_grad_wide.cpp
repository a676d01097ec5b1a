// SPDX-License-Identifier: MIT
#include "opapi/softmax/softmax_grad_wide.hpp"

#define SIM_LANES_CODE "opapi/softmax/softmax_grad_lanes.hpp"
#include "opapi/common/each_lanes.hpp"

namespace pyaclnn::sim::wide {

FloatDotFn softmax_dot() { return SIM_BY_LANES(softmax_dot()); }

SoftmaxSteps softmax_steps([[maybe_unused]] aclDataType dtype, [[maybe_unused]] bool logarithm) {
  return SIM_BY_LANES(softmax_steps(dtype, logarithm));
}

}  // namespace pyaclnn::sim::wide
