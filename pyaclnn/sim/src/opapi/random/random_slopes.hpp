// The rectifier whose slope is drawn for each number below 0.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

struct RandomSlopes {
  float lower;
  float upper;
  std::uint64_t seed;
  std::uint64_t offset;
};

/// Plans, in training, noise = a slope of [lower, upper) where self is below 0, else 1, and
/// out = self noise. What noise has behind the last of them stays. Otherwise the slope is the mean
/// of both and noise is not looked at. CANN's document draws a slope at 0, too; its source has 1
/// there, which shows in noise alone.
void rrelu_with_noise(Plan& plan, const TensorArgument& self, const TensorArgument& noise,
                      const RandomSlopes& slopes, bool training, const TensorArgument& out);

}  // namespace pyaclnn::sim
