// SPDX-License-Identifier: MIT
#include "opapi/signal/fft.hpp"

#include <algorithm>
#include <cmath>

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

Lanes times(const Lanes& a, Fft::Complex b) {
  Lanes result;
  for (std::size_t l = 0; l < Fft::kLanes; ++l) {
    result.re[l] = a.re[l] * b.real() - a.im[l] * b.imag();
    result.im[l] = a.re[l] * b.imag() + a.im[l] * b.real();
  }
  return result;
}

Lanes plus(const Lanes& a, const Lanes& b) {
  Lanes result;
  for (std::size_t l = 0; l < Fft::kLanes; ++l) {
    result.re[l] = a.re[l] + b.re[l];
    result.im[l] = a.im[l] + b.im[l];
  }
  return result;
}

Lanes minus(const Lanes& a, const Lanes& b) {
  Lanes result;
  for (std::size_t l = 0; l < Fft::kLanes; ++l) {
    result.re[l] = a.re[l] - b.re[l];
    result.im[l] = a.im[l] - b.im[l];
  }
  return result;
}

/// a times -i
Lanes turned(const Lanes& a) {
  Lanes result;
  for (std::size_t l = 0; l < Fft::kLanes; ++l) {
    result.re[l] = a.im[l];
    result.im[l] = -a.re[l];
  }
  return result;
}

Lanes conjugate(const Lanes& a) {
  Lanes result = a;
  for (double& part : result.im) part = -part;
  return result;
}

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
  if (parts == 2) return join_two(to, size, step);
  if (parts == 4) return join_four(to, size, step);
  join(to, parts, size, step);
}

void Fft::join_two(Lanes* to, std::size_t size, std::size_t step) const {
  for (std::size_t k = 0; k < size; ++k) {
    const Lanes a = to[k], b = times(to[size + k], roots_[k * step]);
    to[k] = plus(a, b);
    to[size + k] = minus(a, b);
  }
}

void Fft::join_four(Lanes* to, std::size_t size, std::size_t step) const {
  for (std::size_t k = 0; k < size; ++k) {
    const Lanes a = to[k], b = times(to[size + k], roots_[k * step]);
    const Lanes c = times(to[2 * size + k], roots_[2 * k * step]);
    const Lanes d = times(to[3 * size + k], roots_[3 * k * step]);
    const Lanes even = plus(a, c), odd = plus(b, d);
    const Lanes apart = minus(a, c), across = turned(minus(b, d));
    to[k] = plus(even, odd);
    to[size + k] = plus(apart, across);
    to[2 * size + k] = minus(even, odd);
    to[3 * size + k] = minus(apart, across);
  }
}

void Fft::join(Lanes* to, std::size_t parts, std::size_t size, std::size_t step) const {
  std::array<Lanes, kLargestPrime> rotated;
  const std::size_t stride = size * step;
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t p = 0; p < parts; ++p)
      rotated[p] = times(to[p * size + k], roots_[p * k * step]);
    for (std::size_t q = 0; q < parts; ++q) {
      Lanes sum{};
      for (std::size_t p = 0; p < parts; ++p)
        sum = plus(sum, times(rotated[p], roots_[p * q % parts * stride]));
      to[q * size + k] = sum;
    }
  }
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

}  // namespace pyaclnn::sim
