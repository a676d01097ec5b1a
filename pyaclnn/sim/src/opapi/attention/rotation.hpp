// Pairs of values turned by the angle of their place, a row at a time: the one rotation of all
// operators that have one.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace pyaclnn::sim {

/// Which values of a row are pairs, with the numbers of the operators' modes.
enum RotaryMode : std::int64_t {
  kHalves = 0,
  kNeighbours = 1,
  kQuarters = 2,            // halves of halves
  kNeighboursToHalves = 3,  // neighbours, sorted into halves
};

/// y = x cos + turned(x) sin, with `depth` values in each row.
class Rotation {
 public:
  Rotation(std::int64_t depth, std::int64_t mode);

  std::int64_t depth() const { return static_cast<std::int64_t>(places_.size()); }

  /// y is another row than x.
  void turn(const float* x, const float* cos, const float* sin, float* y) const;
  /// The gradient to x, from that of y.
  void turn_back(const float* dy, const float* cos, const float* sin, float* dx) const;
  /// Adds the gradients to cos and sin.
  void add_angles(const float* dy, const float* x, double* dcos, double* dsin) const;

 private:
  /// Which value of x stands at a place, and which one is turned to it, with its sign.
  struct Place {
    std::int64_t own;
    std::int64_t other;
    float sign;
  };
  std::vector<Place> places_;
};

}  // namespace pyaclnn::sim
