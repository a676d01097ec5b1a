// SPDX-License-Identifier: MIT
#include "opapi/common/convert_wide.hpp"

#if SIM_HAS_NEON_CONVERSIONS

#include "opapi/common/neon_registers.hpp"

namespace pyaclnn::sim::wide {
namespace {

template <void (*convert)(const std::uint16_t*, float*)>
std::int64_t load_128(const std::uint16_t* from, std::int64_t count, float* to) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) convert(from + i, to + i);
  return i;
}

template <void (*convert)(const float*, std::uint16_t*)>
std::int64_t store_128(const float* from, std::int64_t count, std::uint16_t* to) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) convert(from + i, to + i);
  return i;
}

std::int64_t truncate_to_int32s_128(const float* from, std::int64_t count, std::int32_t* to) {
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) vst1q_s32(to + i, vcvtq_s32_f32(vld1q_f32(from + i)));
  return i;
}

}  // namespace

const FromBits load_halves = &load_128<&neon::load_halves>;
const FromBits load_bfloat16s = &load_128<&neon::load_bfloat16s>;
const ToBits store_halves = &store_128<&neon::store_halves>;
const ToBits store_bfloat16s = &store_128<&neon::store_bfloat16s>;
const ToIntegers<std::int32_t> truncate_to_int32s = &truncate_to_int32s_128;
const ToIntegers<std::int8_t> truncate_to_int8s = nullptr;
const ToIntegers<std::uint8_t> truncate_to_uint8s = nullptr;
const ToIntegers<std::int64_t> truncate_to_int64s = nullptr;
const ToIntegers<std::int8_t> round_to_int8s = nullptr;
const Stream stream_halves = nullptr;
const Stream stream_bfloat16s = nullptr;
const Stream stream_int32s = nullptr;
const StreamBytes stream_bytes = nullptr;

}  // namespace pyaclnn::sim::wide

#endif
