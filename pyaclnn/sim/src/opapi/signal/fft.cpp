// SPDX-License-Identifier: MIT
#include "opapi/signal/fft.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "opapi/common/cpu_wide.hpp"

namespace pyaclnn::sim {
namespace {

using Lanes = Fft::Lanes;

constexpr std::size_t kLargestPrime = 64;

std::size_t smallest_factor(std::size_t n) {
  for (std::size_t p = 2; p * p <= n; ++p)
    if (n % p == 0) return p;
  return n;
}

std::size_t largest_prime(std::size_t n) {
  std::size_t result = 1;
  while (n > 1) {
    const std::size_t p = smallest_factor(n);
    result = std::max(result, p);
    n /= p;
  }
  return result;
}

/// exp(-2 pi i part / of)
Fft::Complex root(std::size_t part, std::size_t of) {
  constexpr double kTwoPi = 6.28318530717958647692;
  const double angle = kTwoPi * double(part) / double(of);
  return {std::cos(angle), -std::sin(angle)};
}

/// How many parts a transform of this length is split into.
std::size_t parts_of(std::size_t length) { return length % 4 == 0 ? 4 : smallest_factor(length); }

// Written out: the standard's product looks for NaN at every step.

SIM_ALWAYS_INLINE Lanes times(const Lanes& a, Fft::Complex b) {
  return {a.re * b.real() - a.im * b.imag(), a.re * b.imag() + a.im * b.real()};
}

SIM_ALWAYS_INLINE Lanes plus(const Lanes& a, const Lanes& b) { return {a.re + b.re, a.im + b.im}; }
SIM_ALWAYS_INLINE Lanes minus(const Lanes& a, const Lanes& b) { return {a.re - b.re, a.im - b.im}; }

/// a times -i
SIM_ALWAYS_INLINE Lanes turned(const Lanes& a) { return {a.im, -a.re}; }
SIM_ALWAYS_INLINE Lanes conjugate(const Lanes& a) { return {a.re, -a.im}; }
SIM_ALWAYS_INLINE Lanes halved(const Lanes& a) { return {a.re / 2, a.im / 2}; }

// Spectra of parts that lie behind one another become the spectrum of the whole, in place. `roots`
// are those of a transform that is `step` times as long.

struct JoinTwo {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(Lanes* to, std::size_t size, std::size_t step,
                                    const Fft::Complex* roots) {
    for (std::size_t k = 0; k < size; ++k) {
      const Lanes a = to[k], b = times(to[size + k], roots[k * step]);
      to[k] = plus(a, b);
      to[size + k] = minus(a, b);
    }
  }
};

struct JoinFour {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(Lanes* to, std::size_t size, std::size_t step,
                                    const Fft::Complex* roots) {
    for (std::size_t k = 0; k < size; ++k) {
      const Lanes a = to[k], b = times(to[size + k], roots[k * step]);
      const Lanes c = times(to[2 * size + k], roots[2 * k * step]);
      const Lanes d = times(to[3 * size + k], roots[3 * k * step]);
      const Lanes even = plus(a, c), odd = plus(b, d);
      const Lanes apart = minus(a, c), across = turned(minus(b, d));
      to[k] = plus(even, odd);
      to[size + k] = plus(apart, across);
      to[2 * size + k] = minus(even, odd);
      to[3 * size + k] = minus(apart, across);
    }
  }
};

struct JoinMany {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(Lanes* to, std::size_t parts, std::size_t size,
                                    std::size_t step, const Fft::Complex* roots) {
    std::array<Lanes, kLargestPrime> rotated;
    const std::size_t stride = size * step;
    for (std::size_t k = 0; k < size; ++k) {
      for (std::size_t p = 0; p < parts; ++p)
        rotated[p] = times(to[p * size + k], roots[p * k * step]);
      for (std::size_t q = 0; q < parts; ++q) {
        Lanes sum = rotated[0];
        for (std::size_t p = 1, turn = q; p < parts; ++p) {
          sum = plus(sum, times(rotated[p], roots[turn * stride]));
          turn += q;
          if (turn >= parts) turn -= parts;
        }
        to[q * size + k] = sum;
      }
    }
  }
};

/// The spectrum of a real signal from that of its pairs of neighbours, as complex numbers: Z[k] is
/// E[k] + i O[k], where E and O are the spectra of its even and odd values, and both are symmetric.
struct UnfoldPairs {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(Lanes* values, std::size_t pairs, const Fft::Complex* roots) {
    values[pairs] = values[0];
    for (std::size_t k = 0; 2 * k <= pairs; ++k) {
      const Lanes low = values[k], high = conjugate(values[pairs - k]);
      const Lanes even = plus(low, high), odd = times(turned(minus(low, high)), roots[k]);
      values[k] = halved(plus(even, odd));
      values[pairs - k] = halved(conjugate(minus(even, odd)));
    }
  }
};

}  // namespace

Fft::Fft(std::size_t length) {
  for (std::size_t k = 0; k < length; ++k) roots_.push_back(root(k, length));
  if (largest_prime(length) <= kLargestPrime) return;
  std::size_t wide = 1;
  while (wide < 2 * length) wide *= 2;
  inner_.emplace_back(wide);
  Signals kernel(wide), work;
  for (std::size_t k = 0; k < length; ++k) {
    // k^2 modulo 2 N keeps the angle exact.
    chirp_.push_back(root(k * k % (2 * length), 2 * length));
    kernel[k].re[0] = chirp_[k].real();
    kernel[k].im[0] = -chirp_[k].imag();
    if (k > 0) kernel[wide - k] = kernel[k];
  }
  inner_[0].transform(kernel, work);
  for (const Lanes& each : kernel) kernel_.emplace_back(each.re[0], each.im[0]);
}

void Fft::transform(Signals& values, Signals& work) const {
  if (!inner_.empty()) return convolve(values, work);
  work = values;
  split(work.data(), 1, values.data(), values.size());
}

void Fft::split(const Lanes* from, std::size_t step, Lanes* to, std::size_t count) const {
  if (count == 1) {
    *to = *from;
    return;
  }
  const std::size_t parts = parts_of(count);
  const std::size_t size = count / parts;
  for (std::size_t p = 0; p < parts; ++p) split(from + p * step, step * parts, to + p * size, size);
  static const auto join_two =
      wide_loop_for_cpu<JoinTwo, Lanes*, std::size_t, std::size_t, const Complex*>();
  static const auto join_four =
      wide_loop_for_cpu<JoinFour, Lanes*, std::size_t, std::size_t, const Complex*>();
  static const auto join_many =
      wide_loop_for_cpu<JoinMany, Lanes*, std::size_t, std::size_t, std::size_t, const Complex*>();
  if (parts == 2) return join_two(to, size, step, roots_.data());
  if (parts == 4) return join_four(to, size, step, roots_.data());
  join_many(to, parts, size, step, roots_.data());
}

void Fft::convolve(Signals& values, Signals& work) const {
  const Fft& inner = inner_[0];
  Signals wide(inner.length());
  for (std::size_t k = 0; k < values.size(); ++k) wide[k] = times(values[k], chirp_[k]);
  inner.transform(wide, work);
  // The inverse transform is the conjugate of that of the conjugate.
  for (std::size_t k = 0; k < wide.size(); ++k) wide[k] = conjugate(times(wide[k], kernel_[k]));
  inner.transform(wide, work);
  const double share = 1 / double(wide.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = times(conjugate(wide[k]), share * chirp_[k]);
}

RealFft::RealFft(std::size_t length) : pairs_(length / 2) {
  for (std::size_t k = 0; 4 * k <= length; ++k) roots_.push_back(root(k, length));
}

void RealFft::transform(Fft::Signals& values, Fft::Signals& work) const {
  static const auto unfold =
      wide_loop_for_cpu<UnfoldPairs, Lanes*, std::size_t, const Fft::Complex*>();
  pairs_.transform(values, work);
  values.resize(pairs_.length() + 1);
  unfold(values.data(), pairs_.length(), roots_.data());
}

}  // namespace pyaclnn::sim
