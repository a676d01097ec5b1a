// SPDX-License-Identifier: MIT
#include "opapi/product/add_lines.hpp"

#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/fused.hpp"

namespace pyaclnn::sim {
namespace {

struct AddLinesLoop {
  template <Isa kIsa>
  static SIM_ALWAYS_INLINE void run(const float* factors, const float* lines, std::int64_t step,
                                    std::int64_t count, std::int64_t columns, float* to) {
    static_assert(kLinesTogether == 8);
    if (count == kLinesTogether) {
      float f[kLinesTogether];
      for (int i = 0; i < kLinesTogether; ++i) f[i] = factors[i];
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t j = 0; j < columns; ++j) {
        float sum = to[j];
        sum = fused<kIsa>(f[0], lines[j], sum);
        sum = fused<kIsa>(f[1], lines[step + j], sum);
        sum = fused<kIsa>(f[2], lines[2 * step + j], sum);
        sum = fused<kIsa>(f[3], lines[3 * step + j], sum);
        sum = fused<kIsa>(f[4], lines[4 * step + j], sum);
        sum = fused<kIsa>(f[5], lines[5 * step + j], sum);
        sum = fused<kIsa>(f[6], lines[6 * step + j], sum);
        sum = fused<kIsa>(f[7], lines[7 * step + j], sum);
        to[j] = sum;
      }
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const float factor = factors[i];
      const float* line = lines + i * step;
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t j = 0; j < columns; ++j) to[j] = fused<kIsa>(factor, line[j], to[j]);
    }
  }
};

struct AddValuesLoop {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* values, std::int64_t count, float* to) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) to[i] += values[i];
  }
};

}  // namespace

AddLines lines_adder() {
  static const AddLines adder =
      wide_loop_for_cpu<AddLinesLoop, const float*, const float*, std::int64_t, std::int64_t,
                        std::int64_t, float*>();
  return adder;
}

AddValues values_adder() {
  static const AddValues adder =
      wide_loop_for_cpu<AddValuesLoop, const float*, std::int64_t, float*>();
  return adder;
}

}  // namespace pyaclnn::sim
