// What the passes over channels do with rows of them, with the same bits in every way: sums in
// float64, for what they are subtracted from later has most of its digits in common with them, and
// a linear map, in float64 for elements of float32 and in float32 for those of 16 bits.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "acl/acl_base.h"

namespace pyaclnn::sim {

/// What the rows of following channels are multiplied with.
struct RowFactors {
  const double* mean;
  const double* grad;
  const double* x;
  const double* constant;
};

/// Loops over rows, one behind the other, of elements of one type.
struct ChannelLoops {
  /// Adds to `sums` two of each row.
  void (*sums)(const void* grad, const void* x, std::int64_t rows, std::int64_t count,
               const double* means, double* sums);
  void (*map)(const void* grad, const void* x, std::int64_t x_step, std::int64_t rows,
              std::int64_t count, const RowFactors* factors, void* out);

  /// For elements converted to float32 from what `dtype` says.
  static const ChannelLoops& of_floats(aclDataType dtype);
  /// For float32, float16 or bfloat16 where they lie; null where this processor or type has none.
  static const ChannelLoops* in_place(aclDataType dtype);
};

}  // namespace pyaclnn::sim
