// What a forward normalisation with statistics for each channel does.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "opapi/norm/channel_pass.hpp"

namespace pyaclnn::sim {

/// One number for each channel, in float64.
struct ChannelMoments {
  std::vector<double> mean;
  std::vector<double> variance;
};

ChannelMoments channel_moments(const ChannelShape& shape, const RowMajorAccess& x);

/// out = (x - mean) factor + summand. `of_halves`: x is of float16 or bfloat16.
struct ChannelScale {
  std::vector<double> mean;
  std::vector<double> factor;
  std::vector<double> summand;
  bool of_halves = false;
};

void channel_scale(const ChannelShape& shape, const RowMajorAccess& x, const ChannelScale& scale,
                   const RowMajorAccess& out);

}  // namespace pyaclnn::sim
