// Quotients and remainders, which are defined for every pair of integers.
//
// By zero a quotient is -1, and a remainder what its operator says.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/pointwise/math.hpp"

namespace pyaclnn::sim::m {

/// An integer to divide by, or 1 in place of 0 and -1, which would trap.
template <class T>
SIM_ALWAYS_INLINE T divisor(T b) {
  return b == T(0) || b == T(-1) ? T(1) : b;
}

/// Cut off towards zero.
template <class T>
SIM_ALWAYS_INLINE T quotient(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const T regular = b == T(-1) ? sub(T(0), a) : T(a / divisor(b));
    return b == T(0) ? T(-1) : regular;
  } else {
    return std::trunc(a / b);
  }
}

template <class T>
SIM_ALWAYS_INLINE T floor_div(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const T cut = quotient(a, b);
    const bool inexact = a % divisor(b) != T(0) && b != T(0);
    return inexact && (a < T(0)) != (b < T(0)) ? T(cut - 1) : cut;
  } else {
    return std::floor(a / b);
  }
}

/// The remainder with the sign of a; -1 for integers by zero.
template <class T>
SIM_ALWAYS_INLINE T fmod(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return b == T(0) ? T(-1) : T(a % divisor(b));
  } else {
    return std::fmod(a, b);
  }
}

/// The remainder with the sign of b; a for integers by zero.
template <class T>
SIM_ALWAYS_INLINE T remainder(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const T rest = b == T(0) ? a : T(a % divisor(b));
    return b != T(0) && rest != T(0) && (rest < T(0)) != (b < T(0)) ? T(rest + b) : rest;
  } else {
    const T rest = std::fmod(a, b);
    return select<T>(rest != T(0) && (rest < T(0)) != (b < T(0)), rest + b, rest);
  }
}

/// The exact quotient, or that cut off (1) or rounded down (2).
template <class T>
SIM_ALWAYS_INLINE T quotient_in_mode(T a, T b, T mode) {
  if constexpr (kIsComplex<T>) {
    return div(a, b);
  } else if constexpr (std::is_integral_v<T>) {
    return mode == T(2) ? floor_div(a, b) : quotient(a, b);
  } else {
    const T exact = a / b;
    return select<T>(mode == T(0), exact,
                     select<T>(mode == T(1), std::trunc(exact), std::floor(exact)));
  }
}

}  // namespace pyaclnn::sim::m
