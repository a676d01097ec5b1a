// The largest of scores in registers of 16 floats. Compiled by each_lanes.hpp.
// SPDX-License-Identifier: MIT
#include <cstdint>

#include "opapi/attention/scores.hpp"
#include "opapi/common/folded_lanes.hpp"
#include "opapi/common/lanes.hpp"

namespace pyaclnn::sim::SIM_LANES {
namespace {

/// Of two that are not ordered the first.
struct Largest {
  static SIM_LANES_INLINE Floats of(Floats a, Floats b) { return largest(b, a); }
  static SIM_LANES_INLINE float of(float a, float b) { return b > a ? b : a; }
};

/// Values are multiplied with the factor where they lie, if `kScales`. 32 lanes, whose order is
/// that of no instruction set.
template <bool kScales>
SIM_LANES_INLINE float largest_of(float* values, std::int64_t count, float factor) {
  const Floats factors = Floats::of(factor);
  const auto at = [&](float* place) SIM_LANES_LOOP {
    const Floats found = Floats::at(place);
    if constexpr (!kScales) return found;
    const Floats scaled = found * factors;
    scaled.store(place);
    return scaled;
  };
  Floats low = Floats::of(kHidden);
  Floats high = low;
  std::int64_t i = 0;
  for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
    low = Largest::of(low, at(values + i));
    high = Largest::of(high, at(values + i + kLanes));
  }
  float result = folded<Largest>(Largest::of(low, high));
  for (; i < count; ++i) {
    if constexpr (kScales) values[i] *= factor;
    result = Largest::of(result, values[i]);
  }
  return result;
}

SIM_LANES_LOOP void largest_score(const float* values, std::int64_t count, float* result) {
  *result = largest_of<false>(const_cast<float*>(values), count, 1);
}

SIM_LANES_LOOP void largest_scaled(float* values, std::int64_t count, float factor, float* result) {
  *result = largest_of<true>(values, count, factor);
}

decltype(LineLoops::largest) largest_loop() { return &largest_score; }
decltype(LineLoops::scale_largest) scale_largest_loop() { return &largest_scaled; }

}  // namespace
}  // namespace pyaclnn::sim::SIM_LANES
