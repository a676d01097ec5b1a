// What formulas are made of, for every compute type: float vectorises, integers wrap.
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "opapi/common/complex.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/pointwise/base_two.hpp"
#include "opapi/pointwise/c_complex.hpp"
#include "opapi/pointwise/normal_law.hpp"

namespace pyaclnn::sim::m {

using ComplexFloat = Complex<float>;
using ComplexDouble = Complex<double>;

template <class T>
constexpr bool kIsComplex = !std::is_arithmetic_v<T>;

/// A float16 or bfloat16 as it lies, for formulas that ask for its sign alone.
struct Sixteen {
  std::uint16_t bits;
};

/// The standard library's complex number, for functions that need no speed.
template <class R>
std::complex<R> as_std(Complex<R> a) {
  return {a.re, a.im};
}
template <class R>
Complex<R> from_std(std::complex<R> a) {
  return {a.real(), a.imag()};
}

/// An operation on integers that wraps around.
#define SIM_WRAPPING(name, op)                                       \
  template <class T>                                                 \
  SIM_ALWAYS_INLINE T name(T a, T b) {                               \
    if constexpr (std::is_integral_v<T>) {                           \
      using U = std::make_unsigned_t<T>;                             \
      return static_cast<T>(static_cast<U>(a) op static_cast<U>(b)); \
    } else {                                                         \
      return a op b;                                                 \
    }                                                                \
  }                                                                  \
  template <class R>                                                 \
  Complex<R> name(Complex<R> a, Complex<R> b) {                      \
    return from_std(as_std(a) op as_std(b));                         \
  }
SIM_WRAPPING(add, +)
SIM_WRAPPING(sub, -)
SIM_WRAPPING(mul, *)
#undef SIM_WRAPPING

/// A number as T.
template <class T>
SIM_ALWAYS_INLINE T of(double value) {
  if constexpr (kIsComplex<T>) {
    return {static_cast<decltype(T::re)>(value), 0};
  } else {
    return static_cast<T>(value);
  }
}

/// condition ? yes : no without a jump.
template <class T>
SIM_ALWAYS_INLINE T select(bool condition, T yes, T no) {
  if constexpr (std::is_same_v<T, float>) {
    return vec::select(condition, yes, no);
  } else {
    return condition ? yes : no;
  }
}

template <class T>
SIM_ALWAYS_INLINE T truth(bool condition) {
  return select<T>(condition, of<T>(1), of<T>(0));
}

template <class T>
SIM_ALWAYS_INLINE bool equal(T a, T b) {
  if constexpr (kIsComplex<T>) {
    return a.re == b.re && a.im == b.im;
  } else {
    return a == b;
  }
}

namespace detail {

SIM_ALWAYS_INLINE float log10(float a) { return vec::log(a) * 0.4342944819032518f; }

}  // namespace detail

template <class T>
SIM_ALWAYS_INLINE bool nonzero(T a) {
  return !equal(a, of<T>(0));
}

/// A function of floating point and complex numbers: `fast` for float, the standard one otherwise.
#define SIM_FUNCTION(name, fast)                   \
  template <class T>                               \
  SIM_ALWAYS_INLINE T name(T a) {                  \
    if constexpr (std::is_same_v<T, float>) {      \
      return fast(a);                              \
    } else if constexpr (kIsComplex<T>) {          \
      return from_std(c_library::name(as_std(a))); \
    } else {                                       \
      return std::name(a);                         \
    }                                              \
  }
SIM_FUNCTION(acosh, std::acosh)
SIM_FUNCTION(asinh, std::asinh)
SIM_FUNCTION(atanh, std::atanh)
SIM_FUNCTION(cos, vec::cos)
SIM_FUNCTION(cosh, std::cosh)
SIM_FUNCTION(exp, base_two::exp)
SIM_FUNCTION(log, vec::log)
SIM_FUNCTION(log10, detail::log10)
SIM_FUNCTION(sin, vec::sin)
SIM_FUNCTION(sinh, std::sinh)
SIM_FUNCTION(sqrt, std::sqrt)
SIM_FUNCTION(tan, std::tan)
#undef SIM_FUNCTION

/// The same of real numbers only.
#define SIM_REAL_FUNCTION(name, fast)         \
  template <class T>                          \
  SIM_ALWAYS_INLINE T name(T a) {             \
    if constexpr (std::is_same_v<T, float>) { \
      return fast(a);                         \
    } else {                                  \
      return std::name(a);                    \
    }                                         \
  }
SIM_REAL_FUNCTION(acos, std::acos)
SIM_REAL_FUNCTION(asin, std::asin)
SIM_REAL_FUNCTION(atan, std::atan)
SIM_REAL_FUNCTION(erf, normal_law::erf)
SIM_REAL_FUNCTION(erfc, vec::erfc)
SIM_REAL_FUNCTION(exp2, std::exp2)
SIM_REAL_FUNCTION(expm1, vec::expm1)
SIM_REAL_FUNCTION(log1p, vec::log1p)
SIM_REAL_FUNCTION(tanh, vec::tanh)
#undef SIM_REAL_FUNCTION

/// x times the distribution function of the standard normal law.
template <class T>
SIM_ALWAYS_INLINE T gelu(T x) {
  if constexpr (std::is_same_v<T, float>) {
    return normal_law::gelu(x);
  } else {
    return T(0.5) * x * std::erfc(x * T(-0.7071067811865476));
  }
}

/// The same with as many digits as bfloat16 has, and some.
template <class T>
SIM_ALWAYS_INLINE T gelu_for_bfloat16(T x) {
  if constexpr (std::is_same_v<T, float>) {
    return normal_law::gelu_for_bfloat16(x);
  } else {
    return gelu(x);
  }
}

/// 1 / (1 + e^-x)
template <class T>
SIM_ALWAYS_INLINE T sigmoid(T x) {
  if constexpr (std::is_same_v<T, float>) {
    return base_two::sigmoid(x);
  } else if constexpr (kIsComplex<T>) {
    auto power = std::exp(-as_std(x));
    power += 1;
    return from_std(decltype(power)(1) / power);
  } else {
    return T(1) / (T(1) + std::exp(-x));
  }
}

/// Rounding, which leaves integers as they are.
#define SIM_ROUNDING(name)                 \
  template <class T>                       \
  SIM_ALWAYS_INLINE T name(T a) {          \
    if constexpr (std::is_integral_v<T>) { \
      return a;                            \
    } else {                               \
      return std::name(a);                 \
    }                                      \
  }
SIM_ROUNDING(ceil)
SIM_ROUNDING(floor)
SIM_ROUNDING(rint)
SIM_ROUNDING(trunc)
#undef SIM_ROUNDING

template <class T>
SIM_ALWAYS_INLINE T div(T a, T b) {
  if constexpr (kIsComplex<T>) {
    return from_std(as_std(a) / as_std(b));
  } else {
    return a / b;
  }
}

template <class T>
SIM_ALWAYS_INLINE T negative(T a) {
  if constexpr (kIsComplex<T>) {
    return {-a.re, -a.im};
  } else if constexpr (std::is_integral_v<T>) {
    return sub(T(0), a);
  } else {
    return -a;
  }
}
SIM_ALWAYS_INLINE Sixteen negative(Sixteen a) { return {std::uint16_t(a.bits ^ 0x8000u)}; }

/// The larger; NaN where one is.
template <class T>
SIM_ALWAYS_INLINE T maximum(T a, T b) {
  return select<T>(a != a || a > b, a, b);
}
template <class T>
SIM_ALWAYS_INLINE T minimum(T a, T b) {
  return select<T>(a != a || a < b, a, b);
}

/// From a to b, from the end that is nearer.
template <class T>
SIM_ALWAYS_INLINE T lerp(T a, T b, T weight) {
  return select<T>(weight < T(0.5), a + weight * (b - a), b - (b - a) * (T(1) - weight));
}

/// -1, 0 or 1; that of NaN is 0.
template <class T>
SIM_ALWAYS_INLINE T sign(T a) {
  return select<T>(a > T(0), T(1), select<T>(a < T(0), T(-1), T(0)));
}

template <class T>
SIM_ALWAYS_INLINE bool is_infinity(T a) {
  if constexpr (std::is_integral_v<T>) {
    return false;
  } else {
    return a == std::numeric_limits<T>::infinity();
  }
}

}  // namespace pyaclnn::sim::m
