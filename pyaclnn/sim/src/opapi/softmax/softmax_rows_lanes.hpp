// Softmax of rows of 16 to 64 floats. Compiled by each_lanes.hpp.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "opapi/common/folded_lanes.hpp"
#include "opapi/pointwise/base_two_lanes.hpp"
#include "opapi/softmax/softmax_rows.hpp"

namespace pyaclnn::sim::SIM_LANES {
namespace {

struct Largest {
  static SIM_LANES_INLINE Floats of(Floats a, Floats b) { return largest(a, b); }
};

template <int kRegisters>
struct Row {
  static constexpr std::int64_t kLength = kRegisters * kLanes;

  static SIM_LANES_INLINE float top(const float* values) {
    Floats found = Floats::of(-std::numeric_limits<float>::infinity());
    // Of two operands one of which is NaN, the second.
    for (int k = 0; k < kRegisters; ++k) found = largest(Floats::at(values + k * kLanes), found);
    return folded<Largest>(found);
  }

  /// The sum of the powers, which it gives, too, if `kKeeps`.
  template <bool kKeeps>
  static SIM_LANES_INLINE float powers(const float* values, float top, float* results) {
    Floats sum = Floats::of(0.0f);
    for (int k = 0; k < kRegisters; ++k) {
      const Floats power = exp_of_negative(Floats::at(values + k * kLanes) - Floats::of(top));
      if constexpr (kKeeps) power.store(results + k * kLanes);
      sum = sum + power;
    }
    return folded<Sum>(sum);
  }
};

/// First a step of several rows: the next would wait for it.
template <int kRegisters, bool kLog>
SIM_LANES_INLINE void some_rows(const float* values, std::int64_t rows, float* results) {
  using Of = Row<kRegisters>;
  constexpr std::int64_t kSome = 8;
  float tops[kSome];
  float sums[kSome];
  while (rows > 0) {
    const std::int64_t some = std::min(kSome, rows);
    for (std::int64_t i = 0; i < some; ++i) tops[i] = Of::top(values + i * Of::kLength);
    for (std::int64_t i = 0; i < some; ++i)
      sums[i] =
          Of::template powers<!kLog>(values + i * Of::kLength, tops[i], results + i * Of::kLength);
    for (std::int64_t i = 0; i < some; ++i) sums[i] = kLog ? std::log(sums[i]) : 1.0f / sums[i];
    for (std::int64_t i = 0; i < some; ++i) {
      for (int k = 0; k < kRegisters; ++k) {
        const std::int64_t at = i * Of::kLength + k * kLanes;
        const Floats by = Floats::of(sums[i]);
        if constexpr (kLog) {
          ((Floats::at(values + at) - Floats::of(tops[i])) - by).store(results + at);
        } else {
          (Floats::at(results + at) * by).store(results + at);
        }
      }
    }
    values += some * Of::kLength;
    results += some * Of::kLength;
    rows -= some;
  }
}

template <int kRegisters>
SIM_LANES_LOOP void softmax_of(const float* values, std::int64_t rows, bool logarithm,
                               float* results) {
  if (logarithm) {
    some_rows<kRegisters, true>(values, rows, results);
  } else {
    some_rows<kRegisters, false>(values, rows, results);
  }
}

SoftmaxRowsFn rows_of(std::int64_t length) {
  if (length == kLanes) return &softmax_of<1>;
  if (length == 2 * kLanes) return &softmax_of<2>;
  if (length == 3 * kLanes) return &softmax_of<3>;
  if (length == 4 * kLanes) return &softmax_of<4>;
  return nullptr;
}

}  // namespace
}  // namespace pyaclnn::sim::SIM_LANES
