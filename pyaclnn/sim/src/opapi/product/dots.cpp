// SPDX-License-Identifier: MIT
#include "opapi/product/dots.hpp"

#include <algorithm>

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
void add_float_dots(const DotProducts& products, float* to, std::int64_t to_step) {
  const auto* column = static_cast<const float*>(products.columns);
  for (std::int64_t c = 0; c < products.column_count; ++c, column += products.column_step) {
    for (std::int64_t i = 0; i < products.row_count; ++i) {
      const float* row = products.rows + i * products.row_step;
      for (std::int64_t begin = 0; begin < products.depth; begin += kDotDepth) {
        const std::int64_t end = std::min(begin + kDotDepth, products.depth);
        float lanes[kDotLanes] = {};
        std::int64_t k = begin;
        for (; k + kDotLanes <= end; k += kDotLanes) {
          for (std::int64_t l = 0; l < kDotLanes; ++l)
            lanes[l] = fused<Isa::kBaseline>(row[k + l], column[k + l], lanes[l]);
        }
        for (std::int64_t l = 0; k + l < end; ++l)
          lanes[l] = fused<Isa::kBaseline>(row[k + l], column[k + l], lanes[l]);
        to[i * to_step + c] += folded(lanes);
      }
    }
  }
}

}  // namespace

Dots dots_of(aclDataType dtype) {
  if (const Dots dots = in_registers(dtype)) return dots;
  return dtype == ACL_FLOAT ? &add_float_dots : nullptr;
}

}  // namespace pyaclnn::sim
