// The softmax of one row of values, or its logarithm, and the same of many columns side by side.
//
// Both add powers in kSoftmaxLanes sums by their position along the axis, and then these, so that a
// row and a column of equal values give equal bits. One loop does one thing, which vectorises.
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

/// e^x for x <= 0 or NaN.
template <class T>
SIM_ALWAYS_INLINE T softmax_exponential(T x) {
  if constexpr (std::is_same_v<T, float>) {
    return vec::exp_of_negative(x);
  } else {
    return std::exp(x);
  }
}

/// The larger of what was found and a value, not NaN.
template <class T>
SIM_ALWAYS_INLINE T softmax_larger(T found, T value) {
  if constexpr (std::is_same_v<T, float>) {
    return vec::select(found < value, value, found);
  } else {
    return found < value ? value : found;
  }
}

template <class T>
struct SoftmaxRow {
  /// Turns a row of values into its softmax, or the logarithm of it.
  template <Isa>
  static SIM_ALWAYS_INLINE void run(T* values, std::int64_t count, bool logarithm) {
    const T top = largest(values, count);
    if (logarithm) {
      const T log_sum = std::log(sum_of_powers(values, count, top));
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) values[i] = (values[i] - top) - log_sum;
    } else {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) values[i] = softmax_exponential(values[i] - top);
      const T sum = add_up(values, count);
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) values[i] /= sum;
    }
  }

 private:
  static SIM_ALWAYS_INLINE T largest(const T* values, std::int64_t count) {
    constexpr int kLanes = 64;
    T lanes[kLanes];
    for (T& lane : lanes) lane = -std::numeric_limits<T>::infinity();
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (int k = 0; k < kLanes; ++k) lanes[k] = softmax_larger(lanes[k], values[i + k]);
    }
    for (; i < count; ++i) lanes[0] = softmax_larger(lanes[0], values[i]);
    T top = lanes[0];
    for (T lane : lanes) top = softmax_larger(top, lane);
    return top;
  }

  static SIM_ALWAYS_INLINE void add_to_lanes(const T* values, std::int64_t count, T* lanes) {
    std::int64_t i = 0;
    for (; i + kSoftmaxLanes <= count; i += kSoftmaxLanes) {
      for (int k = 0; k < kSoftmaxLanes; ++k) lanes[k] += values[i + k];
    }
    for (; i < count; ++i) lanes[0] += values[i];
  }

  static SIM_ALWAYS_INLINE T total(const T* lanes) {
    T sum = 0;
    for (int k = 0; k < kSoftmaxLanes; ++k) sum += lanes[k];
    return sum;
  }

  static SIM_ALWAYS_INLINE T add_up(const T* values, std::int64_t count) {
    T lanes[kSoftmaxLanes] = {};
    add_to_lanes(values, count, lanes);
    return total(lanes);
  }

  static SIM_ALWAYS_INLINE T sum_of_powers(const T* values, std::int64_t count, T top) {
    constexpr std::int64_t kBlock = 16 * kSoftmaxLanes;
    T lanes[kSoftmaxLanes] = {};
    T powers[kBlock];
    for (std::int64_t at = 0; at < count; at += kBlock) {
      const std::int64_t take = count - at < kBlock ? count - at : kBlock;
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < take; ++i) powers[i] = softmax_exponential(values[at + i] - top);
      add_to_lanes(powers, take, lanes);
    }
    return total(lanes);
  }
};

/// One step of many columns: `values` has one value of each.
template <class T>
struct SoftmaxLargest {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const T* values, std::int64_t count, T* tops) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) tops[i] = softmax_larger(tops[i], values[i]);
  }
};

template <class T>
struct SoftmaxAdd {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const T* values, std::int64_t count, const T* tops, T* sums) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) sums[i] += softmax_exponential(values[i] - tops[i]);
  }
};

/// `sums` are the sums of the powers, or their logarithms.
template <class T>
struct SoftmaxFinish {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const T* values, std::int64_t count, const T* tops,
                                    const T* sums, bool logarithm, T* results) {
    if (logarithm) {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) results[i] = (values[i] - tops[i]) - sums[i];
    } else {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i)
        results[i] = softmax_exponential(values[i] - tops[i]) / sums[i];
    }
  }
};

}  // namespace pyaclnn::sim
