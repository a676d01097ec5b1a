// SPDX-License-Identifier: MIT
#include "opapi/common/narrow_scalar.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "opapi/common/narrow_numbers.hpp"

namespace pyaclnn::sim {
namespace {

/// A type with a sign, an exponent and a fraction.
struct Layout {
  int fraction;  // bits
  int bias;
  int first_beyond;  // the biased exponent that CANN takes as beyond the largest number
  unsigned beyond;   // the bits of what is beyond
  unsigned nan;
  unsigned sign;
};

Layout layout_of(aclDataType dtype) {
  switch (dtype) {
    case ACL_FLOAT8_E5M2:
      return {2, 15, 31, 0x7C, 0x7F, 0x80};
    case ACL_FLOAT8_E4M3FN:  // whose numbers from 256 on become the largest
      return {3, 7, 15, 0x7E, 0x7F, 0x80};
    case ACL_FLOAT4_E2M1:
      return {1, 1, 4, 7, 7, 8};
    default:
      return {2, 1, 2, 7, 7, 8};
  }
}

unsigned with_fraction(float value, const Layout& layout) {
  if (std::isnan(value)) return layout.nan;
  const unsigned sign = std::signbit(value) ? layout.sign : 0;
  if (value == 0) return sign;
  if (std::isinf(value)) return sign | layout.beyond;
  int exponent = 0;
  const float fraction = std::frexp(std::fabs(value), &exponent);
  auto digits = unsigned(std::nearbyint(std::ldexp(fraction, layout.fraction + 1)));
  if (digits >> (layout.fraction + 1) != 0) {
    digits >>= 1;
    ++exponent;
  }
  exponent += layout.bias - 1;
  if (exponent >= layout.first_beyond) return sign | layout.beyond;
  if (exponent < -layout.fraction) return sign;
  // Below the smallest normal number, digits that were rounded before are cut off.
  if (exponent <= 0) return sign | digits >> (1 - exponent);
  return sign | unsigned(exponent) << layout.fraction | (digits & ((1U << layout.fraction) - 1));
}

unsigned power_of_two(float value) {
  if (std::isnan(value) || value < 0) return 255;
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return std::min<unsigned>(254, (bits >> 23) + (bits >> 22 & 1));
}

unsigned tapered(float value) {
  constexpr float kInfinite = 40960;  // and above
  constexpr unsigned kInfinity = 0x6F;
  if (std::fabs(value) >= kInfinite) return std::signbit(value) ? 0x80 | kInfinity : kInfinity;
  return NarrowFormat::of(ACL_HIFLOAT8)->code(value, Round::kRound);
}

float value_of(const ScalarIn& number) {
  const aclDataType dtype = number->dtype();
  if (dtype == ACL_COMPLEX64 || dtype == ACL_COMPLEX128) return 0;
  if (const NarrowFormat* format = NarrowFormat::of(dtype)) {
    const auto code = std::to_integer<unsigned>(number->bytes()[0]);
    return dtype == ACL_FLOAT8_E8M0 && code == 0 ? 0 : format->value(code);
  }
  return number->to_float();
}

}  // namespace

std::uint8_t narrow_bits(const ScalarIn& number, aclDataType dtype) {
  if (number->dtype() == dtype) return std::to_integer<std::uint8_t>(number->bytes()[0]);
  const float value = value_of(number);
  return std::uint8_t(dtype == ACL_FLOAT8_E8M0 ? power_of_two(value)
                      : dtype == ACL_HIFLOAT8  ? tapered(value)
                                               : with_fraction(value, layout_of(dtype)));
}

}  // namespace pyaclnn::sim
