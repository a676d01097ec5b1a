// SPDX-License-Identifier: MIT
#include "opapi/product/dots.hpp"

#include "opapi/common/cpu.hpp"
#include "opapi/common/fused.hpp"

#define SIM_LANES_CODE "opapi/product/dot_lanes.hpp"
#include "opapi/common/each_lanes.hpp"

namespace pyaclnn::sim {
namespace {

Dots in_registers([[maybe_unused]] aclDataType dtype) { return SIM_BY_LANES(dots_of(dtype)); }

SIM_ALWAYS_INLINE float folded(float* lanes) {
  for (std::int64_t half = kDotLanes / 2; half > 0; half /= 2) {
    for (std::int64_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
  }
  return lanes[0];
}

/// On processors without these registers.
void add_float_dots(const float* row, const void* columns, std::int64_t step, std::int64_t count,
                    std::int64_t depth, float* to) {
  const auto* column = static_cast<const float*>(columns);
  for (std::int64_t c = 0; c < count; ++c, column += step) {
    float lanes[kDotLanes] = {};
    std::int64_t k = 0;
    for (; k + kDotLanes <= depth; k += kDotLanes) {
      for (std::int64_t i = 0; i < kDotLanes; ++i)
        lanes[i] = fused<Isa::kBaseline>(row[k + i], column[k + i], lanes[i]);
    }
    for (std::int64_t i = 0; k + i < depth; ++i)
      lanes[i] = fused<Isa::kBaseline>(row[k + i], column[k + i], lanes[i]);
    to[c] += folded(lanes);
  }
}

}  // namespace

Dots dots_of(aclDataType dtype) {
  if (const Dots dots = in_registers(dtype)) return dots;
  return dtype == ACL_FLOAT ? &add_float_dots : nullptr;
}

}  // namespace pyaclnn::sim
