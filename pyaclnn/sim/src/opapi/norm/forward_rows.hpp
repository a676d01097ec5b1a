// What forward normalisations do with neighbouring elements: moments, and linear maps.
//
// With the widest vectors of the processor; the bits are the same with all of them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace pyaclnn::sim {

/// Sums of x - shift, and of its squares, in float64, over elements of which the shift is one, or
/// 0: then the square of the mean distance is at most as many variances as there are elements, and
/// nothing that matters is lost where it is subtracted.
struct Moments {
  double plain = 0;
  double squares = 0;

  double mean(double shift, std::int64_t count) const { return shift + plain / double(count); }
  double variance(std::int64_t count) const {
    const double centered = squares - plain * (plain / double(count));
    return (centered < 0 ? 0 : centered) / double(count);
  }
};

/// A shift for Moments: a given element, unless it is infinite or NaN.
float shift_at(float element);

/// (x - mean) factor + summand in floats, for x of float16 or bfloat16: their few digits leave room
/// for products without rounding, so that what cancels is as precise as in float64.
struct HalfScale {
  float factor;
  float factor_rest;
  float summand;
  float summand_rest;

  HalfScale(double mean, double factor_of_all, double summand_of_all);
  /// Whether floats have the range.
  static bool fits(double mean, double factor, double summand);
};

struct ForwardRows {
  /// Adds to `moments`, in an order that depends on `count` only.
  void (*add_moments)(const float* x, std::int64_t count, float shift, Moments* moments);
  /// y = (x - mean) rstd gamma + beta, with a gamma and a beta for each column.
  void (*scale)(const float* x, std::int64_t count, double mean, double rstd, const double* gamma,
                const double* beta, float* y);
  /// y = (x - mean) factor + summand.
  void (*scale_alike)(const float* x, std::int64_t count, double mean, double factor,
                      double summand, float* y);
  void (*scale_halves)(const float* x, std::int64_t count, const HalfScale* by, float* y);

  static const ForwardRows& of_this_cpu();
};

}  // namespace pyaclnn::sim
