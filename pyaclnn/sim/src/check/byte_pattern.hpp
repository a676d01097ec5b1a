// Sets of bytes that strided views touch, and whether two of them meet.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/export.hpp"

namespace pyaclnn::sim {

/// `extent` repetitions, `stride` bytes apart; both are positive, and the extent is more than 1.
struct ByteAxis {
  std::int64_t stride = 0;
  std::int64_t extent = 0;
  bool operator==(const ByteAxis& other) const {
    return stride == other.stride && extent == other.extent;
  }
};

/// Runs of `run` bytes, repeated along the axes. Offsets count from the lowest byte.
class SIM_API BytePattern {
 public:
  BytePattern() = default;
  BytePattern(std::size_t bytes) : span_(std::int64_t(bytes)), run_(span_) {}
  /// What elements of `element` bytes touch; strides are in bytes, may be 0 or negative, and come
  /// in any order.
  BytePattern(std::vector<ByteAxis> axes, std::int64_t element);

  /// From the first to behind the last byte.
  std::int64_t span() const { return span_; }
  bool is_contiguous() const { return axes_.empty(); }
  bool operator==(const BytePattern& other) const {
    return run_ == other.run_ && axes_ == other.axes_;
  }

  /// Whether this pattern at address 0 and `other` at address `distance` have a byte in common.
  ///
  /// Exact for all layouts that tensors have in practice; where strides have so little to do with
  /// each other that the search does not end soon, the answer is that they do not meet.
  bool meets(const BytePattern& other, std::int64_t distance) const;

 private:
  std::int64_t span_ = 0;
  std::int64_t run_ = 0;
  std::vector<ByteAxis> axes_;  // the longest stride first
};

}  // namespace pyaclnn::sim
