// SPDX-License-Identifier: MIT
#include "opapi/convolution/window.hpp"

#include <algorithm>

namespace pyaclnn::sim {

namespace {

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return a <= 0 ? 0 : (a + b - 1) / b; }

}  // namespace

/// Calls body(column, columns, columns before the first that sees the image, columns that see it,
/// image offset of the first that does) for each row of positions.
template <class Body>
void ConvolutionWindow::for_each_run(const Extents3& tap, std::int64_t first, std::int64_t count,
                                     Body body) const {
  // Of the innermost axis, the positions [low, high) see the image.
  const std::int64_t origin = tap[2] * dilation[2] - padding[2];
  const std::int64_t low = std::min(positions[2], ceil_divide(-origin, stride[2]));
  const std::int64_t high =
      std::max(low, std::min(positions[2], ceil_divide(image[2] - origin, stride[2])));
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t row = (first + done) / positions[2];
    const std::int64_t begin = (first + done) % positions[2];
    const std::int64_t end = std::min(positions[2], begin + count - done);
    const std::int64_t y = row % positions[1] * stride[1] - padding[1] + tap[1] * dilation[1];
    const std::int64_t z = row / positions[1] * stride[0] - padding[0] + tap[0] * dilation[0];
    const bool inside = y >= 0 && y < image[1] && z >= 0 && z < image[0];
    const std::int64_t from = inside ? std::clamp(low, begin, end) : end;
    const std::int64_t to = inside ? std::clamp(high, from, end) : end;
    body(done, end - begin, from - begin, to - from,
         (z * image[1] + y) * image[2] + from * stride[2] + origin);
    done += end - begin;
  }
}

template <class Body>
void ConvolutionWindow::for_each_tap(std::int64_t channels, Body body) const {
  for (std::int64_t channel = 0; channel < channels; ++channel) {
    for (std::int64_t z = 0; z < taps[0]; ++z) {
      for (std::int64_t y = 0; y < taps[1]; ++y) {
        for (std::int64_t x = 0; x < taps[2]; ++x) body(channel, Extents3{z, y, x});
      }
    }
  }
}

void ConvolutionWindow::unfold(const float* image, std::int64_t channels, std::int64_t first,
                               std::int64_t count, float* matrix) const {
  const std::int64_t step = stride[2];
  for_each_tap(channels, [&](std::int64_t channel, const Extents3& tap) {
    const float* plane = image + channel * image_size();
    for_each_run(tap, first, count,
                 [&](std::int64_t column, std::int64_t columns, std::int64_t before,
                     std::int64_t seen, std::int64_t offset) {
                   float* to = matrix + column;
                   std::fill_n(to, before, 0.0f);
                   std::fill(to + before + seen, to + columns, 0.0f);
                   if (step == 1 && seen > 0) {
                     std::copy_n(plane + offset, seen, to + before);
                   } else {
                     for (std::int64_t i = 0; i < seen; ++i)
                       to[before + i] = plane[offset + i * step];
                   }
                 });
    matrix += count;
  });
}

void ConvolutionWindow::fold(const float* matrix, std::int64_t channels, std::int64_t first,
                             std::int64_t count, float* image) const {
  const std::int64_t step = stride[2];
  for_each_tap(channels, [&](std::int64_t channel, const Extents3& tap) {
    float* plane = image + channel * image_size();
    for_each_run(tap, first, count,
                 [&](std::int64_t column, std::int64_t, std::int64_t before, std::int64_t seen,
                     std::int64_t offset) {
                   const float* from = matrix + column + before;
                   if (step == 1) {
                     for (std::int64_t i = 0; i < seen; ++i) plane[offset + i] += from[i];
                   } else {
                     for (std::int64_t i = 0; i < seen; ++i) plane[offset + i * step] += from[i];
                   }
                 });
    matrix += count;
  });
}

}  // namespace pyaclnn::sim
