// Dots of a row of floats with columns that lie along the depth, in registers: 16 lanes, one for
// each of the plain loop. Compiled by each_lanes.hpp.
// SPDX-License-Identifier: MIT
#include <cstdint>

#include "opapi/common/folded_lanes.hpp"
#include "opapi/product/dots.hpp"

namespace pyaclnn::sim::SIM_LANES {
namespace {

template <class Form, int kColumns>
SIM_LANES_INLINE void add_dots(const float* row, const typename Form::Bits* columns,
                               std::int64_t step, std::int64_t depth, float* to) {
  Floats sums[kColumns];
  for (Floats& sum : sums) sum = Floats::of(0.0f);
  std::int64_t k = 0;
  for (; k + kDotLanes <= depth; k += kDotLanes) {
    const Floats factor = Floats::at(row + k);
    for (int c = 0; c < kColumns; ++c) {
      const auto* place = columns + c * step + k;
      // The columns after these: the processor does not see where they begin.
      __builtin_prefetch(place + kColumns * step);
      sums[c] = fused(factor, Form::at(place), sums[c]);
    }
  }
  for (int c = 0; c < kColumns; ++c) {
    if (k < depth) {
      alignas(64) float lanes[kDotLanes];
      sums[c].store(lanes);
      for (std::int64_t i = 0; k + i < depth; ++i)
        lanes[i] = __builtin_fmaf(row[k + i], Form::value(columns[c * step + k + i]), lanes[i]);
      sums[c] = Floats::at(lanes);
    }
    to[c] += folded<Sum>(sums[c]);
  }
}

template <class Form>
SIM_LANES_LOOP void add_all_dots(const float* row, const void* columns, std::int64_t step,
                                 std::int64_t count, std::int64_t depth, float* to) {
  const auto* from = static_cast<const typename Form::Bits*>(columns);
  std::int64_t c = 0;
  for (; c + kDotColumns <= count; c += kDotColumns)
    add_dots<Form, kDotColumns>(row, from + c * step, step, depth, to + c);
  for (; c < count; ++c) add_dots<Form, 1>(row, from + c * step, step, depth, to + c);
}

Dots dots_of(aclDataType dtype) {
  if (dtype == ACL_FLOAT) return &add_all_dots<OfFloats>;
  if (dtype == ACL_FLOAT16) return &add_all_dots<OfHalves>;
  if (dtype == ACL_BF16) return &add_all_dots<OfBfloat16s>;
  return nullptr;
}

}  // namespace
}  // namespace pyaclnn::sim::SIM_LANES
