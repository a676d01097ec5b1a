// Shifts, and the greatest common divisor.
// SPDX-License-Identifier: MIT
#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim {
namespace m {
namespace {

template <class T>
SIM_ALWAYS_INLINE T bits(T count, T last) {
  return count < T(0) ? T(0) : count > last ? last : count;
}

template <class T>
SIM_ALWAYS_INLINE T left_shift(T a, T count, T last) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(a) << bits(count, last));
}

template <class T>
SIM_ALWAYS_INLINE T right_shift(T a, T count, T last) {
  return static_cast<T>(a >> bits(count, last));
}

/// Of a 64-bit number without sign.
template <class T>
SIM_ALWAYS_INLINE T unsigned_right_shift(T a, T count, T last) {
  using U = std::make_unsigned_t<T>;
  // A count beyond the signed numbers is more than all bits.
  return static_cast<T>(static_cast<U>(a) >> (count < T(0) ? last : bits(count, last)));
}

template <class T>
T gcd(T a, T b) {
  using U = std::make_unsigned_t<T>;
  U x = a < T(0) ? U(0) - static_cast<U>(a) : static_cast<U>(a);
  U y = b < T(0) ? U(0) - static_cast<U>(b) : static_cast<U>(b);
  while (y != U(0)) {
    const U rest = x % y;
    x = y;
    y = rest;
  }
  return static_cast<T>(x);
}

}  // namespace
}  // namespace m

namespace formulas {

FORMULA(left_shift, kIntegers, SIM_3(a, count, last), 2, m::left_shift(a, count, last))
FORMULA(left_shift_scalar, kIntegers, SIM_3(a, count, last), 1, m::left_shift(a, count, last))
FORMULA(right_shift, kIntegers, SIM_3(a, count, last), 2, m::right_shift(a, count, last))
FORMULA(unsigned_right_shift, kIntegers, SIM_3(a, count, last), 2,
        m::unsigned_right_shift(a, count, last))
FORMULA(gcd, kIntegers, SIM_2(a, b), 2, m::gcd(a, b))

}  // namespace formulas
}  // namespace pyaclnn::sim
