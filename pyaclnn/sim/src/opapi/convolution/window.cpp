// SPDX-License-Identifier: MIT
#include "opapi/convolution/window.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace pyaclnn::sim {

namespace {

template <class Body>
void for_each(const Extents3& extents, Body body) {
  for (std::int64_t z = 0; z < extents[0]; ++z) {
    for (std::int64_t y = 0; y < extents[1]; ++y) {
      for (std::int64_t x = 0; x < extents[2]; ++x) body(Extents3{z, y, x});
    }
  }
}

/// A kernel of one element needs no axes: its rows lie behind one another.
void flatten(Gather& gather) {
  const Extents3 ones{1, 1, 1};
  const bool is_copy = gather.taps.size() == 1 && gather.taps[0].offset == Extents3{0, 0, 0} &&
                       gather.step == ones && gather.spacing == ones &&
                       gather.source == gather.positions && gather.result == gather.positions;
  if (!is_copy) return;
  gather.source = gather.positions = gather.result = {1, 1, product(gather.positions)};
}

}  // namespace

Gather gather_positions(const ConvolutionWindow& window) {
  Gather gather;
  gather.source = window.image;
  gather.step = window.stride;
  gather.positions = gather.result = window.positions;
  for_each(window.taps, [&](const Extents3& tap) {
    Gather::Tap found{{}, std::int64_t(gather.taps.size())};
    for (std::size_t i = 0; i < 3; ++i)
      found.offset[i] = tap[i] * window.dilation[i] - window.padding[i];
    gather.taps.push_back(found);
  });
  flatten(gather);
  return gather;
}

std::vector<Gather> gather_image(const ConvolutionWindow& window) {
  Extents3 parts;
  for (std::size_t i = 0; i < 3; ++i) parts[i] = std::min(window.stride[i], window.image[i]);
  std::vector<Gather> gathers;
  for_each(parts, [&](const Extents3& first) {
    Gather gather;
    gather.source = window.positions;
    gather.result = window.image;
    gather.first = first;
    gather.spacing = window.stride;
    for (std::size_t i = 0; i < 3; ++i)
      gather.positions[i] = (window.image[i] - first[i] + window.stride[i] - 1) / window.stride[i];
    std::int64_t weight = 0;
    for_each(window.taps, [&](const Extents3& tap) {
      Gather::Tap found{{}, weight++};
      for (std::size_t i = 0; i < 3; ++i) {
        const std::int64_t origin = first[i] + window.padding[i] - tap[i] * window.dilation[i];
        if (origin % window.stride[i] != 0) return;
        found.offset[i] = origin / window.stride[i];
      }
      gather.taps.push_back(found);
    });
    flatten(gather);
    gathers.push_back(std::move(gather));
  });
  return gathers;
}

}  // namespace pyaclnn::sim
