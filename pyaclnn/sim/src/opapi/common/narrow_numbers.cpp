// SPDX-License-Identifier: MIT
#include "opapi/common/narrow_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "objects/dtype.hpp"
#include "opapi/common/cpu.hpp"

namespace pyaclnn::sim {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// A float with a sign, some bits of an exponent and the rest a fraction, as IEEE 754 has them.
float plain_float(unsigned magnitude, int fraction_bits, int bias) {
  const int exponent = int(magnitude >> fraction_bits);
  const int fraction = int(magnitude & ((1U << fraction_bits) - 1));
  const int implied = exponent == 0 ? 0 : 1 << fraction_bits;
  return std::ldexp(float(implied + fraction), std::max(exponent, 1) - bias - fraction_bits);
}

/// Seven bits: a prefix says how many bits the exponent takes, which has a sign of its own and a
/// leading one that is not stored; the fraction has the rest. Prefix 0000 is for the smallest.
float hifloat8(unsigned magnitude) {
  if (magnitude < 8) return magnitude == 0 ? 0 : std::ldexp(1.0f, int(magnitude) - 23);
  if (magnitude < 16) return std::ldexp(float(8 + (magnitude & 7)), -3);
  int width;
  unsigned rest;  // the exponent's sign, its magnitude without the leading one, the fraction
  int rest_bits;
  if (magnitude < 32) {
    width = 1, rest = magnitude & 15, rest_bits = 4;
  } else {
    width = int(magnitude >> 5) + 1, rest = magnitude & 31, rest_bits = 5;
  }
  const int fraction_bits = rest_bits - width;
  const unsigned signed_exponent = rest >> fraction_bits;
  const unsigned stored = signed_exponent & ((1U << (width - 1)) - 1);
  const int size = int(1U << (width - 1) | stored);
  const int exponent = signed_exponent >> (width - 1) != 0 ? -size : size;
  const int fraction = int(rest & ((1U << fraction_bits) - 1));
  if (width == 4 && exponent == 15 && fraction == 1) return kInfinity;
  return std::ldexp(float((1 << fraction_bits) + fraction), exponent - fraction_bits);
}

constexpr std::array<aclDataType, 6> kFormats = {ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2,
                                                 ACL_FLOAT8_E8M0,   ACL_HIFLOAT8,
                                                 ACL_FLOAT4_E2M1,   ACL_FLOAT4_E1M2};

/// The word of a parameter that has a scale, whose place is in its upper 19 of 32 bits.
constexpr std::uint64_t kScaleMark = std::uint64_t(1) << 46;
constexpr std::uint32_t kScaleBits = 0xFFFFE000;
constexpr unsigned kDroppedBits = 13;
constexpr unsigned kOffsetPlace = 37;

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

template <Round kMode>
SIM_ALWAYS_INLINE float one_rounded(float value) {
  if constexpr (kMode == Round::kFloor) return std::floor(value);
  if constexpr (kMode == Round::kCeil) return std::ceil(value);
  if constexpr (kMode == Round::kTrunc) return std::trunc(value);
  if constexpr (kMode == Round::kRound) return std::round(value);
  return std::nearbyint(value);
}

template <Round kMode>
struct RoundLoop {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(float* values, std::int64_t count) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) values[i] = one_rounded<kMode>(values[i]);
  }
};

template <Round kMode>
void round_all(float* values, std::int64_t count) {
  loop_for_cpu<RoundLoop<kMode>, float*, std::int64_t>()(values, count);
}

/// Both numbers of some bytes.
template <class T>
struct Int4Loop {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const std::byte* packed, std::int64_t bytes, T* to) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < bytes; ++i) {
      const int both = int(packed[i]);
      to[2 * i] = T(((both & 15) ^ 8) - 8);
      to[2 * i + 1] = T(((both >> 4) ^ 8) - 8);
    }
  }
};

