// Compiles the header that SIM_LANES_CODE names twice, in the namespace SIM_LANES: with registers
// of AVX-512, and with those of AVX2. SIM_LANES_LOOP stands before its functions, SIM_LANES_INLINE
// before those that become part of others.
// SPDX-License-Identifier: MIT
// No `#pragma once`: each file has its own code compiled.
#include "opapi/common/lanes.hpp"

#if SIM_HAS_AVX2_PATH

#define SIM_LANES_INLINE SIM_LANES_LOOP SIM_ALWAYS_INLINE

#define SIM_LANES avx512
#define SIM_LANES_LOOP SIM_LANES_512
#include SIM_LANES_CODE
#undef SIM_LANES
#undef SIM_LANES_LOOP

#define SIM_LANES avx2
#define SIM_LANES_LOOP SIM_LANES_256
#include SIM_LANES_CODE
#undef SIM_LANES
#undef SIM_LANES_LOOP

#undef SIM_LANES_INLINE

#endif
