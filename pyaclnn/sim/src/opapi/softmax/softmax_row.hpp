// The softmax of one row of values, or its logarithm, and the same of many columns side by side.
//
// Both add powers in kSoftmaxLanes sums by their position along the axis, and then these in pairs,
// so that a row and a column of equal values give equal bits.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "opapi/common/cpu.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/pointwise/base_two.hpp"

namespace pyaclnn::sim {

constexpr int kSoftmaxLanes = 16;

/// e^x for x <= 0 or NaN.
template <class T>
SIM_ALWAYS_INLINE T softmax_exponential(T x) {
  if constexpr (std::is_same_v<T, float>) {
    return base_two::exp_of_negative(x);
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
  /// Makes of a row of values its softmax, or the logarithm of it, also in their place.
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const T* values, std::int64_t count, bool logarithm,
                                    T* results) {
    const T top = largest(values, count);
    if (logarithm) {
      const T log_sum = std::log(sum_of_powers(values, count, top));
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) results[i] = (values[i] - top) - log_sum;
    } else {
      const T scale = T(1) / powers(values, count, top, results);
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) results[i] *= scale;
    }
  }

 private:
  static SIM_ALWAYS_INLINE T largest(const T* values, std::int64_t count) {
    return count < 64 ? largest_in_lanes<16>(values, count) : largest_in_lanes<64>(values, count);
  }

  template <int kLanes>
  static SIM_ALWAYS_INLINE T largest_in_lanes(const T* values, std::int64_t count) {
    T lanes[kLanes];
    for (T& lane : lanes) lane = -std::numeric_limits<T>::infinity();
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (int k = 0; k < kLanes; ++k) lanes[k] = softmax_larger(lanes[k], values[i + k]);
    }
    for (int k = 0; i + k < count; ++k) lanes[k] = softmax_larger(lanes[k], values[i + k]);
    for (int half = kLanes / 2; half > 0; half /= 2) {
      for (int k = 0; k < half; ++k) lanes[k] = softmax_larger(lanes[k], lanes[k + half]);
    }
    return lanes[0];
  }

  /// Gives the powers and their sum.
  static SIM_ALWAYS_INLINE T powers(const T* values, std::int64_t count, T top, T* results) {
    T lanes[kSoftmaxLanes] = {};
    std::int64_t i = 0;
    for (; i + kSoftmaxLanes <= count; i += kSoftmaxLanes) {
      SIM_INDEPENDENT_ITERATIONS
      for (int k = 0; k < kSoftmaxLanes; ++k) {
        const T power = softmax_exponential(values[i + k] - top);
        results[i + k] = power;
        lanes[k] += power;
      }
    }
    const std::int64_t rest = i;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t k = rest; k < count; ++k) results[k] = softmax_exponential(values[k] - top);
    for (; i < count; ++i) lanes[0] += results[i];
    return total(lanes);
  }

  static SIM_ALWAYS_INLINE T total(T* lanes) {
    for (int half = kSoftmaxLanes / 2; half > 0; half /= 2) {
      for (int k = 0; k < half; ++k) lanes[k] += lanes[k + half];
    }
    return lanes[0];
  }

  static SIM_ALWAYS_INLINE T sum_of_powers(const T* values, std::int64_t count, T top) {
    T lanes[kSoftmaxLanes] = {};
    std::int64_t i = 0;
    for (; i + kSoftmaxLanes <= count; i += kSoftmaxLanes) {
      SIM_INDEPENDENT_ITERATIONS
      for (int k = 0; k < kSoftmaxLanes; ++k) lanes[k] += softmax_exponential(values[i + k] - top);
    }
    T rest[kSoftmaxLanes];
    const std::int64_t left = count - i;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < left; ++k) rest[k] = softmax_exponential(values[i + k] - top);
    for (std::int64_t k = 0; k < left; ++k) lanes[0] += rest[k];
    return total(lanes);
  }
};

/// The same of many rows that are columns of a block: `length` lines of one value of each of
/// `count` rows. With few values to a row, the row's own loops would mostly wait for one another.
template <class T>
struct SoftmaxTurned {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(T* values, std::int64_t length, std::int64_t count,
                                    bool logarithm) {
    for (std::int64_t i = 0; i < count; i += kSome)
      some(values + i, length, std::min(kSome, count - i), count, logarithm);
  }

 private:
  static constexpr std::int64_t kSome = 64;
  using Line = T[kSome];

  static SIM_ALWAYS_INLINE void some(T* values, std::int64_t length, std::int64_t count,
                                     std::int64_t step, bool logarithm) {
    alignas(64) Line tops;
    std::fill_n(tops, kSome, -std::numeric_limits<T>::infinity());
    for (std::int64_t k = 0; k < length; ++k) {
      const T* line = values + k * step;
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t j = 0; j < count; ++j) tops[j] = softmax_larger(tops[j], line[j]);
    }
    alignas(64) Line sums[kSoftmaxLanes] = {};
    const std::int64_t in_lanes = length - length % kSoftmaxLanes;
    for (std::int64_t k = 0; k < length; ++k) {
      T* line = values + k * step;
      T* lane = sums[k < in_lanes ? k % kSoftmaxLanes : 0];
      if (logarithm) {
        SIM_INDEPENDENT_ITERATIONS
        for (std::int64_t j = 0; j < count; ++j) lane[j] += softmax_exponential(line[j] - tops[j]);
      } else {
        SIM_INDEPENDENT_ITERATIONS
        for (std::int64_t j = 0; j < count; ++j)
          lane[j] += line[j] = softmax_exponential(line[j] - tops[j]);
      }
    }
    for (int half = kSoftmaxLanes / 2; half > 0; half /= 2) {
      for (int lane = 0; lane < half; ++lane) {
        SIM_INDEPENDENT_ITERATIONS
        for (std::int64_t j = 0; j < count; ++j) sums[lane][j] += sums[lane + half][j];
      }
    }
    T* of_sums = sums[0];
    for (std::int64_t j = 0; j < count; ++j)
      of_sums[j] = logarithm ? std::log(of_sums[j]) : T(1) / of_sums[j];
    for (std::int64_t k = 0; k < length; ++k) {
      T* line = values + k * step;
      if (logarithm) {
        SIM_INDEPENDENT_ITERATIONS
        for (std::int64_t j = 0; j < count; ++j) line[j] = (line[j] - tops[j]) - of_sums[j];
      } else {
        SIM_INDEPENDENT_ITERATIONS
        for (std::int64_t j = 0; j < count; ++j) line[j] *= of_sums[j];
      }
    }
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

/// `sums` are what powers are multiplied by, or the logarithms of their sums.
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
        results[i] = softmax_exponential(values[i] - tops[i]) * sums[i];
    }
  }
};

}  // namespace pyaclnn::sim
