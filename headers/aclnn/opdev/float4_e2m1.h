// op::Float4E2M1: a number of four bits on the host, as samples pack them in pairs. C++ only.
#ifndef PYACLNN_ACLNN_OPDEV_FLOAT4_E2M1_H_
#define PYACLNN_ACLNN_OPDEV_FLOAT4_E2M1_H_

#ifdef __cplusplus

#include <cstdint>
#include <cstring>

namespace op {

struct Float4E2M1 {
  struct FromBitsTag {};
  static constexpr FromBitsTag FromBits() { return FromBitsTag(); }

  // The bits, in the lower half: sign, two of exponent, one of mantissa.
  uint8_t value = 0;

  constexpr Float4E2M1() = default;
  constexpr Float4E2M1(uint8_t bits, FromBitsTag) : value(bits & 0xfU) {}
  // Rounded to two significant bits, ties to even; then 6 at most, also for what is no number, and
  // below 1 a multiple of 0.5 that is not larger.
  Float4E2M1(float number) : value(Round(number)) {}

  operator float() const {
    constexpr float kMagnitudes[] = {0.0F, 0.5F, 1.0F, 1.5F, 2.0F, 3.0F, 4.0F, 6.0F};
    const float magnitude = kMagnitudes[value & 7U];
    return (value & 8U) != 0 ? -magnitude : magnitude;
  }
  operator double() const { return static_cast<float>(*this); }

 private:
  static uint8_t Round(float number) {
    uint32_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    const uint32_t magnitude = bits & 0x7fffffffU;
    if (magnitude > 0x7f800000U) return 7;
    const uint32_t odd = magnitude >> 22 & 1U;
    // Exponent and first bit of the mantissa, counted from 0.5.
    const int step = static_cast<int>((magnitude + 0x1fffffU + odd) >> 22) - 252;
    const int code = step < 0 ? 0 : step < 2 ? 1 : step < 8 ? step : 7;
    return static_cast<uint8_t>((bits >> 28 & 8U) | static_cast<uint32_t>(code));
  }
};

}  // namespace op

#endif  // __cplusplus

#endif  // PYACLNN_ACLNN_OPDEV_FLOAT4_E2M1_H_
