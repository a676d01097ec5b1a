// What the connectionist temporal classification loss and its gradient share.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace pyaclnn::sim::ctc {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

// What the kernels of A2 and A3 can hold.
constexpr std::int64_t kMaxClasses = 200000;
constexpr std::int64_t kMaxLabels = 1000;
constexpr std::int64_t kMaxBatch = 8180;

inline bool is_large(std::int64_t classes, std::int64_t batch, std::int64_t labels) {
  return classes > kMaxClasses || batch > kMaxBatch || labels > kMaxLabels;
}

/// The largest of them, or 0.
inline std::int64_t largest_of(const std::vector<std::int64_t>& values) {
  std::int64_t result = 0;
  for (std::int64_t value : values) result = std::max(result, value);
  return result;
}

/// ln(e^a + e^b + e^c).
inline double log_sum(double a, double b, double c) {
  const double largest = std::max({a, b, c});
  if (largest == kMinusInfinity) return largest;
  return std::log(std::exp(a - largest) + std::exp(b - largest) + std::exp(c - largest)) + largest;
}

}  // namespace pyaclnn::sim::ctc
