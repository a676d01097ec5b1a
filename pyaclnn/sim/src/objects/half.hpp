// float16 and bfloat16 in plain arithmetic, rounding to nearest even.
//
// Written without branches so that loops over them vectorise.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

// Inlined by force: a call inside a loop keeps it from vectorising, and from being compiled for the
// processor at hand.
#define SIM_HALF_INLINE inline __attribute__((always_inline))

namespace pyaclnn::sim {

SIM_HALF_INLINE std::uint32_t float_bits(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

SIM_HALF_INLINE float float_from_bits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

SIM_HALF_INLINE float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t(half & 0x8000u) << 16;
  const std::uint32_t magnitude = half & 0x7FFFu;
  // Normal numbers: shift into place and move the exponent's bias from 15 to 127.
  const std::uint32_t normal = (magnitude << 13) + (112u << 23);
  const std::uint32_t special = (magnitude << 13) | 0x7F800000u;
  // Subnormal ones: put the mantissa below an implicit one and take that away again.
  const float small = float_from_bits((magnitude << 13) + (113u << 23)) - 0x1p-14f;
  std::uint32_t bits = magnitude >= 0x7C00u ? special : normal;
  // Signalling NaNs come out quiet, as from the conversion instructions.
  bits = magnitude > 0x7C00u ? bits | 0x00400000u : bits;
  bits = magnitude < 0x0400u ? float_bits(small) : bits;
  return float_from_bits(sign | bits);
}

SIM_HALF_INLINE std::uint16_t float_to_half(float value) {
  const std::uint32_t bits = float_bits(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  const std::uint32_t odd = (magnitude >> 13) & 1u;
  const std::uint32_t normal = (magnitude - (112u << 23) + 0xFFFu + odd) >> 13;
  // Below 2^-14 the addition of 0.5 rounds to multiples of 2^-24, the subnormal step.
  const std::uint32_t small = float_bits(float_from_bits(magnitude) + 0.5f) - 0x3F000000u;
  std::uint32_t half = magnitude < (113u << 23) ? small : normal;
  half = magnitude >= 0x477FF000u ? 0x7C00u : half;
  half = magnitude > 0x7F800000u ? 0x7E00u | ((magnitude >> 13) & 0x3FFu) : half;
  return static_cast<std::uint16_t>(sign | half);
}

SIM_HALF_INLINE float bfloat16_to_float(std::uint16_t value) {
  return float_from_bits(std::uint32_t(value) << 16);
}

SIM_HALF_INLINE std::uint16_t float_to_bfloat16(float value) {
  const std::uint32_t bits = float_bits(value);
  const std::uint32_t rounded = (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;
  const std::uint32_t nan = (bits >> 16) | 0x40u;
  return static_cast<std::uint16_t>((bits & 0x7FFFFFFFu) > 0x7F800000u ? nan : rounded);
}

}  // namespace pyaclnn::sim

#undef SIM_HALF_INLINE
