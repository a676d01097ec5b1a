// A convolution's tensors as arrays of floats.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "objects/prepared_call.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/common/scratch.hpp"
#include "opapi/convolution/convolution.hpp"

namespace pyaclnn::sim {

/// A view with its three axes in reverse order: ConvTbc's weight as others have it.
View reversed_axes(View view);

/// An operand, rounded as the matrix unit does.
class SourceArray {
 public:
  /// A tensor whose positions are its first axis, of `turned` elements, is turned so that they are
  /// the last.
  SourceArray(const RowMajor& layout, const KernelMemory& memory, CubePrecision precision,
              std::int64_t turned = 1);

  const float* values() const { return values_; }

 private:
  Scratch<float> copy_;
  const float* values_ = nullptr;
};

/// A result, written to its tensor at the end.
class ResultArray {
 public:
  ResultArray(const RowMajor& layout, const KernelMemory& memory, std::int64_t turned = 1);

  float* values() const { return values_; }
  /// Whether the values are those of the tensor, and need not be written.
  bool is_in_place() const { return !copy_; }
  /// Writes some values to the tensor, that were not among values().
  void take(std::int64_t position, std::int64_t count, const float* values) const {
    access_.write(position, count, values);
  }
  /// Rounds the values to float16 or bfloat16; they stay as they are for other types.
  void round(aclDataType type);
  void write();

 private:
  std::int64_t count_;
  std::int64_t turned_;
  RowMajorAccess access_;
  Scratch<float> copy_;
  float* values_;
};

}  // namespace pyaclnn::sim
