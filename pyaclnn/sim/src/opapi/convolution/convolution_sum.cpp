// SPDX-License-Identifier: MIT
#include <utility>
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/common/as_stored.hpp"
#include "opapi/convolution/channel_pairs.hpp"
#include "opapi/convolution/convolution.hpp"
#include "opapi/convolution/operands.hpp"
#include "opapi/convolution/sums.hpp"
#include "opapi/product/pairs.hpp"

namespace pyaclnn::sim {
namespace {

/// Rounded to its type; empty where there is none.
std::vector<float> bias_of(const ConvolutionSum& sum, const KernelMemory& memory) {
  if (!sum.bias.given()) return {};
  std::vector<float> bias = RowMajorAccess(sum.bias, memory).values();
  for (float& value : bias) value = as_stored(value, sum.bias_type);
  return bias;
}

/// Sums into a result, which is written to its tensor.
void sum_up(const ConvolutionSum& sum, const GatherSums& sums, ResultArray& result) {
  // Converted while it is in the caches.
  const bool hands_on = !result.is_in_place() && sum.gives == ACL_FLOAT && !sum.time_first;
  const bool is_by_plane = hands_on && is_depthwise(sums);
  if (is_by_plane || (hands_on && is_shifted(sums))) {
    const auto take = [&](std::int64_t position, std::int64_t count, const float* values) {
      result.take(position, count, values);
    };
    return is_by_plane ? gather_depthwise(sums, take) : gather_shifted(sums, take);
  }
  gather(sums);
  result.round(sum.gives);
  result.write();
}

GatherSums sums_of(const ConvolutionSum& sum, std::int64_t pair) {
  SumChannels channels{sum.samples, sum.groups, sum.image_channels, sum.position_channels};
  std::int64_t& summed = sum.to_image ? channels.positions : channels.image;
  summed = ceil_divide(summed, pair);
  return sum.to_image ? sums_to_image(sum.window, channels)
                      : sums_to_positions(sum.window, channels);
}

/// Whether bfloat16 is multiplied as it is, two channels at a time.
bool takes_pairs(const ConvolutionSum& sum, const GatherSums& sums) {
  const bool is_plain = sum.precision == CubePrecision::kKeep && !sum.time_first;
  return is_plain && pair_products() != nullptr && sum.source.dtype() == ACL_BF16 &&
         sum.weight.dtype() == ACL_BF16 && sums.sources > 1 && !is_narrow(sums);
}

void sum_pairs(const ConvolutionSum& sum, const KernelMemory& memory, GatherSums sums,
               ResultArray& result) {
  sums.of_pairs = true;
  const std::int64_t taps = product(sum.window.taps);
  const std::int64_t summed = sum.to_image ? sum.position_channels : sum.image_channels;
  const auto source = channel_pairs(RowMajorAccess(sum.source, memory), sum.samples * sum.groups,
                                    summed, sums.source_plane());
  const RowMajorAccess weights(sum.weight, memory);
  const auto weight =
      sum.to_image ? channel_pairs(weights, sum.groups, summed, sum.image_channels * taps)
                   : channel_pairs(weights, sum.groups * sum.position_channels, summed, taps);
  sums.source = source.data();
  sums.weight = weight.data();
  sum_up(sum, sums, result);
}

void sum_floats(const ConvolutionSum& sum, const KernelMemory& memory, GatherSums sums,
                ResultArray& result) {
  const SourceArray weight(sum.weight, memory, sum.precision);
  sums.weight = weight.values();
  const aclDataType type = sum.source.array_type();
  const bool is_short = is_16_bit_float(type);
  if (is_short && sum.precision == CubePrecision::kKeep && !sum.time_first &&
      (is_depthwise(sums) || is_shifted(sums))) {
    sums.load = loader<float>(type);
    sums.unconverted = RowMajorAccess(sum.source, memory).place(0);
    sums.unconverted_size = sizeof(std::uint16_t);
    return sum_up(sum, sums, result);
  }
  const Extents3& from = sum.to_image ? sum.window.positions : sum.window.image;
  const SourceArray source(sum.source, memory, sum.precision, sum.time_first ? from[2] : 1);
  sums.source = source.values();
  sum_up(sum, sums, result);
}

}  // namespace

void run_convolution_sum(const ConvolutionSum& sum, const KernelMemory& memory) {
  const Extents3& to = sum.to_image ? sum.window.image : sum.window.positions;
  ResultArray result(sum.result, memory, sum.time_first ? to[2] : 1);
  const std::vector<float> bias = bias_of(sum, memory);
  GatherSums sums = sums_of(sum, 1);
  const bool pairs = takes_pairs(sum, sums);
  if (pairs) sums = sums_of(sum, 2);
  sums.bias = bias.empty() ? nullptr : bias.data();
  sums.result = result.values();
  pairs ? sum_pairs(sum, memory, sums, result) : sum_floats(sum, memory, sums, result);
}

void launch_convolution_sum(Plan& plan, ConvolutionSum sum) {
  plan.launch(
      [sum = std::move(sum)](const KernelMemory& memory) { run_convolution_sum(sum, memory); });
}

}  // namespace pyaclnn::sim
