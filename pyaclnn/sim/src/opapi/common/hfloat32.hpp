// The matrix unit's reduced float32.
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>

#include "objects/half.hpp"

namespace pyaclnn::sim {

/// 11 bits behind the leading one, rounded to nearest even; the range is float32's.
inline float to_hfloat32(float value) {
  if (!std::isfinite(value)) return value;
  const std::uint32_t bits = float_bits(value);
  return float_from_bits((bits + 0x7FFu + ((bits >> 12) & 1u)) & ~std::uint32_t(0xFFF));
}

}  // namespace pyaclnn::sim
