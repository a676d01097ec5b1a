// Between memory and registers of 4 floats, for code written for NEON by hand. Include only where
// SIM_HAS_NEON_CONVERSIONS.
// SPDX-License-Identifier: MIT
#pragma once

#include <arm_neon.h>

#include <cstdint>

#include "opapi/common/cpu.hpp"

namespace pyaclnn::sim::neon {

/// Eight values of 16 bits as floats.
SIM_ALWAYS_INLINE void load_halves(const std::uint16_t* from, float* to) {
  const float16x8_t halves = vreinterpretq_f16_u16(vld1q_u16(from));
  vst1q_f32(to, vcvt_f32_f16(vget_low_f16(halves)));
  vst1q_f32(to + 4, vcvt_high_f32_f16(halves));
}

SIM_ALWAYS_INLINE void store_halves(const float* from, std::uint16_t* to) {
  const float16x4_t low = vcvt_f16_f32(vld1q_f32(from));
  vst1q_u16(to, vreinterpretq_u16_f16(vcvt_high_f16_f32(low, vld1q_f32(from + 4))));
}

SIM_ALWAYS_INLINE void load_bfloat16s(const std::uint16_t* from, float* to) {
  const uint16x8_t bits = vld1q_u16(from);
  vst1q_f32(to, vreinterpretq_f32_u32(vshll_n_u16(vget_low_u16(bits), 16)));
  vst1q_f32(to + 4, vreinterpretq_f32_u32(vshll_high_n_u16(bits, 16)));
}

/// The nearest bfloat16 of each value, in the upper halves of its bits.
SIM_ALWAYS_INLINE uint32x4_t rounded_to_bfloat16s(float32x4_t values) {
  const uint32x4_t bits = vreinterpretq_u32_f32(values);
  const uint32x4_t odd = vandq_u32(vshrq_n_u32(bits, 16), vdupq_n_u32(1));
  const uint32x4_t up = vaddq_u32(vaddq_u32(bits, vdupq_n_u32(0x7FFF)), odd);
  const uint32x4_t nan = vorrq_u32(bits, vdupq_n_u32(0x400000));
  return vbslq_u32(vceqq_f32(values, values), up, nan);
}

SIM_ALWAYS_INLINE void store_bfloat16s(const float* from, std::uint16_t* to) {
  const uint16x4_t low = vshrn_n_u32(rounded_to_bfloat16s(vld1q_f32(from)), 16);
  vst1q_u16(to, vshrn_high_n_u32(low, rounded_to_bfloat16s(vld1q_f32(from + 4)), 16));
}

}  // namespace pyaclnn::sim::neon
