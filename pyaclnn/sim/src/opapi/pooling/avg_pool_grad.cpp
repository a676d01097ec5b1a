// SPDX-License-Identifier: MIT
#include "opapi/pooling/avg_pool_grad.hpp"

#include <algorithm>
#include <utility>

#include "opapi/common/as_stored.hpp"

namespace pyaclnn::sim {

std::vector<Cover> covers_of(const Window& window, std::int64_t extent, std::int64_t count,
                             const Divisor& divisor, bool is_last) {
  std::vector<Cover> covers;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t start = window.start(i);
    const std::int64_t padded_end = std::min(start + window.kernel, extent + window.padding);
    const std::int64_t begin = std::max<std::int64_t>(start, 0);
    const std::int64_t end = std::min(start + window.kernel, extent);
    const std::int64_t elements = divisor.fixed != 0        ? 1
                                  : divisor.full_kernel     ? window.kernel
                                  : divisor.include_padding ? padded_end - start
                                                            : end - begin;
    covers.push_back({begin, end, 1.0 / double(elements)});
    // A divisor for all axes counts once.
    if (divisor.fixed != 0 && is_last) covers.back().weight = 1.0 / double(divisor.fixed);
  }
  return covers;
}

void launch_avg_pool_grad(Plan& plan, const TensorArgument& grad_output,
                          const TensorArgument& grad_input, const std::vector<Window>& windows,
                          const Divisor& divisor, const AxisSumOptions& options) {
  std::vector<AxisMap> maps;
  const std::size_t leading = grad_input.rank() - windows.size();
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const std::int64_t extent = grad_input.shape()[leading + i];
    const bool is_last = i + 1 == windows.size();
    const auto covers =
        covers_of(windows[i], extent, grad_output.shape()[leading + i], divisor, is_last);
    maps.push_back(cover_map(extent, covers));
  }
  launch_axis_sums(plan, grad_output, grad_input, std::move(maps), options);
}

void launch_adaptive_avg_pool_grad(Plan& plan, const TensorArgument& grad_output,
                                   const TensorArgument& grad_input, std::size_t axes) {
  const std::size_t leading = grad_input.rank() - axes;
  const auto size = [&](const TensorArgument& tensor) {
    std::int64_t product = 1;
    for (std::size_t i = leading; i < tensor.rank(); ++i) product *= tensor.shape()[i];
    return product;
  };
  // CANN multiplies by the reciprocal as a tensor here, and rounds that to the tensor's type.
  const bool is_global = size(grad_output) == 1;
  const double reciprocal = as_stored(float(1.0 / double(size(grad_input))), grad_input.dtype());
  std::vector<AxisMap> maps;
  for (std::size_t i = leading; i < grad_input.rank(); ++i) {
    const std::int64_t extent = grad_input.shape()[i];
    std::vector<Cover> covers = adaptive_covers(extent, grad_output.shape()[i]);
    if (is_global) covers[0].weight = i + 1 == grad_input.rank() ? reciprocal : 1.0;
    maps.push_back(cover_map(extent, covers));
  }
  launch_axis_sums(plan, grad_output, grad_input, std::move(maps));
}

}  // namespace pyaclnn::sim