template <class T>
void read_pairs(const std::byte* packed, std::int64_t first, std::int64_t count, T* to) {
  if (count > 0 && first % 2 != 0) *to++ = T(int4_at(packed, first++)), --count;
  loop_for_cpu<Int4Loop<T>, const std::byte*, std::int64_t, T*>()(packed + first / 2, count / 2,
                                                                  to);
  if (count % 2 != 0) to[count - 1] = T(int4_at(packed, first + count - 1));
}

}  // namespace

void read_int4(const std::byte* packed, std::int64_t first, std::int64_t count, float* to) {
  read_pairs(packed, first, count, to);
}

void read_int4(const std::byte* packed, std::int64_t first, std::int64_t count, std::int8_t* to) {
  read_pairs(packed, first, count, to);
}

void read_halves(aclDataType dtype, const std::byte* packed, std::int64_t first, std::int64_t step,
                 std::int64_t count, float* to) {
  const NarrowFormat* const format = NarrowFormat::of(dtype);
  if (format == nullptr && step == 1) return read_int4(packed, first, count, to);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t index = first + i * step;
    to[i] =
        format == nullptr ? float(int4_at(packed, index)) : format->value(half_at(packed, index));
  }
}

float rounded(float value, Round mode) {
  round_values(&value, 1, mode);
  return value;
}

void round_values(float* values, std::int64_t count, Round mode) {
  switch (mode) {
    case Round::kRint:
      return round_all<Round::kRint>(values, count);
    case Round::kRound:
      return round_all<Round::kRound>(values, count);
    case Round::kFloor:
      return round_all<Round::kFloor>(values, count);
    case Round::kCeil:
      return round_all<Round::kCeil>(values, count);
    case Round::kTrunc:
      return round_all<Round::kTrunc>(values, count);
  }
}

const NarrowFormat* NarrowFormat::of(aclDataType dtype) {
  static const std::array<NarrowFormat, kFormats.size()> formats = {
      NarrowFormat(kFormats[0]), NarrowFormat(kFormats[1]), NarrowFormat(kFormats[2]),
      NarrowFormat(kFormats[3]), NarrowFormat(kFormats[4]), NarrowFormat(kFormats[5])};
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    if (kFormats[i] == dtype) return &formats[i];
  }
  return nullptr;
}

NarrowFormat::NarrowFormat(aclDataType dtype) {
  std::fill(std::begin(values_), std::end(values_), kNan);
  const bool half = is_float4(dtype);
  bits_ = half ? 4 : 8;
  sign_ = dtype == ACL_FLOAT8_E8M0 ? 0 : half ? 8 : 128;
  const unsigned magnitudes = sign_ == 0 ? 256 : sign_;
  for (unsigned code = 0; code < magnitudes; ++code) {
    if (dtype == ACL_FLOAT8_E4M3FN) {
      add(code, code == 0x7F ? kNan : plain_float(code, 3, 7));
    } else if (dtype == ACL_FLOAT8_E5M2) {
      add(code, code < 0x7C ? plain_float(code, 2, 15) : code == 0x7C ? kInfinity : kNan);
    } else if (dtype == ACL_FLOAT8_E8M0) {
      add(code, code == 255 ? kNan : std::ldexp(1.0f, int(code) - 127));
    } else if (dtype == ACL_HIFLOAT8) {
      add(code, hifloat8(code));
    } else if (dtype == ACL_FLOAT4_E2M1) {
      add(code, plain_float(code, 1, 1));
    } else {
      add(code, plain_float(code, 2, 1));
    }
  }
  if (dtype == ACL_HIFLOAT8) values_[128] = kNan;  // in the place of a negative zero
  nan_ = dtype == ACL_FLOAT8_E8M0 ? 255 : dtype == ACL_HIFLOAT8 ? 128 : half ? 0 : 127;
  std::array<int, 256> order;
  std::iota(order.begin(), order.begin() + count_, 0);
  std::sort(order.begin(), order.begin() + count_,
            [&](int a, int b) { return magnitudes_[a] < magnitudes_[b]; });
  std::array<float, 256> sorted;
  std::array<std::uint8_t, 256> codes;
  for (int i = 0; i < count_; ++i) {
    sorted[std::size_t(i)] = magnitudes_[order[std::size_t(i)]];
    codes[std::size_t(i)] = codes_[order[std::size_t(i)]];
  }
  std::copy_n(sorted.begin(), count_, magnitudes_);
  std::copy_n(codes.begin(), count_, codes_);
}

