// SPDX-License-Identifier: MIT
#include <utility>

#include "core/thread_pool.hpp"
#include "opapi/common/as_stored.hpp"
#include "opapi/convolution/convolution.hpp"
#include "opapi/convolution/operands.hpp"
#include "opapi/convolution/sums.hpp"

namespace pyaclnn::sim {
namespace {

void add_bias(const ConvolutionSum& sum, const KernelMemory& memory, std::int64_t plane,
              float* result) {
  if (!sum.bias.given()) return;
  std::vector<float> bias = RowMajorAccess(sum.bias, memory).values();
  for (float& value : bias) value = as_stored(value, sum.bias_type);
  const auto channels = std::int64_t(bias.size());
  parallel_for(sum.samples * channels, 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const float value = bias[std::size_t(i % channels)];
      for (std::int64_t k = 0; k < plane; ++k) result[i * plane + k] += value;
    }
  });
}

void run(const ConvolutionSum& sum, const KernelMemory& memory) {
  const ConvolutionWindow& window = sum.window;
  const Extents3& from = sum.to_image ? window.positions : window.image;
  const Extents3& to = sum.to_image ? window.image : window.positions;
  const SourceArray source(sum.source, memory, sum.precision, sum.time_first ? from[2] : 1);
  const SourceArray weight(sum.weight, memory, sum.precision);
  ResultArray result(sum.result, memory, sum.time_first ? to[2] : 1);
  const SumChannels channels{sum.samples, sum.groups, sum.image_channels, sum.position_channels};
  GatherSums sums =
      sum.to_image ? sums_to_image(window, channels) : sums_to_positions(window, channels);
  sums.source = source.values();
  sums.weight = weight.values();
  sums.result = result.values();
  gather(sums);
  add_bias(sum, memory, product(to), result.values());
  result.round(sum.gives);
  result.write();
}

}  // namespace

void launch_convolution_sum(Plan& plan, ConvolutionSum sum) {
  plan.launch([sum = std::move(sum)](const KernelMemory& memory) { run(sum, memory); });
}

}  // namespace pyaclnn::sim
