// SPDX-License-Identifier: MIT
#include "opapi/common/cpu.hpp"

#if SIM_HAS_AVX2_PATH
#include <cpuid.h>
#endif

namespace pyaclnn::sim {
namespace {

#if SIM_HAS_AVX2_PATH
struct Features {
  bool avx2 = false;
  bool avx512 = false;
};

// Asked of the processor itself: __builtin_cpu_supports needs a runtime library that not every
// compiler brings.
Features find_features() {
  constexpr unsigned kFma = 1u << 12;
  constexpr unsigned kOsxsave = 1u << 27;
  constexpr unsigned kF16c = 1u << 29;
  constexpr unsigned kAvx2 = 1u << 5;
  constexpr unsigned kAvx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;  // F, DQ, BW, VL
  // Which registers the system saves.
  constexpr unsigned kWide = 0x06;
  constexpr unsigned kWidest = 0xE6;
  Features features;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return features;
  if ((c & kFma) == 0 || (c & kOsxsave) == 0 || (c & kF16c) == 0) return features;
  unsigned saved = 0;
  unsigned high = 0;
  __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return features;
  features.avx2 = (saved & kWide) == kWide && (b & kAvx2) != 0;
  features.avx512 = features.avx2 && (saved & kWidest) == kWidest && (b & kAvx512) == kAvx512;
  return features;
}

const Features& features() {
  static const Features features = find_features();
  return features;
}
#endif

}  // namespace

Isa cpu_isa() {
#if SIM_HAS_AVX2_PATH
  return features().avx2 ? Isa::kAvx2 : Isa::kBaseline;
#else
  return Isa::kBaseline;
#endif
}

bool cpu_has_avx512() {
#if SIM_HAS_AVX2_PATH
  return features().avx512;
#else
  return false;
#endif
}

}  // namespace pyaclnn::sim
