// op::fp16_t: a float16 number on the host, as samples keep them in vectors. C++ only.
#ifndef PYACLNN_ACLNN_OPDEV_FP16_T_H_
#define PYACLNN_ACLNN_OPDEV_FP16_T_H_

#ifdef __cplusplus

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace op {

struct fp16_t {
  // The bits.
  uint16_t val = 0;

  fp16_t() = default;
  // From its bits; any other number is converted, rounded to the nearest, ties to even.
  constexpr fp16_t(const uint16_t& bits) : val(bits) {}
  template <class Number>
  fp16_t(const Number& number) : val(Round(static_cast<float>(number))) {}

  operator float() const { return toFloat(); }

  float toFloat() const {
    const uint32_t sign = static_cast<uint32_t>(val & 0x8000U) << 16;
    const uint32_t magnitude = val & 0x7fffU;
    // A float with this exponent, times 2^112, has the exponent of a float16.
    float result = Bits(magnitude << 13) * Bits(0x77800000U);
    if (magnitude >= 0x7c00U) result = Bits(0x7f800000U | magnitude << 13);
    uint32_t bits = 0;
    std::memcpy(&bits, &result, sizeof bits);
    return Bits(bits | sign);
  }

  fp16_t& operator+=(fp16_t other) { return *this = fp16_t(toFloat() + other.toFloat()); }
  fp16_t& operator-=(fp16_t other) { return *this = fp16_t(toFloat() - other.toFloat()); }
  fp16_t& operator*=(fp16_t other) { return *this = fp16_t(toFloat() * other.toFloat()); }
  fp16_t& operator/=(fp16_t other) { return *this = fp16_t(toFloat() / other.toFloat()); }

 private:
  static float Bits(uint32_t bits) {
    float number;
    std::memcpy(&number, &bits, sizeof number);
    return number;
  }

  static uint16_t Round(float number) {
    uint32_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000U;
    bits &= 0x7fffffffU;
    if (bits > 0x7f800000U) return static_cast<uint16_t>(sign | 0x7e00U);
    // From 65520 on the nearest is infinity.
    if (bits >= 0x477ff000U) return static_cast<uint16_t>(sign | 0x7c00U);
    if (bits < 0x38800000U) {
      // Below the normal numbers a half has the spacing of a float near 0.5: adding rounds.
      const float rounded = Bits(bits) + 0.5F;
      std::memcpy(&bits, &rounded, sizeof bits);
      return static_cast<uint16_t>(sign | (bits - 0x3f000000U));
    }
    const uint32_t odd = bits >> 13 & 1U;
    return static_cast<uint16_t>(sign | (bits - 0x38000000U + 0xfffU + odd) >> 13);
  }
};

// Of two such numbers; with any other number it is float that is computed in. Comparing is float's.
template <class T, class = std::enable_if_t<std::is_same_v<T, fp16_t>>>
fp16_t operator+(T a, T b) {
  return a += b;
}
template <class T, class = std::enable_if_t<std::is_same_v<T, fp16_t>>>
fp16_t operator-(T a, T b) {
  return a -= b;
}
template <class T, class = std::enable_if_t<std::is_same_v<T, fp16_t>>>
fp16_t operator*(T a, T b) {
  return a *= b;
}
template <class T, class = std::enable_if_t<std::is_same_v<T, fp16_t>>>
fp16_t operator/(T a, T b) {
  return a /= b;
}

}  // namespace op

#endif  // __cplusplus

#endif  // PYACLNN_ACLNN_OPDEV_FP16_T_H_