void NarrowFormat::add(unsigned code, float value) {
  values_[code] = value;
  if (sign_ != 0) values_[code | sign_] = -value;
  if (!std::isfinite(value)) return;
  magnitudes_[count_] = value;
  codes_[count_] = std::uint8_t(code);
  ++count_;
}

std::uint8_t NarrowFormat::code(float value, Round mode) const {
  if (std::isnan(value)) return std::uint8_t(nan_);
  const bool negative = std::signbit(value);
  const float size = std::fabs(value);
  const float* const end = magnitudes_ + count_;
  const float* above = std::lower_bound(magnitudes_, end, size);
  int chosen;
  if (above == end) {
    chosen = count_ - 1;
  } else if (*above == size || above == magnitudes_) {
    chosen = int(above - magnitudes_);
  } else {
    const int below = int(above - magnitudes_) - 1;
    const float up = *above - size;
    const float down = size - magnitudes_[below];
    const bool outward = mode == Round::kRint    ? up < down || (up == down && below % 2 == 1)
                         : mode == Round::kRound ? up <= down
                         : mode == Round::kFloor ? negative
                         : mode == Round::kCeil  ? !negative
                                                 : false;
    chosen = below + outward;
  }
  const unsigned code = codes_[chosen];
  // hifloat8 has one zero.
  const bool marks = negative && !(code == 0 && nan_ == sign_);
  return std::uint8_t(marks ? code | sign_ : code);
}

float largest_quantised(aclDataType dtype) {
  if (const NarrowFormat* format = NarrowFormat::of(dtype)) return format->max();
  return holds_int4(dtype) ? 7 : 127;
}

float span_quantised(aclDataType dtype) {
  if (const NarrowFormat* format = NarrowFormat::of(dtype)) return 2 * format->max();
  return holds_int4(dtype) ? 15 : 255;
}

bool holds_int4(aclDataType dtype) { return dtype == ACL_INT4 || dtype == ACL_INT32; }

float scale_of_parameter(std::uint64_t parameter) {
  const std::uint32_t bits = std::uint32_t(parameter) & kScaleBits;
  float scale;
  std::memcpy(&scale, &bits, sizeof scale);
  return scale;
}

float offset_of_parameter(std::uint64_t parameter) {
  const int bits = int(parameter >> 37 & 0x1FF);
  return float(bits >= 256 ? bits - 512 : bits);
}

std::uint64_t quant_parameter(float scale, bool rounds) {
  std::uint32_t bits = bits_of(scale);
  const std::uint32_t exponent = bits >> 23 & 0xFF;
  if (rounds && exponent == 0) {
    bits &= 0x80000000;
  } else if (rounds && exponent != 0xFF) {
    const std::uint32_t odd = bits >> kDroppedBits & 1;
    bits += (1U << (kDroppedBits - 1)) - 1 + odd;
  }
  return kScaleMark | (bits & kScaleBits);
}

std::uint64_t quant_parameter_with(std::uint64_t parameter, float offset) {
  const float whole = std::nearbyint(std::isnan(offset) ? 0 : offset);
  const auto nine = static_cast<std::int64_t>(std::clamp(whole, -256.0f, 255.0f));
  return parameter | (std::uint64_t(nine) & 0x1FF) << kOffsetPlace;
}

}  // namespace pyaclnn::sim
