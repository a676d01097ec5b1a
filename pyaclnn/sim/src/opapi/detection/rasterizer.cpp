// Which triangle is seen in each pixel, and where in it.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/packed_operand.hpp"
#include "parameters/Rasterizer.hpp"

namespace pyaclnn::sim {
namespace {

constexpr float kDepthSteps = 1 << 18;

struct Point {
  float x, y, z;
};

/// A vertex on a screen of this size.
Point on_screen(const float* v, std::int64_t width, std::int64_t height) {
  return {(v[0] / v[3] * 0.5f + 0.5f) * float(width - 1) + 0.5f,
          (0.5f + 0.5f * v[1] / v[3]) * float(height - 1) + 0.5f, v[2] / v[3] * 0.49999f + 0.5f};
}

float area(const Point& a, const Point& b, const Point& c) {
  return (c.x - a.x) * (b.y - a.y) - (b.x - a.x) * (c.y - a.y);
}

/// Shares of the corners; all are -1 in a triangle without an area.
std::array<float, 3> shares_of(const std::array<Point, 3>& t, const Point& at) {
  const float whole = area(t[0], t[1], t[2]);
  if (whole == 0.0f) return {-1.0f, -1.0f, -1.0f};
  const float second = area(t[0], at, t[2]) / whole;
  const float third = area(t[0], t[1], at) / whole;
  return {1.0f - second - third, second, third};
}

/// The first and last pixel of a line that a stretch between these touches.
std::array<std::int64_t, 2> touched(float a, float b, float c, std::int64_t extent) {
  const float low = std::max(std::min({a, b, c}), 0.0f);
  const float high = std::min(std::max({a, b, c}), float(extent - 1));
  if (!(low <= high)) return {0, -1};
  return {std::int64_t(low), std::int64_t(high)};
}

}  // namespace

void rasterizer(const Check&, Plan& plan, const RasterizerParameters& given) {
  constexpr std::int64_t kMost = 4096;
  const Dims& vertices = given.v.shape();
  const Dims& faces = given.f.shape();
  const std::int64_t width = given.width;
  const std::int64_t height = given.height;
  check_tiling(plan, vertices.size() == 2 && vertices[1] == 4 && faces.size() == 2 && faces[1] == 3,
               "v has shape %s, f has %s", vertices.text().c_str(), faces.text().c_str());
  check_tiling(plan, width > 0 && height > 0 && width <= kMost && height <= kMost,
               "the screen is %lld wide and %lld high", static_cast<long long>(width),
               static_cast<long long>(height));
  check_tiling(plan,
               given.findicesOut.shape() == Dims{height, width} &&
                   given.barycentricOut.shape() == Dims{height, width, 3},
               "outputs are not of the screen's size");
  check_tiling(plan, given.useDepthPrior == 0, "useDepthPrior is not 0");
  const PackedOperand points = reads_packed(plan, given.v);
  const PackedOperand corners = reads_packed(plan, given.f);
  const PackedOperand seen_out = writes_packed(plan, given.findicesOut);
  const PackedOperand places_out = writes_packed(plan, given.barycentricOut);
  const std::int64_t count = vertices[0];
  const char* api = plan.api();
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<float> vs = points.read(memory);
    const auto indices = corners.read<std::int64_t>(memory);
    for (const std::int64_t i : indices)
      if (i < 0 || i >= count)
        fail(kRtAicoreException, "%s: a corner is vertex %lld of %lld", api,
             static_cast<long long>(i), static_cast<long long>(count));
    const auto triangle = [&](std::int64_t face) {
      std::array<Point, 3> result{};
      for (std::size_t i = 0; i < 3; ++i)
        result[i] =
            on_screen(&vs[std::size_t(indices[std::size_t(face) * 3 + i] * 4)], width, height);
      return result;
    };
    // Numbers of faces begin with 1.
    std::vector<std::int64_t> seen(std::size_t(width * height));
    std::vector<float> depths(seen.size(), std::numeric_limits<float>::max());
    for (std::int64_t face = 0; face * 3 < std::int64_t(indices.size()); ++face) {
      const std::array<Point, 3> t = triangle(face);
      const auto rows = touched(t[0].y, t[1].y, t[2].y, height);
      const auto columns = touched(t[0].x, t[1].x, t[2].x, width);
      for (std::int64_t y = rows[0]; y <= rows[1]; ++y)
        for (std::int64_t x = columns[0]; x <= columns[1]; ++x) {
          const auto s = shares_of(t, {float(x) + 0.5f, float(y) + 0.5f, 0.0f});
          if (!(s[0] >= 0.0f && s[1] >= 0.0f && s[2] >= 0.0f)) continue;
          const float depth =
              std::trunc((s[0] * t[0].z + s[1] * t[1].z + s[2] * t[2].z) * kDepthSteps);
          float& least = depths[std::size_t(y * width + x)];
          if (!(depth < least)) continue;
          least = depth;
          seen[std::size_t(y * width + x)] = face + 1;
        }
    }
    std::vector<float> places(seen.size() * 3);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i] == 0) continue;
      const std::int64_t face = seen[i] - 1;
      const auto x = std::int64_t(i) % width;
      const auto y = std::int64_t(i) / width;
      auto s = shares_of(triangle(face), {float(x) + 0.5f, float(y) + 0.5f, 0.0f});
      for (std::size_t k = 0; k < 3; ++k)
        s[k] /= vs[std::size_t(indices[std::size_t(face) * 3 + k] * 4 + 3)];
      for (std::size_t k = 0; k < 3; ++k) places[i * 3 + k] = s[k] / (s[0] + s[1] + s[2]);
    }
    seen_out.write(memory, seen);
    places_out.write(memory, places);
  });
}

}  // namespace pyaclnn::sim
