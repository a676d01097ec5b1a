// SPDX-License-Identifier: MIT
#include "opapi/signal/fft.hpp"

#include <algorithm>
#include <cmath>

namespace pyaclnn::sim {
namespace {

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

}  // namespace

Fft::Fft(std::size_t length) {
  for (std::size_t k = 0; k < length; ++k) roots_.push_back(root(k, length));
  if (largest_prime(length) <= kLargestPrime) return;
  std::size_t wide = 1;
  while (wide < 2 * length) wide *= 2;
  inner_.emplace_back(wide);
  kernel_.assign(wide, 0.0);
  for (std::size_t k = 0; k < length; ++k) {
    // k^2 modulo 2 N keeps the angle exact.
    chirp_.push_back(root(k * k % (2 * length), 2 * length));
    kernel_[k] = std::conj(chirp_[k]);
    if (k > 0) kernel_[wide - k] = kernel_[k];
  }
  inner_[0].transform(kernel_);
}

void Fft::transform(std::vector<Complex>& values) const {
  if (!inner_.empty()) return convolve(values);
  const std::vector<Complex> from = values;
  std::vector<Complex> buffer(kLargestPrime);
  split(from.data(), 1, values.data(), values.size(), buffer);
}

void Fft::split(const Complex* from, std::size_t step, Complex* to, std::size_t count,
                std::vector<Complex>& buffer) const {
  if (count == 1) {
    *to = *from;
    return;
  }
  const std::size_t parts = smallest_factor(count);
  const std::size_t size = count / parts;
  for (std::size_t p = 0; p < parts; ++p)
    split(from + p * step, step * parts, to + p * size, size, buffer);
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t p = 0; p < parts; ++p) buffer[p] = to[p * size + k] * roots_[p * k * step];
    for (std::size_t q = 0; q < parts; ++q) {
      Complex sum = 0.0;
      for (std::size_t p = 0; p < parts; ++p)
        sum += buffer[p] * roots_[p * q % parts * size * step];
      to[q * size + k] = sum;
    }
  }
}

void Fft::convolve(std::vector<Complex>& values) const {
  const Fft& inner = inner_[0];
  std::vector<Complex> wide(inner.length());
  for (std::size_t k = 0; k < values.size(); ++k) wide[k] = values[k] * chirp_[k];
  inner.transform(wide);
  // The inverse transform is the conjugate of that of the conjugate.
  for (std::size_t k = 0; k < wide.size(); ++k) wide[k] = std::conj(wide[k] * kernel_[k]);
  inner.transform(wide);
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = std::conj(wide[k]) / double(wide.size()) * chirp_[k];
}

}  // namespace pyaclnn::sim
