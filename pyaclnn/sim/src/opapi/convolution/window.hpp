// How the kernel of a convolution moves over an image, and the matrix of what it sees.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace pyaclnn::sim {

using Extents3 = std::array<std::int64_t, 3>;

/// Three spatial axes; those that a convolution does not have are 1 long. Tap k at position p sees
/// element p * stride - padding + k * dilation of the image, or nothing outside it.
struct ConvolutionWindow {
  Extents3 image{1, 1, 1};
  Extents3 positions{1, 1, 1};
  Extents3 taps{1, 1, 1};
  Extents3 stride{1, 1, 1};
  Extents3 padding{0, 0, 0};  // before the first element
  Extents3 dilation{1, 1, 1};

  std::int64_t image_size() const { return image[0] * image[1] * image[2]; }
  std::int64_t position_count() const { return positions[0] * positions[1] * positions[2]; }
  std::int64_t tap_count() const { return taps[0] * taps[1] * taps[2]; }

  /// Writes a row for each channel and tap, a column for each position in [first, first + count).
  void unfold(const float* image, std::int64_t channels, std::int64_t first, std::int64_t count,
              float* matrix) const;
  /// Adds such a matrix back to the image.
  void fold(const float* matrix, std::int64_t channels, std::int64_t first, std::int64_t count,
            float* image) const;

 private:
  template <class Body>
  void for_each_run(const Extents3& tap, std::int64_t first, std::int64_t count, Body body) const;
  template <class Body>
  void for_each_tap(std::int64_t channels, Body body) const;
};

}  // namespace pyaclnn::sim
