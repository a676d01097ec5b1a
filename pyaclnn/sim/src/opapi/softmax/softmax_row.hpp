// The softmax of one row of values, or its logarithm.
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "opapi/common/cpu.hpp"
#include "opapi/common/vecmath.hpp"

namespace pyaclnn::sim {

constexpr int kSoftmaxLanes = 16;

template <class T>
SIM_ALWAYS_INLINE T softmax_exponential(T x) {
  if constexpr (std::is_same_v<T, float>) {
    return vec::exp(x);
  } else {
    return std::exp(x);
  }
}

template <class T>
struct SoftmaxRow {
  /// Turns a row of values into its softmax, or the logarithm of it.
  template <Isa>
  static SIM_ALWAYS_INLINE void run(T* values, std::int64_t count, bool logarithm) {
    T largest[kSoftmaxLanes];
    for (T& lane : largest) lane = -std::numeric_limits<T>::infinity();
    std::int64_t i = 0;
    for (; i + kSoftmaxLanes <= count; i += kSoftmaxLanes) {
      for (int k = 0; k < kSoftmaxLanes; ++k)
        largest[k] = largest[k] < values[i + k] ? values[i + k] : largest[k];
    }
    for (; i < count; ++i) largest[0] = largest[0] < values[i] ? values[i] : largest[0];
    T top = largest[0];
    for (T lane : largest) top = top < lane ? lane : top;

    T sums[kSoftmaxLanes] = {};
    for (i = 0; i + kSoftmaxLanes <= count; i += kSoftmaxLanes) {
      for (int k = 0; k < kSoftmaxLanes; ++k) {
        const T shifted = values[i + k] - top;
        const T power = softmax_exponential(shifted);
        values[i + k] = logarithm ? shifted : power;
        sums[k] += power;
      }
    }
    for (; i < count; ++i) {
      const T shifted = values[i] - top;
      const T power = softmax_exponential(shifted);
      values[i] = logarithm ? shifted : power;
      sums[0] += power;
    }
    T sum = 0;
    for (T lane : sums) sum += lane;
    if (logarithm) {
      const T log_sum = std::log(sum);
      for (i = 0; i < count; ++i) values[i] -= log_sum;
    } else {
      for (i = 0; i < count; ++i) values[i] /= sum;
    }
  }
};

}  // namespace pyaclnn::sim
