// Sums of floats in float64, in lanes that stay in registers: arrays would go through memory each
// time. Their order is that of no instruction set.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include "opapi/common/cpu.hpp"

namespace pyaclnn::sim {

/// 32 values.
class DoubleLanes {
 public:
  static constexpr int kLanes = 32;

  /// All zeros.
  SIM_ALWAYS_INLINE DoubleLanes() : parts_{} {}
  SIM_ALWAYS_INLINE explicit DoubleLanes(const float* from) {
    // Not by __builtin_convertvector, of which GCC makes two halves.
    alignas(64) double wide[kLanes];
    for (int i = 0; i < kLanes; ++i) wide[i] = double(from[i]);
    std::memcpy(parts_, wide, sizeof parts_);
  }
  SIM_ALWAYS_INLINE explicit DoubleLanes(const double* from) {
    std::memcpy(parts_, from, sizeof parts_);
  }

  SIM_ALWAYS_INLINE void operator+=(const DoubleLanes& more) {
    for (int i = 0; i < kParts; ++i) parts_[i] += more.parts_[i];
  }
  SIM_ALWAYS_INLINE void operator*=(const DoubleLanes& more) {
    for (int i = 0; i < kParts; ++i) parts_[i] *= more.parts_[i];
  }
  SIM_ALWAYS_INLINE void operator*=(double factor) {
    for (int i = 0; i < kParts; ++i) parts_[i] *= factor;
  }
  SIM_ALWAYS_INLINE void operator-=(double number) {
    for (int i = 0; i < kParts; ++i) parts_[i] -= number;
  }
  SIM_ALWAYS_INLINE void add_to_first(double number) { parts_[0][0] += number; }

  /// The sum, halving the number of lanes each time.
  SIM_ALWAYS_INLINE double total() const {
    const Doubles all = (parts_[0] + parts_[2]) + (parts_[1] + parts_[3]);
    const double four[] = {all[0] + all[4], all[1] + all[5], all[2] + all[6], all[3] + all[7]};
    return (four[0] + four[2]) + (four[1] + four[3]);
  }

 private:
  static constexpr int kParts = 4;
  static constexpr int kInPart = kLanes / kParts;
  using Doubles = double __attribute__((vector_size(kInPart * sizeof(double))));

  Doubles parts_[kParts];
};

}  // namespace pyaclnn::sim
