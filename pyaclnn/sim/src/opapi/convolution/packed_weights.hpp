// The weights of a Gather as the left operand of products: for each group and piece of the depth a
// row for each result channel.
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
  /// When they are packed. But with kAlways, they stay where they are if they lie as they should.
  enum class When { kAlways, kAtOnce, kByUser };

  /// `rows`: those of a group, whole tiles.
  PackedWeights(const GatherSums& sums, const Gather& gather, std::int64_t rows, When when);

  /// The pieces that the depth, channels and their taps, is cut into.
  const std::vector<Lines>& lines() const { return lines_; }
  const float* of(std::int64_t group, std::size_t piece) const {
    if (lie_) {
      const Lines& first = lines_[piece];
      return sums_.weight + group * sums_.weight_group + first.channel * sums_.weight_source +
             first.tap;
    }
    return weights_.data() +
           (group * std::int64_t(lines_.size()) + std::int64_t(piece)) * rows_ * kDepth;
  }
  /// From one row to the next.
  std::int64_t step() const { return lie_ ? sums_.weight_result : kDepth; }
  bool are_packed_by_user() const { return !lie_ && when_ == When::kByUser; }
  /// Packs rows of a piece; `to` is the place of row 0.
  void pack(std::int64_t group, std::size_t piece, std::int64_t first, std::int64_t end,
            float* to) const;

 private:
  bool lie_in_order() const;

  const GatherSums& sums_;
  const Gather& gather_;
  std::int64_t rows_;
  When when_;
  std::vector<Lines> lines_;
  bool lie_;
  FloatBuffer weights_;
};

}  // namespace pyaclnn::sim
