// 16 lanes in one, halving their number each time. For code that each_lanes.hpp compiles.
// SPDX-License-Identifier: MIT
// No `#pragma once`: it is compiled for each instruction set.
#include "opapi/common/lanes.hpp"

namespace pyaclnn::sim::SIM_LANES {
namespace {

struct Sum {
  static SIM_LANES_INLINE Floats of(Floats a, Floats b) { return a + b; }
};

template <class Way>
SIM_LANES_INLINE float folded(Floats lanes) {
  const Floats eight = Way::of(lanes, upper_eight(lanes));
  const Floats four = Way::of(eight, upper_four(eight));
  const Floats two = Way::of(four, upper_two(four));
  return first_of(Way::of(two, upper_one(two)));
}

}  // namespace
}  // namespace pyaclnn::sim::SIM_LANES
