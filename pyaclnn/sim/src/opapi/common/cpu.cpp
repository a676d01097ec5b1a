// SPDX-License-Identifier: MIT
#include "opapi/common/cpu.hpp"

#if SIM_HAS_AVX2_PATH
#include <cpuid.h>
#endif

namespace pyaclnn::sim {
namespace {

#if SIM_HAS_AVX2_PATH
// Asked of the processor itself: __builtin_cpu_supports needs a runtime library that not every
// compiler brings.
bool has_avx2() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  constexpr unsigned kFma = 1u << 12;
  constexpr unsigned kOsxsave = 1u << 27;
  constexpr unsigned kF16c = 1u << 29;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
  if ((c & kFma) == 0 || (c & kOsxsave) == 0 || (c & kF16c) == 0) return false;
  unsigned low = 0;
  unsigned high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  if ((low & 6u) != 6u) return false;  // the system saves the wide registers
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 5)) != 0;
}
#endif

}  // namespace

Isa cpu_isa() {
#if SIM_HAS_AVX2_PATH
  static const Isa isa = has_avx2() ? Isa::kAvx2 : Isa::kBaseline;
  return isa;
#else
  return Isa::kBaseline;
#endif
}

}  // namespace pyaclnn::sim
