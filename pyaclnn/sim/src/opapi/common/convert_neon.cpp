// SPDX-License-Identifier: MIT
#include "opapi/common/convert_wide.hpp"

#if SIM_HAS_NEON_CONVERSIONS

#include <arm_neon.h>

namespace pyaclnn::sim::wide {
namespace {

std::int64_t load_halves_128(const std::uint16_t* from, std::int64_t count, float* to) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const float16x8_t halves = vreinterpretq_f16_u16(vld1q_u16(from + i));
    vst1q_f32(to + i, vcvt_f32_f16(vget_low_f16(halves)));
    vst1q_f32(to + i + 4, vcvt_high_f32_f16(halves));
  }
  return i;
}

std::int64_t store_halves_128(const float* from, std::int64_t count, std::uint16_t* to) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const float16x4_t low = vcvt_f16_f32(vld1q_f32(from + i));
    vst1q_u16(to + i, vreinterpretq_u16_f16(vcvt_high_f16_f32(low, vld1q_f32(from + i + 4))));
  }
  return i;
}

std::int64_t load_bfloat16s_128(const std::uint16_t* from, std::int64_t count, float* to) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const uint16x8_t bits = vld1q_u16(from + i);
    vst1q_f32(to + i, vreinterpretq_f32_u32(vshll_n_u16(vget_low_u16(bits), 16)));
    vst1q_f32(to + i + 4, vreinterpretq_f32_u32(vshll_high_n_u16(bits, 16)));
  }
  return i;
}

/// The nearest bfloat16 of each value, in the upper halves of its bits.
SIM_ALWAYS_INLINE uint32x4_t rounded(float32x4_t values) {
  const uint32x4_t bits = vreinterpretq_u32_f32(values);
  const uint32x4_t odd = vandq_u32(vshrq_n_u32(bits, 16), vdupq_n_u32(1));
  const uint32x4_t up = vaddq_u32(vaddq_u32(bits, vdupq_n_u32(0x7FFF)), odd);
  const uint32x4_t nan = vorrq_u32(bits, vdupq_n_u32(0x400000));
  return vbslq_u32(vceqq_f32(values, values), up, nan);
}

std::int64_t store_bfloat16s_128(const float* from, std::int64_t count, std::uint16_t* to) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const uint16x4_t low = vshrn_n_u32(rounded(vld1q_f32(from + i)), 16);
    vst1q_u16(to + i, vshrn_high_n_u32(low, rounded(vld1q_f32(from + i + 4)), 16));
  }
  return i;
}

std::int64_t truncate_to_int32s_128(const float* from, std::int64_t count, std::int32_t* to) {
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) vst1q_s32(to + i, vcvtq_s32_f32(vld1q_f32(from + i)));
  return i;
}

}  // namespace

const FromBits load_halves = &load_halves_128;
const FromBits load_bfloat16s = &load_bfloat16s_128;
const ToBits store_halves = &store_halves_128;
const ToBits store_bfloat16s = &store_bfloat16s_128;
const ToIntegers truncate_to_int32s = &truncate_to_int32s_128;
const Stream stream_halves = nullptr;
const Stream stream_bfloat16s = nullptr;
const Stream stream_int32s = nullptr;
const StreamBytes stream_bytes = nullptr;

}  // namespace pyaclnn::sim::wide

#endif
