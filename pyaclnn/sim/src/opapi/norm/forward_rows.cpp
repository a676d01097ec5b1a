// SPDX-License-Identifier: MIT
#include "opapi/norm/forward_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/bulk_copy.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/prefetch.hpp"

namespace pyaclnn::sim {
namespace {

constexpr int kLanes = 16;
constexpr int kRegisters = ForwardRows::kSummedInFloats / kLanes;
constexpr std::int64_t kBlock = ForwardRows::kSummedInFloats;

/// A sum for each lane. Its loops are functions of their own, or compilers keep it in memory.
struct LaneSums {
  double values[kLanes] = {};

  SIM_ALWAYS_INLINE void add(const double* d) {
    for (int k = 0; k < kLanes; ++k) values[k] += d[k];
  }
  SIM_ALWAYS_INLINE void add_squares(const double* d) {
    for (int k = 0; k < kLanes; ++k) values[k] += d[k] * d[k];
  }
  SIM_ALWAYS_INLINE void add_both(const float* a, const float* b) {
    for (int k = 0; k < kLanes; ++k) values[k] += double(a[k] + b[k]);
  }
  SIM_ALWAYS_INLINE double total() const {
    double sums[kLanes];
    std::memcpy(sums, values, sizeof sums);
    for (int half = kLanes / 2; half > 0; half /= 2)
      for (int k = 0; k < half; ++k) sums[k] += sums[k + half];
    return sums[0];
  }
};

/// Both sums of a run, 16 elements at a time.
struct Sums {
  LaneSums plain;
  LaneSums squares;

  SIM_ALWAYS_INLINE void add(const float* x, std::int64_t count, float shift) {
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
  }

  /// Plain sums are of x itself.
  SIM_ALWAYS_INLINE void add_block(const float* x, float shift) {
    float sums_of_squares[2][kLanes] = {};
    for (int r = 0; r < kRegisters; ++r) {
      float lanes[kLanes];
      std::memcpy(lanes, x + r * kLanes, sizeof lanes);
      double wide[kLanes];
      for (int k = 0; k < kLanes; ++k) wide[k] = double(lanes[k]);
      plain.add(wide);
      float d[kLanes];
      for (int k = 0; k < kLanes; ++k) d[k] = lanes[k] - shift;
      for (int k = 0; k < kLanes; ++k) sums_of_squares[r % 2][k] += d[k] * d[k];
    }
    squares.add_both(sums_of_squares[0], sums_of_squares[1]);
  }

  SIM_ALWAYS_INLINE void add_to(Moments* moments) const {
    moments->plain += plain.total();
    moments->squares += squares.total();
  }
};

// Bytes of a row asked for: the processor looks no further than to the end of a page.
constexpr std::int64_t kMostAhead = 32768;

float value_of(const void* x) { return *static_cast<const float*>(x); }

void add_moments(const void* values, std::int64_t count, float shift, Moments* moments,
                 const void* ahead) {
  if (ahead != nullptr) prefetch(ahead, std::min(count * std::int64_t(sizeof(float)), kMostAhead));
  const auto* x = static_cast<const float*>(values);
  Sums sums;
  moments->plain -= double(count / kBlock * kBlock) * double(shift);
  std::int64_t i = 0;
  for (; i + kBlock <= count; i += kBlock) sums.add_block(x + i, shift);
  sums.add(x + i, count - i, shift);
  sums.add_to(moments);
}

void add_moments_exactly(const void* values, std::int64_t count, float shift, Moments* moments) {
  Sums sums;
  sums.add(static_cast<const float*>(values), count, shift);
  sums.add_to(moments);
}

/// a b + c, rounded once where the processor does so.
SIM_ALWAYS_INLINE double multiply_add(double a, double b, double c) {
#if defined(__aarch64__)
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

void scale(const void* from, std::int64_t count, double mean, double rstd, const double* gamma,
           const double* beta, void* to) {
  const auto* x = static_cast<const float*>(from);
  auto* y = static_cast<float*>(to);
  const double constant = -mean * rstd;
  SIM_INDEPENDENT_ITERATIONS
  for (std::int64_t i = 0; i < count; ++i)
    y[i] = float(multiply_add(multiply_add(double(x[i]), rstd, constant), gamma[i], beta[i]));
}

void scale_alike(const void* from, std::int64_t count, double mean, double factor, double summand,
                 void* to) {
  const auto* x = static_cast<const float*>(from);
  auto* y = static_cast<float*>(to);
  SIM_INDEPENDENT_ITERATIONS
  for (std::int64_t i = 0; i < count; ++i) y[i] = float((double(x[i]) - mean) * factor + summand);
}

void scale_halves(const void* from, std::int64_t count, const HalfScale* by, void* to) {
  const auto* x = static_cast<const float*>(from);
  auto* y = static_cast<float*>(to);
  const HalfScale scale = *by;
  SIM_INDEPENDENT_ITERATIONS
  for (std::int64_t i = 0; i < count; ++i)
    y[i] = (x[i] * scale.factor + scale.summand) + (x[i] * scale.factor_rest + scale.summand_rest);
}

// Of a processor without registers for rows in place.
constexpr ForwardRows kFloats{sizeof(float), &value_of,    &add_moments, &add_moments_exactly,
                              &scale,        &scale_alike, &scale_halves};

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

const ForwardRows& ForwardRows::of_floats() {
  const ForwardRows* rows = in_place(ACL_FLOAT, false);
  return rows != nullptr ? *rows : kFloats;
}

const ForwardRows* ForwardRows::between(const RowMajorAccess& x, const RowMajorAccess& y,
                                        std::int64_t stretch) {
  constexpr std::uintptr_t kLine = 64;
  if (x.array_type() != y.array_type()) return nullptr;
  const ForwardRows* rows = in_place(y.array_type(), false);
  if (rows == nullptr) return nullptr;
  const bool past = y.count() * rows->size >= std::int64_t(kBulkBytes) &&
                    stretch * rows->size % std::int64_t(kLine) == 0 &&
                    reinterpret_cast<std::uintptr_t>(y.place(0)) % kLine == 0;
  return past ? in_place(y.array_type(), true) : rows;
}

}  // namespace pyaclnn::sim
