// Gradient of average pooling over one to three trailing axes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/axis_sums.hpp"
#include "opapi/pooling/window.hpp"

namespace pyaclnn::sim {

/// What a window's sum is divided by.
struct Divisor {
  bool include_padding = false;  // padding counts as elements; what a ceiled window has beyond not
  bool full_kernel = false;      // the kernel's size, whatever the window covers
  std::int64_t fixed = 0;        // this number, if it is not 0
};

/// The windows along an axis, with the weight of each place in them; that of all axes is their
/// product.
std::vector<Cover> covers_of(const Window& window, std::int64_t extent, std::int64_t count,
                             const Divisor& divisor, bool is_last);

/// Plans gradInput[x] = sum of gradOutput[o] / divisor(o) over the windows o that cover x.
void launch_avg_pool_grad(Plan& plan, const TensorArgument& grad_output,
                          const TensorArgument& grad_input, const std::vector<Window>& windows,
                          const Divisor& divisor, const AxisSumOptions& options = {});

/// The same for adaptive pooling: window o of n on an axis of extent m covers the places from
/// floor(o * m / n) to ceil((o + 1) * m / n).
void launch_adaptive_avg_pool_grad(Plan& plan, const TensorArgument& grad_output,
                                   const TensorArgument& grad_input, std::size_t axes);

}  // namespace pyaclnn::sim
