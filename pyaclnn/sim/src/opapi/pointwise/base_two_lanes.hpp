// The powers of base_two.hpp in registers of 16 floats, with the same bits. For code that
// each_lanes.hpp compiles.
// SPDX-License-Identifier: MIT
// No `#pragma once`: it is compiled for each instruction set.
#include "opapi/common/lanes.hpp"
#include "opapi/pointwise/base_two.hpp"

namespace pyaclnn::sim::SIM_LANES {
namespace {

SIM_LANES_INLINE Floats with_term(Floats a, Floats b, float c) {
  return fused(a, b, Floats::of(c));
}

SIM_LANES_INLINE Floats power(Floats f) {
  using namespace base_two;
  const Floats square = f * f;
  Floats even = with_term(square, Floats::of(kEven[0]), kEven[1]);
  even = with_term(square, even, kEven[2]);
  even = with_term(square, even, 1.0f);
  const Floats odd = with_term(square, with_term(square, Floats::of(kOdd[0]), kOdd[1]), kOdd[2]);
  return fused(f, odd, even);
}

/// For |x| < 2^22.
SIM_LANES_INLINE Floats small_exp(Floats x) {
  const Floats log2e = Floats::of(vec::detail::kLog2E);
  const Floats shift = Floats::of(vec::detail::kRoundingShift);
  const Floats n = fused(x, log2e, shift) - shift;
  return scaled(power(fused(x, Floats::of(base_two::kLow), fused_less(x, log2e, n))), n);
}

[[maybe_unused]] SIM_LANES_INLINE Floats exp(Floats x) {
  // Of two operands one of which is NaN, the second.
  return small_exp(smallest(Floats::of(89.0f), largest(Floats::of(-104.0f), x)));
}

/// e^x for x <= 0 or NaN.
[[maybe_unused]] SIM_LANES_INLINE Floats exp_of_negative(Floats x) {
  const Floats least = Floats::of(-104.0f);
  return blended(less(x, least), small_exp(x), Floats::of(0.0f));
}

}  // namespace
}  // namespace pyaclnn::sim::SIM_LANES
