// The conversions of convert_wide.hpp. Compiled by each_lanes.hpp.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <limits>

#include "opapi/common/convert_wide.hpp"
#include "opapi/common/lanes.hpp"

namespace pyaclnn::sim::SIM_LANES {
namespace {

template <class Form>
SIM_LANES_LOOP std::int64_t load_values(const std::uint16_t* from, std::int64_t count, float* to) {
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) Form::at(from + i).store(to + i);
  return i;
}

template <class Form, bool kPast>
SIM_LANES_INLINE std::int64_t put_values(const float* from, std::int64_t count, std::uint16_t* to) {
  std::int64_t i = 0;
  for (; i + 2 * kLanes <= count; i += 2 * kLanes)
    Form::template put<kPast>(to + i, Floats::at(from + i), Floats::at(from + i + kLanes));
  return i;
}

template <class Form>
SIM_LANES_LOOP std::int64_t store_values(const float* from, std::int64_t count, std::uint16_t* to) {
  std::int64_t i = put_values<Form, false>(from, count, to);
  for (; i + kLanes <= count; i += kLanes) Form::put(to + i, Floats::at(from + i));
  return i;
}

template <class Form>
SIM_LANES_LOOP std::int64_t stream_values(const float* from, std::int64_t count, std::byte* to) {
  return put_values<Form, true>(from, count, reinterpret_cast<std::uint16_t*>(to));
}

SIM_LANES_LOOP std::int64_t truncate_to_int32s(const float* from, std::int64_t count,
                                               std::int32_t* to) {
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) Integers::truncated(Floats::at(from + i)).store(to + i);
  return i;
}

SIM_LANES_INLINE Integers truncated_at(const float* from, Floats most) {
  return Integers::truncated_below(smallest(most, Floats::at(from)));
}

template <class T>
SIM_LANES_LOOP std::int64_t truncate_to_bytes(const float* from, std::int64_t count, T* to) {
  const Floats most = Floats::of(std::numeric_limits<T>::max());
  std::int64_t i = 0;
  for (; i + 2 * kLanes <= count; i += 2 * kLanes)
    truncated_at(from + i, most).store(truncated_at(from + i + kLanes, most), to + i);
  for (; i + kLanes <= count; i += kLanes) truncated_at(from + i, most).store(to + i);
  return i;
}

/// Ends where a number does not fit into 32 bits.
SIM_LANES_LOOP std::int64_t truncate_to_int64s(const float* from, std::int64_t count,
                                               std::int64_t* to) {
  const Floats least = Floats::of(-0x1p31f), most = Floats::of(0x1.fffffep30f);
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Floats values = Floats::at(from + i);
    if ((less(values, least) | less(most, values)).any()) break;
    Integers::truncated(values).store(to + i);
  }
  return i;
}

SIM_LANES_LOOP std::int64_t round_to_int8s(const float* from, std::int64_t count, std::int8_t* to) {
  const Floats least = Floats::of(-128), most = Floats::of(127);
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Floats values = Floats::at(from + i);
    const Floats inside = smallest(largest(values, least), most);
    Integers::rounded(blended(unordered(values, values), inside, Floats::of(0))).store(to + i);
  }
  return i;
}

SIM_LANES_LOOP std::int64_t stream_int32s(const float* from, std::int64_t count, std::byte* to) {
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    Integers::truncated(Floats::at(from + i)).stream(reinterpret_cast<std::int32_t*>(to) + i);
  return i;
}

SIM_LANES_LOOP std::int64_t stream_bytes(const std::byte* from, std::int64_t bytes, std::byte* to) {
  constexpr std::int64_t kLine = 64;
  std::int64_t i = 0;
  for (; i + kLine <= bytes; i += kLine) Integers::at(from + i).stream(to + i);
  return i;
}

wide::Conversions conversions() {
  return {&load_values<OfHalves>,
          &load_values<OfBfloat16s>,
          &store_values<OfHalves>,
          &store_values<OfBfloat16s>,
          &truncate_to_int32s,
          &truncate_to_bytes<std::int8_t>,
          &truncate_to_bytes<std::uint8_t>,
          &truncate_to_int64s,
          &round_to_int8s,
          &stream_values<OfHalves>,
          &stream_values<OfBfloat16s>,
          &stream_int32s,
          &stream_bytes};
}

}  // namespace
}  // namespace pyaclnn::sim::SIM_LANES
