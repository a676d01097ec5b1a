// Sixteen neighbouring places of a row at a time, each a weighted sum of a few elements that lie
// near one another: as enlarging and filtering have it. With AVX-512 only.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace pyaclnn::sim {

class RowTaps {
 public:
  static constexpr std::int64_t kPlaces = 16;
  static constexpr std::int64_t kMostTaps = 4;

  static bool supported();

  /// Adds a block, whose places have `taps` terms each, one place behind the other; false if their
  /// sources lie too far apart.
  bool add(const std::int32_t* sources, const double* weights, std::int64_t taps);
  /// Blocks so far.
  std::int64_t count() const { return std::int64_t(blocks_.size()); }

  /// Blocks [first, last) of a row with `length` elements, to neighbouring places. One term is
  /// multiplied, more are added to 0 in their order.
  void run(std::int64_t first, std::int64_t last, const float* in, std::int64_t length,
           float* out) const;

 private:
  struct Block {
    std::int64_t base;  // of the sources
    std::int64_t taps;
    std::int64_t at;  // of the first source and weight
  };

  std::vector<Block> blocks_;
  std::vector<std::int32_t> sources_;  // relative to the base, tap by tap
  std::vector<float> weights_;
};

}  // namespace pyaclnn::sim
