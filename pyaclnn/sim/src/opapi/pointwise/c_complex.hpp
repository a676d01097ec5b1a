// The C library's functions of complex numbers. GCC's C++ library calls them; others have formulas
// of their own, which lose digits near 0 (atanh) or give NaN where a part overflows (sinh).
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <complex>

namespace pyaclnn::sim::c_library {

template <class C, class R>
C number(std::complex<R> a) {
  C result;
  __real__ result = a.real();
  __imag__ result = a.imag();
  return result;
}

#define SIM_C_COMPLEX(name)                                                        \
  inline std::complex<float> name(std::complex<float> a) {                         \
    const _Complex float result = __builtin_c##name##f(number<_Complex float>(a)); \
    return {__real__ result, __imag__ result};                                     \
  }                                                                                \
  inline std::complex<double> name(std::complex<double> a) {                       \
    const _Complex double result = __builtin_c##name(number<_Complex double>(a));  \
    return {__real__ result, __imag__ result};                                     \
  }
SIM_C_COMPLEX(acosh)
SIM_C_COMPLEX(asinh)
SIM_C_COMPLEX(atanh)
SIM_C_COMPLEX(cos)
SIM_C_COMPLEX(cosh)
SIM_C_COMPLEX(exp)
SIM_C_COMPLEX(log)
SIM_C_COMPLEX(sin)
SIM_C_COMPLEX(sinh)
SIM_C_COMPLEX(sqrt)
SIM_C_COMPLEX(tan)
#undef SIM_C_COMPLEX

// Which C does not have; as GCC's library computes it.
template <class R>
std::complex<R> log10(std::complex<R> a) {
  return log(a) / std::log(R(10));
}

}  // namespace pyaclnn::sim::c_library
