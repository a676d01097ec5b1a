// SPDX-License-Identifier: MIT
#include "opapi/attention/rotation.hpp"

#include <algorithm>
#include <cstddef>

namespace pyaclnn::sim {

Rotation::Rotation(std::int64_t depth, std::int64_t mode) {
  const std::int64_t half = depth / 2;
  const std::int64_t span = mode == kNeighbours ? 1 : mode == kQuarters ? depth / 4 : half;
  for (std::int64_t i = 0; i < depth; ++i) {
    const bool is_first = i / span % 2 == 0;
    const std::int64_t other = is_first ? i + span : i - span;
    const float sign = is_first ? -1.0f : 1.0f;
    // Sorted: even values before odd ones.
    const auto sorted = [&](std::int64_t at) { return at < half ? 2 * at : 2 * (at - half) + 1; };
    places_.push_back(mode == kNeighboursToHalves ? Place{sorted(i), sorted(other), sign}
                                                  : Place{i, other, sign});
  }
}

void Rotation::turn(const float* x, const float* cos, const float* sin, float* y) const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    y[i] = x[place.own] * cos[i] + place.sign * x[place.other] * sin[i];
  }
}

void Rotation::turn_back(const float* dy, const float* cos, const float* sin, float* dx) const {
  for (std::size_t i = 0; i < places_.size(); ++i) dx[places_[i].own] = dy[i] * cos[i];
  for (std::size_t i = 0; i < places_.size(); ++i)
    dx[places_[i].other] += places_[i].sign * dy[i] * sin[i];
}

void Rotation::add_angles(const float* dy, const float* x, double* dcos, double* dsin) const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    dcos[i] += double(dy[i]) * double(x[place.own]);
    dsin[i] += double(place.sign * dy[i]) * double(x[place.other]);
  }
}

}  // namespace pyaclnn::sim
