// How the kernel of a convolution moves over an image.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace pyaclnn::sim {

using Extents3 = std::array<std::int64_t, 3>;

inline std::int64_t product(const Extents3& extents) {
  return extents[0] * extents[1] * extents[2];
}

/// Three spatial axes; those that a convolution does not have are 1 long. Tap k at position p sees
/// element p * stride - padding + k * dilation of the image, or nothing outside it.
struct ConvolutionWindow {
  Extents3 image{1, 1, 1};
  Extents3 positions{1, 1, 1};
  Extents3 taps{1, 1, 1};
  Extents3 stride{1, 1, 1};
  Extents3 padding{0, 0, 0};  // before the first element
  Extents3 dilation{1, 1, 1};
};

/// A result each of whose positions is a sum over the taps' elements of a source: position p sees
/// by a tap element p * step + offset, or nothing outside the source.
struct Gather {
  struct Tap {
    Extents3 offset;
    std::int64_t weight;  // its place in the kernel
  };

  Extents3 source{1, 1, 1};
  Extents3 step{1, 1, 1};
  Extents3 positions{1, 1, 1};
  std::vector<Tap> taps;
  // Position p is element first + p * spacing of the result.
  Extents3 result{1, 1, 1};
  Extents3 first{0, 0, 0};
  Extents3 spacing{1, 1, 1};
};

/// The convolution itself, from image to positions.
Gather gather_positions(const ConvolutionWindow& window);

/// Its gradient, from positions to image: elements that are a stride apart see the positions by the
/// same taps, so there are as many parts as strides have product. A part may have no taps.
std::vector<Gather> gather_image(const ConvolutionWindow& window);

}  // namespace pyaclnn::sim
