// One source, two instruction sets: hot loops are compiled for the baseline and for AVX2, and the
// processor decides at run time. Both give the same bits: contraction is off.
// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#define SIM_ALWAYS_INLINE inline __attribute__((always_inline))

// The next loop has no dependence between iterations, although its pointers may be equal.
#if defined(__clang__)
#define SIM_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
// A loop that stays scalar is no mistake.
#pragma clang diagnostic ignored "-Wpass-failed"
#else
#define SIM_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#endif

#if defined(__x86_64__)
#define SIM_HAS_AVX2_PATH 1
#define SIM_TARGET_AVX2 __attribute__((target("avx2,fma,f16c"), flatten))
#else
#define SIM_HAS_AVX2_PATH 0
#endif

namespace pyaclnn::sim {

enum class Isa { kBaseline, kAvx2 };

/// The best instruction set of this processor that loops are compiled for.
Isa cpu_isa();

/// Whether the processor has AVX-512 F, BW, DQ and VL, for the few loops written for it by hand.
bool cpu_has_avx512();

/// Whether it has, besides, AMX for bfloat16 and int8, and this process may use it.
bool cpu_has_amx();

namespace detail {

template <class Loop, class... Arguments>
void run_baseline(Arguments... arguments) {
  Loop::template run<Isa::kBaseline>(arguments...);
}

#if SIM_HAS_AVX2_PATH
template <class Loop, class... Arguments>
SIM_TARGET_AVX2 void run_avx2(Arguments... arguments) {
  Loop::template run<Isa::kAvx2>(arguments...);
}
#endif

}  // namespace detail

/// The instance of a loop for this processor. `Loop` has an always-inline static member template
/// `run<Isa>(Arguments...)`.
template <class Loop, class... Arguments>
auto loop_for_cpu() -> void (*)(Arguments...) {
#if SIM_HAS_AVX2_PATH
  if (cpu_isa() == Isa::kAvx2) return &detail::run_avx2<Loop, Arguments...>;
#endif
  return &detail::run_baseline<Loop, Arguments...>;
}

}  // namespace pyaclnn::sim
