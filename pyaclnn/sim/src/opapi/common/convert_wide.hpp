// float16 and bfloat16 to float and back, and floats to integers, with the widest instructions of
// the processor.
//
// Each function converts as many values as fill its registers, or as it can, and returns how many
// that were; the caller finishes the rest. Bits are those of objects/half.hpp.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "opapi/common/cpu.hpp"

#if defined(__aarch64__)
#define SIM_HAS_NEON_CONVERSIONS 1
#else
#define SIM_HAS_NEON_CONVERSIONS 0
#endif

#if SIM_HAS_AVX2_PATH || SIM_HAS_NEON_CONVERSIONS

namespace pyaclnn::sim::wide {

using FromBits = std::int64_t (*)(const std::uint16_t* from, std::int64_t count, float* to);
using ToBits = std::int64_t (*)(const float* from, std::int64_t count, std::uint16_t* to);

/// Whether they may be called in loops for an instruction set.
template <Isa kIsa>
constexpr bool kThere = SIM_HAS_NEON_CONVERSIONS || kIsa == Isa::kAvx2;

// Chosen when the library is loaded: AVX-512 where there is, else AVX2; NEON on AArch64.
extern const FromBits load_halves;
extern const FromBits load_bfloat16s;
extern const ToBits store_halves;
extern const ToBits store_bfloat16s;

/// To integers towards zero; null on x86-64 without AVX2. What is out of range saturates, NaN
/// becomes 0.
template <class T>
using ToIntegers = std::int64_t (*)(const float* from, std::int64_t count, T* to);
extern const ToIntegers<std::int32_t> truncate_to_int32s;
extern const ToIntegers<std::int8_t> truncate_to_int8s;
extern const ToIntegers<std::uint8_t> truncate_to_uint8s;
extern const ToIntegers<std::int64_t> truncate_to_int64s;

/// To the nearest integers, halves to even ones; null without AVX2. The same holds out of range.
extern const ToIntegers<std::int8_t> round_to_int8s;

// The same past the caches, to memory that begins with a cache line; null without AVX2.
using Stream = std::int64_t (*)(const float* from, std::int64_t count, std::byte* to);
extern const Stream stream_halves;
extern const Stream stream_bfloat16s;
extern const Stream stream_int32s;

/// Copies whole cache lines in that way, and returns how many bytes; null without AVX2.
using StreamBytes = std::int64_t (*)(const std::byte* from, std::int64_t bytes, std::byte* to);
extern const StreamBytes stream_bytes;

}  // namespace pyaclnn::sim::wide

#endif
