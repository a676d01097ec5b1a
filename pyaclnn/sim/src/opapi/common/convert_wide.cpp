// SPDX-License-Identifier: MIT
#include "opapi/common/convert_wide.hpp"

#if SIM_HAS_AVX2_PATH

namespace pyaclnn::sim::wide {
namespace {

struct Conversions {
  FromBits load_halves;
  FromBits load_bfloat16s;
  ToBits store_halves;
  ToBits store_bfloat16s;
  ToIntegers<std::int32_t> truncate_to_int32s;
  ToIntegers<std::int8_t> truncate_to_int8s;
  ToIntegers<std::uint8_t> truncate_to_uint8s;
  ToIntegers<std::int64_t> truncate_to_int64s;
  ToIntegers<std::int8_t> round_to_int8s;
  Stream stream_halves;
  Stream stream_bfloat16s;
  Stream stream_int32s;
  StreamBytes stream_bytes;
};

}  // namespace
}  // namespace pyaclnn::sim::wide

#define SIM_LANES_CODE "opapi/common/convert_lanes.hpp"
#include "opapi/common/each_lanes.hpp"

namespace pyaclnn::sim::wide {
namespace {

const Conversions chosen = SIM_BY_LANES(conversions());

}  // namespace

const FromBits load_halves = chosen.load_halves;
const FromBits load_bfloat16s = chosen.load_bfloat16s;
const ToBits store_halves = chosen.store_halves;
const ToBits store_bfloat16s = chosen.store_bfloat16s;
const ToIntegers<std::int32_t> truncate_to_int32s = chosen.truncate_to_int32s;
const ToIntegers<std::int8_t> truncate_to_int8s = chosen.truncate_to_int8s;
const ToIntegers<std::uint8_t> truncate_to_uint8s = chosen.truncate_to_uint8s;
const ToIntegers<std::int64_t> truncate_to_int64s = chosen.truncate_to_int64s;
const ToIntegers<std::int8_t> round_to_int8s = chosen.round_to_int8s;
const Stream stream_halves = chosen.stream_halves;
const Stream stream_bfloat16s = chosen.stream_bfloat16s;
const Stream stream_int32s = chosen.stream_int32s;
const StreamBytes stream_bytes = chosen.stream_bytes;

}  // namespace pyaclnn::sim::wide

#endif
