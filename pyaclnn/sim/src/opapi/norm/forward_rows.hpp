// What forward normalisations do with neighbouring elements: moments, and linear maps.
//
// With the widest vectors of the processor. The bits for float32 are the same with all of them that
// have FMA; the mean of narrower types is rounded to float here and there.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "acl/acl_base.h"
#include "opapi/common/row_major.hpp"

namespace pyaclnn::sim {

/// Sums of x - shift, and of its squares, over elements of which the shift is one, or 0: then the
/// square of the mean distance is at most as many variances as there are elements. With squares in
/// float64 nothing that matters is lost where it is subtracted; with floats, that are faster, where
/// it is not nearly all.
struct Moments {
  double plain = 0;
  double squares = 0;

  double mean(double shift, std::int64_t count) const { return shift + plain / double(count); }
  double variance(std::int64_t count) const {
    const double centered = squares - plain * (plain / double(count));
    return (centered < 0 ? 0 : centered) / double(count);
  }
  /// Whether sums of floats are as good as those in float64: no square was too large or too small.
  bool in_range(std::int64_t count) const {
    constexpr double kLeast = 1e-30;
    constexpr double kMost = 1e30;
    return squares > kLeast * double(count) && squares < kMost;
  }
  /// The same where the square of the mean is subtracted.
  bool good(std::int64_t count) const {
    constexpr double kLost = 16;
    return in_range(count) && variance(count) * double(count) * kLost > squares;
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

/// Passes over elements of one type that lie behind one another.
struct ForwardRows {
  /// So many squares are added up in floats before their sum is in float64.
  static constexpr int kSummedInFloats = 128;

  std::int64_t size;  // bytes of an element

  /// An element as a float.
  float (*value)(const void* x);
  /// Adds to `moments`, in an order that depends on `count` only: a few at a time in floats. As
  /// many elements from `ahead` on, if that is not null, are wanted next.
  void (*add_moments)(const void* x, std::int64_t count, float shift, Moments* moments,
                      const void* ahead);
  /// The same in float64.
  void (*add_moments_exactly)(const void* x, std::int64_t count, float shift, Moments* moments);
  /// y = (x - mean) rstd gamma + beta, with a gamma and a beta for each column.
  void (*scale)(const void* x, std::int64_t count, double mean, double rstd, const double* gamma,
                const double* beta, void* y);
  /// y = (x - mean) factor + summand.
  void (*scale_alike)(const void* x, std::int64_t count, double mean, double factor, double summand,
                      void* y);
  void (*scale_halves)(const void* x, std::int64_t count, const HalfScale* by, void* y);

  static const ForwardRows& of_floats();
  /// For float32, float16 or bfloat16 where they lie; null where this processor or type has none.
  /// `past`: results go past the caches, to where cache lines begin.
  static const ForwardRows* in_place(aclDataType dtype, bool past);
  /// The same from x to y, that are arrays of one type or there are none. Stretches of so many
  /// elements are written at a time.
  static const ForwardRows* between(const RowMajorAccess& x, const RowMajorAccess& y,
                                    std::int64_t stretch);
};

}  // namespace pyaclnn::sim
