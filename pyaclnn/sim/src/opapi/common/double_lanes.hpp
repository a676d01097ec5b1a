// Sums in float64, in lanes that stay in registers: arrays would go through memory each time, or be
// cut into vectors of several lengths. Their order is that of no instruction set.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include "opapi/common/cpu.hpp"

namespace pyaclnn::sim {

/// a * b + c, rounded once: the same bits under every instruction set, slow where it has no such
/// instruction.
SIM_ALWAYS_INLINE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
SIM_ALWAYS_INLINE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

/// 16 values.
class DoubleLanes {
 public:
  static constexpr int kLanes = 16;

  /// All zeros.
  SIM_ALWAYS_INLINE DoubleLanes() : parts_{} {}
  SIM_ALWAYS_INLINE explicit DoubleLanes(const float* from) {
    // Not by __builtin_convertvector, of which GCC makes two halves.
    Array wide;
    for (int i = 0; i < kLanes; ++i) wide.values[i] = double(from[i]);
    set(wide);
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
  /// Adds products that are not rounded before.
  SIM_ALWAYS_INLINE void add_products(const DoubleLanes& a, const DoubleLanes& b) {
    const Array of_a = a.array();
    const Array of_b = b.array();
    Array sums = array();
    for (int i = 0; i < kLanes; ++i)
      sums.values[i] = fma(of_a.values[i], of_b.values[i], sums.values[i]);
    set(sums);
  }

  SIM_ALWAYS_INLINE void add_to_first(double number) { parts_[0][0] += number; }

  /// The sum, halving the number of lanes each time.
  SIM_ALWAYS_INLINE double total() const {
    const Eight eight = parts_[0] + parts_[1];
    Four fours[2];
    std::memcpy(fours, &eight, sizeof fours);
    const Four four = fours[0] + fours[1];
    Two twos[2];
    std::memcpy(twos, &four, sizeof twos);
    const Two two = twos[0] + twos[1];
    return two[0] + two[1];
  }

 private:
  static constexpr int kParts = 2;
  using Eight = double __attribute__((vector_size(64)));
  using Four = double __attribute__((vector_size(32)));
  using Two = double __attribute__((vector_size(16)));

  struct Array {
    alignas(64) double values[kLanes];
  };

  SIM_ALWAYS_INLINE Array array() const {
    Array result;
    std::memcpy(result.values, parts_, sizeof parts_);
    return result;
  }
  SIM_ALWAYS_INLINE void set(const Array& from) { std::memcpy(parts_, from.values, sizeof parts_); }

  Eight parts_[kParts];
};

}  // namespace pyaclnn::sim
