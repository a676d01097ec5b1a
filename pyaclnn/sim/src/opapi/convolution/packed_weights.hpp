// The weights of a Gather as the left operand of products: for each group and piece of the depth a
// row for each result channel, kDepth apart.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/convolution/columns.hpp"
#include "opapi/convolution/sums.hpp"
#include "opapi/product/matrix.hpp"

namespace pyaclnn::sim {

class PackedWeights {
 public:
  /// `rows`: those of a group, whole tiles.
  PackedWeights(const GatherSums& sums, const Gather& gather, std::int64_t rows);

  /// The pieces that the depth, channels and their taps, is cut into.
  const std::vector<Lines>& lines() const { return lines_; }
  const float* of(std::int64_t group, std::size_t piece) const {
    return weights_.data() +
           (group * std::int64_t(lines_.size()) + std::int64_t(piece)) * rows_ * kDepth;
  }

 private:
  void pack(const GatherSums& sums, const Gather& gather, std::int64_t group, std::int64_t row);

  std::int64_t rows_;
  std::vector<Lines> lines_;
  FloatBuffer weights_;
};

}  // namespace pyaclnn::sim
