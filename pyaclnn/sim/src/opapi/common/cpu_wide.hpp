// For loops that compute more than they load, as those in double precision do: vectors of 64 bytes
// where the processor has them. The bits are those of loop_for_cpu.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/cpu.hpp"

#if SIM_HAS_AVX2_PATH
#if defined(__clang__)
#define SIM_TARGET_WIDE \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma,f16c"), flatten))
#else
// GCC would stay with vectors of 32 bytes.
#define SIM_TARGET_WIDE                                                                         \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma,f16c,prefer-vector-width=512"), \
                 flatten))
#endif
#endif

namespace pyaclnn::sim {

#if SIM_HAS_AVX2_PATH
namespace detail {

template <class Loop, class... Arguments>
SIM_TARGET_WIDE void run_wide(Arguments... arguments) {
  Loop::template run<Isa::kAvx2>(arguments...);
}

}  // namespace detail
#endif

/// As loop_for_cpu, for AVX-512 too.
template <class Loop, class... Arguments>
auto wide_loop_for_cpu() -> void (*)(Arguments...) {
#if SIM_HAS_AVX2_PATH
  if (cpu_has_avx512()) return &detail::run_wide<Loop, Arguments...>;
#endif
  return loop_for_cpu<Loop, Arguments...>();
}

}  // namespace pyaclnn::sim
