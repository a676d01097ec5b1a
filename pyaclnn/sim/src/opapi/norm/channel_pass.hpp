// The two passes of a normalisation with statistics for each channel: sums, then a linear map.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/row_major.hpp"

namespace pyaclnn::sim {

/// A tensor as [outer, channels, inner], row-major.
struct ChannelShape {
  std::int64_t outer = 1;
  std::int64_t channels = 1;
  std::int64_t inner = 1;

  std::int64_t elements() const { return outer * channels * inner; }
  /// Elements that share a channel.
  std::int64_t per_channel() const { return outer * inner; }
};

/// A tensor so, [N, C, ...] by default.
ChannelShape channel_shape(const Dims& shape, std::size_t axis = 1);

/// Sums over each channel.
struct ChannelSums {
  std::vector<double> grad;           // of grad
  std::vector<double> grad_centered;  // of grad (x - mean)
};

ChannelSums channel_sums(const ChannelShape& shape, const RowMajorAccess& grad,
                         const RowMajorAccess& x, const std::vector<double>& mean);

/// out = grad_factor grad + x_factor (x - mean) + constant, each factor a value for each channel.
struct ChannelMap {
  std::vector<double> mean;
  std::vector<double> grad_factor;
  std::vector<double> x_factor;
  std::vector<double> constant;
  bool uses_x = true;  // otherwise x is not read: an infinite one does not matter

  explicit ChannelMap(std::size_t channels)
      : mean(channels), grad_factor(channels), x_factor(channels), constant(channels) {}
};

void channel_apply(const ChannelShape& shape, const RowMajorAccess& grad, const RowMajorAccess& x,
                   const ChannelMap& map, const RowMajorAccess& out);

}  // namespace pyaclnn::sim
