// Complex compute values: pairs that vectorise, without the detours for infinities of std::complex.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/convert.hpp"

namespace pyaclnn::sim {

template <class T>
struct Complex {
  T re;
  T im;

  friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend Complex operator-(T a, Complex b) { return {a - b.re, -b.im}; }
};

template <>
constexpr aclDataType dtype_of<Complex<float>>() {
  return ACL_COMPLEX64;
}
template <>
constexpr aclDataType dtype_of<Complex<double>>() {
  return ACL_COMPLEX128;
}

// Real and complex elements, of which the real part is written; a bool is whether a number is not
// zero. Null for others.
template <>
LoadFn loader<Complex<float>>(aclDataType dtype);
template <>
LoadFn loader<Complex<double>>(aclDataType dtype);
template <>
StoreFn storer<Complex<float>>(aclDataType dtype, Rounding rounding);
template <>
StoreFn storer<Complex<double>>(aclDataType dtype, Rounding rounding);

}  // namespace pyaclnn::sim
