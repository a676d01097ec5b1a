// float16 and bfloat16 to float and back with the widest instructions of the processor.
//
// Each function converts as many values as fill its registers, and returns how many that were; the
// caller finishes the rest. Bits are those of objects/half.hpp.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/cpu.hpp"

#if SIM_HAS_AVX2_PATH

namespace pyaclnn::sim::wide {

using FromBits = std::int64_t (*)(const std::uint16_t* from, std::int64_t count, float* to);
using ToBits = std::int64_t (*)(const float* from, std::int64_t count, std::uint16_t* to);

// Chosen when the library is loaded: AVX-512 where there is, else AVX2, which callers must check.
extern const FromBits load_halves;
extern const FromBits load_bfloat16s;
extern const ToBits store_halves;
extern const ToBits store_bfloat16s;

// The same past the caches, to memory that begins with a cache line; null without AVX-512.
extern const ToBits stream_halves;
extern const ToBits stream_bfloat16s;

}  // namespace pyaclnn::sim::wide

#endif
