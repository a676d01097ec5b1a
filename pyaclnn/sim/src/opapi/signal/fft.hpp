// Discrete Fourier transforms of any length, in double precision.
// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace pyaclnn::sim {

/// X[k] = sum of x[n] exp(-2 pi i k n / N), planned once for all transforms of a length.
class Fft {
 public:
  using Complex = std::complex<double>;

  explicit Fft(std::size_t length);

  std::size_t length() const { return roots_.size(); }
  void transform(std::vector<Complex>& values) const;

 private:
  void split(const Complex* from, std::size_t step, Complex* to, std::size_t count,
             std::vector<Complex>& buffer) const;
  void convolve(std::vector<Complex>& values) const;

  std::vector<Complex> roots_;  // exp(-2 pi i k / N)
  // Of lengths with a large prime in them: a convolution of a power of two instead.
  std::vector<Fft> inner_;
  std::vector<Complex> chirp_;
  std::vector<Complex> kernel_;
};

}  // namespace pyaclnn::sim
