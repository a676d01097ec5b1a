// SPDX-License-Identifier: MIT
#include "opapi/convolution/sums.hpp"

namespace pyaclnn::sim {

GatherSums sums_to_positions(const ConvolutionWindow& window, const SumChannels& channels) {
  const std::int64_t taps = product(window.taps);
  GatherSums sums{};
  sums.samples = channels.samples;
  sums.groups = channels.groups;
  sums.parts = {gather_positions(window)};
  sums.sources = channels.image;
  sums.results = channels.positions;
  sums.weight_group = channels.positions * channels.image * taps;
  sums.weight_source = taps;
  sums.weight_result = channels.image * taps;
  return sums;
}

GatherSums sums_to_image(const ConvolutionWindow& window, const SumChannels& channels) {
  const std::int64_t taps = product(window.taps);
  GatherSums sums{};
  sums.samples = channels.samples;
  sums.groups = channels.groups;
  sums.parts = gather_image(window);
  sums.sources = channels.positions;
  sums.results = channels.image;
  sums.weight_group = channels.positions * channels.image * taps;
  sums.weight_source = channels.image * taps;
  sums.weight_result = taps;
  return sums;
}

void gather(const GatherSums& sums) {
  if (is_depthwise(sums)) return gather_depthwise(sums);
  if (is_shifted(sums)) return gather_shifted(sums);
  is_narrow(sums) ? gather_narrow(sums) : gather_by_products(sums);
}

}  // namespace pyaclnn::sim
