// Discrete Fourier transforms of any length, in double precision, of several signals at once.
// SPDX-License-Identifier: MIT
#pragma once

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
  /// A vector as the compiler knows it: loops over its elements are vectorised with others.
  using Reals =
      double __attribute__((vector_size(kLanes * sizeof(double)), aligned(sizeof(double))));
  /// One value of each signal; zeros where braces ask for them.
  struct Lanes {
    Reals re, im;
  };
  using Signals = std::vector<Lanes>;

  explicit Fft(std::size_t length);

  std::size_t length() const { return roots_.size(); }
  /// `work` is kept between calls.
  void transform(Signals& values, Signals& work) const;

 private:
  void split(const Lanes* from, std::size_t step, Lanes* to, std::size_t count) const;
  void convolve(Signals& values, Signals& work) const;

  std::vector<Complex> roots_;  // exp(-2 pi i k / N)
  // Of lengths with a large prime in them: a convolution of a power of two instead.
  std::vector<Fft> inner_;
  std::vector<Complex> chirp_;
  std::vector<Complex> kernel_;
};

/// The same of real signals of an even length, in half the work.
class RealFft {
 public:
  explicit RealFft(std::size_t length);

  /// Values 2 n and 2 n + 1 of a signal are real and imaginary part n; it becomes the bins 0 to N /
  /// 2 of the spectrum.
  void transform(Fft::Signals& values, Fft::Signals& work) const;

 private:
  Fft pairs_;
  std::vector<Fft::Complex> roots_;  // exp(-2 pi i k / N), up to a quarter
};

}  // namespace pyaclnn::sim
