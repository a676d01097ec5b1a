// SPDX-License-Identifier: MIT
#include "opapi/reduction/runs_wide.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "opapi/common/cpu_wide.hpp"

#define SIM_LANES_CODE "opapi/reduction/runs_lanes.hpp"
#include "opapi/common/each_lanes.hpp"

namespace pyaclnn::sim::reduction {

Combine sum_of_run([[maybe_unused]] aclDataType dtype) { return SIM_BY_LANES(sum_of_run(dtype)); }
Combine sum_of_sides([[maybe_unused]] aclDataType dtype) {
  return SIM_BY_LANES(sum_of_sides(dtype));
}
Combine maximum_of_run([[maybe_unused]] aclDataType dtype) {
  return SIM_BY_LANES(maximum_of_run(dtype));
}
Combine minimum_of_run([[maybe_unused]] aclDataType dtype) {
  return SIM_BY_LANES(minimum_of_run(dtype));
}
Combine maximum_of_sides([[maybe_unused]] aclDataType dtype) {
  return SIM_BY_LANES(maximum_of_sides(dtype));
}
Combine minimum_of_sides([[maybe_unused]] aclDataType dtype) {
  return SIM_BY_LANES(minimum_of_sides(dtype));
}

namespace {

enum class Keeps { kSum, kLargest, kSmallest };

template <class T, Keeps kKeeps>
struct IntegerRuns {
  static SIM_ALWAYS_INLINE T better(T a, T b) {
    return (kKeeps == Keeps::kLargest ? b > a : b < a) ? b : a;
  }

  static SIM_ALWAYS_INLINE T extremum(T best, const T* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) best = better(best, from[i]);
    return best;
  }

  /// In several registers: AVX2 compares numbers of 64 bits in steps of which each would wait for
  /// the one before.
  static SIM_ALWAYS_INLINE T long_extremum(const T* from, std::int64_t count) {
    constexpr std::int64_t kLanes = 32;
    T lanes[kLanes];
    std::memcpy(lanes, from, sizeof lanes);
    std::int64_t i = kLanes;
    for (; i + kLanes <= count; i += kLanes) {
      for (std::int64_t k = 0; k < kLanes; ++k) lanes[k] = better(lanes[k], from[i + k]);
    }
    return extremum(extremum(from[0], lanes, kLanes), from + i, count - i);
  }

  static SIM_ALWAYS_INLINE std::int64_t one(const T* from, std::int64_t count) {
    if constexpr (kKeeps == Keeps::kSum) {
      std::uint64_t sum = 0;
      for (std::int64_t i = 0; i < count; ++i)
        sum += static_cast<std::uint64_t>(static_cast<std::int64_t>(from[i]));
      return static_cast<std::int64_t>(sum);
    } else {
      constexpr std::int64_t kLong = 256;
      if (sizeof(T) == sizeof(std::int64_t) && count >= kLong) return long_extremum(from, count);
      constexpr bool kLargest = kKeeps == Keeps::kLargest;
      const T nothing = kLargest ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
      return extremum(nothing, from, count);
    }
  }

  template <Isa>
  static SIM_ALWAYS_INLINE void run(const void* values, std::int64_t step, std::int64_t runs,
                                    std::int64_t count, void* results) {
    const auto* from = static_cast<const T*>(values);
    auto* to = static_cast<std::int64_t*>(results);
    for (std::int64_t r = 0; r < runs; ++r) {
      if (count == 0) continue;
      const std::int64_t found = one(from + r * step, count);
      if constexpr (kKeeps == Keeps::kSum)
        to[r] = static_cast<std::int64_t>(static_cast<std::uint64_t>(to[r]) +
                                          static_cast<std::uint64_t>(found));
      else
        to[r] = kKeeps == Keeps::kLargest ? std::max(to[r], found) : std::min(to[r], found);
    }
  }
};

template <Keeps kKeeps>
Combine integers(aclDataType dtype) {
  const auto loop = [](auto zero) {
    return wide_loop_for_cpu<IntegerRuns<decltype(zero), kKeeps>, const void*, std::int64_t,
                             std::int64_t, std::int64_t, void*>();
  };
  if (dtype == ACL_INT8) return loop(std::int8_t());
  if (dtype == ACL_INT32) return loop(std::int32_t());
  if (dtype == ACL_INT64) return loop(std::int64_t());
  return nullptr;
}

}  // namespace

Combine integer_sum_of_run(aclDataType dtype) { return integers<Keeps::kSum>(dtype); }
Combine integer_maximum_of_run(aclDataType dtype) { return integers<Keeps::kLargest>(dtype); }
Combine integer_minimum_of_run(aclDataType dtype) { return integers<Keeps::kSmallest>(dtype); }

}  // namespace pyaclnn::sim::reduction
