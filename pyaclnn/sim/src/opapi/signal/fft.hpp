// Discrete Fourier transforms of any length, in double precision, of several signals at once.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <vector>

namespace pyaclnn::sim {

/// X[k] = sum of x[n] exp(-2 pi i k n / N), planned once for all transforms of a length.
///
/// A transform takes kLanes signals side by side, which the compiler computes in vectors. Each
/// signal's result is that of any other lane and company.
class Fft {
 public:
  using Complex = std::complex<double>;
  static constexpr std::size_t kLanes = 8;
  /// One value of each signal; zeros in a vector, and where braces ask for them.
  struct Lanes {
    std::array<double, kLanes> re, im;
  };
  using Signals = std::vector<Lanes>;

  explicit Fft(std::size_t length);

  std::size_t length() const { return roots_.size(); }
  /// `work` is kept between calls.
  void transform(Signals& values, Signals& work) const;

 private:
  void split(const Lanes* from, std::size_t step, Lanes* to, std::size_t count) const;
  void join_two(Lanes* to, std::size_t size, std::size_t step) const;
  void join_four(Lanes* to, std::size_t size, std::size_t step) const;
  void join(Lanes* to, std::size_t parts, std::size_t size, std::size_t step) const;
  void convolve(Signals& values, Signals& work) const;

  std::vector<Complex> roots_;  // exp(-2 pi i k / N)
  // Of lengths with a large prime in them: a convolution of a power of two instead.
  std::vector<Fft> inner_;
  std::vector<Complex> chirp_;
  std::vector<Complex> kernel_;
};

}  // namespace pyaclnn::sim
