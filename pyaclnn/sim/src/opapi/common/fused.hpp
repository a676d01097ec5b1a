// a * b + c as the products of tiles have it: fused where the processor can, else rounded twice.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/cpu.hpp"

namespace pyaclnn::sim {

template <Isa kIsa>
SIM_ALWAYS_INLINE float fused(float a, float b, float sum) {
#if defined(__aarch64__)
  return __builtin_fmaf(a, b, sum);
#else
  if constexpr (kIsa == Isa::kAvx2) {
    return __builtin_fmaf(a, b, sum);
  } else {
    return sum + a * b;
  }
#endif
}

}  // namespace pyaclnn::sim
