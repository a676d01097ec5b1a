// SPDX-License-Identifier: MIT
#include "opapi/norm/forward_rows.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "opapi/common/cpu_wide.hpp"

namespace pyaclnn::sim {
namespace {

constexpr int kLanes = 16;

/// A sum for each lane. Its loops are functions of their own, or compilers keep it in memory.
struct LaneSums {
  double values[kLanes] = {};

  SIM_ALWAYS_INLINE void add(const double* d) {
    for (int k = 0; k < kLanes; ++k) values[k] += d[k];
  }
  SIM_ALWAYS_INLINE void add_squares(const double* d) {
    for (int k = 0; k < kLanes; ++k) values[k] += d[k] * d[k];
  }
  SIM_ALWAYS_INLINE double total() const {
    double sum = 0;
    for (double value : values) sum += value;
    return sum;
  }
};

struct AddMoments {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* x, std::int64_t count, float shift,
                                    Moments* moments) {
    LaneSums plain;
    LaneSums squares;
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      float lanes[kLanes];
      std::memcpy(lanes, x + i, sizeof lanes);
      double d[kLanes];
      for (int k = 0; k < kLanes; ++k) d[k] = double(lanes[k]) - double(shift);
      plain.add(d);
      squares.add_squares(d);
    }
    for (int k = 0; i < count; ++i, ++k) {
      const double d = double(x[i]) - double(shift);
      plain.values[k] += d;
      squares.values[k] += d * d;
    }
    moments->plain += plain.total();
    moments->squares += squares.total();
  }
};

struct Scale {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* x, std::int64_t count, double mean, double rstd,
                                    const double* gamma, const double* beta, float* y) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i)
      y[i] = float((double(x[i]) - mean) * rstd * gamma[i] + beta[i]);
  }
};

struct ScaleAlike {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* x, std::int64_t count, double mean, double factor,
                                    double summand, float* y) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) y[i] = float((double(x[i]) - mean) * factor + summand);
  }
};

struct ScaleHalves {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* x, std::int64_t count, const HalfScale* by,
                                    float* y) {
    const HalfScale scale = *by;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i)
      y[i] =
          (x[i] * scale.factor + scale.summand) + (x[i] * scale.factor_rest + scale.summand_rest);
  }
};

}  // namespace

float shift_at(float element) { return std::isfinite(element) ? element : 0.0f; }

HalfScale::HalfScale(double mean, double factor_of_all, double summand_of_all) {
  constexpr std::uint32_t kFirstBits = 0xFFFFF000;  // 12 digits, so that 11 more fit a float
  const auto whole = static_cast<float>(factor_of_all);
  std::uint32_t bits;
  std::memcpy(&bits, &whole, sizeof bits);
  bits &= kFirstBits;
  std::memcpy(&factor, &bits, sizeof bits);
  factor_rest = static_cast<float>(factor_of_all - double(factor));
  // Infinity times zero would be NaN.
  if (!(std::fabs(factor_rest) > 0)) factor_rest = std::copysign(1e-37f, factor);
  const double constant = summand_of_all - mean * factor_of_all;
  summand = static_cast<float>(constant);
  summand_rest = static_cast<float>(constant - double(summand));
}

bool HalfScale::fits(double mean, double factor, double summand) {
  constexpr double kLeast = 1e-30;
  constexpr double kMost = 1e30;
  const double size = std::fabs(factor);
  return size > kLeast && size < kMost && std::fabs(mean) < kMost &&
         std::fabs(mean * factor) < kMost && std::fabs(summand) < kMost;
}

const ForwardRows& ForwardRows::of_this_cpu() {
  static const ForwardRows rows{
      wide_loop_for_cpu<AddMoments, const float*, std::int64_t, float, Moments*>(),
      wide_loop_for_cpu<Scale, const float*, std::int64_t, double, double, const double*,
                        const double*, float*>(),
      wide_loop_for_cpu<ScaleAlike, const float*, std::int64_t, double, double, double, float*>(),
      wide_loop_for_cpu<ScaleHalves, const float*, std::int64_t, const HalfScale*, float*>(),
  };
  return rows;
}

}  // namespace pyaclnn::sim
