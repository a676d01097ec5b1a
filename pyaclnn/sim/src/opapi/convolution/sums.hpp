// The sums that a convolution's gradients are made of, over arrays of floats. How they are shared
// out does not depend on the number of threads, so neither do the results.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/function_ref.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/convolution/window.hpp"

namespace pyaclnn::sim {

/// Rounded down; b is positive.
inline std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// Takes `count` values of a result from `position` on; from any thread.
using TakeValues =
    FunctionRef<void(std::int64_t position, std::int64_t count, const float* values)>;

/// result[n, g, r, p] = bias[g, r] + sum over s and taps of weight[g, r, s, tap]
/// source[n, g, s, what tap sees].
struct GatherSums {
  std::vector<Gather> parts;  // which cover the result together
  std::int64_t samples;
  std::int64_t groups;
  std::int64_t sources;  // channels of a group
  std::int64_t results;  // channels of a group
  const float* source;
  const float* weight;
  std::int64_t weight_group;   // from one group's weights to the next's
  std::int64_t weight_source;  // from one source channel's to the next's
  std::int64_t weight_result;  // from one result channel's to the next's
  float* result;
  // For gather_shifted() and gather_depthwise() the source may be of another type, converted where
  // it is copied.
  LoadFn load = nullptr;
  const std::byte* unconverted = nullptr;
  std::int64_t unconverted_size = 0;  // of an element
  const float* bias = nullptr;        // of each result channel, if there is one
  bool of_pairs = false;              // sources and weights are pairs, for pair_products()

  std::int64_t source_plane() const { return product(parts[0].source); }
  std::int64_t result_plane() const { return product(parts[0].result); }
  /// What is added to sums of a result channel of all groups. Of zero it would be their sign.
  float bias_of(std::int64_t channel) const { return bias == nullptr ? -0.0f : bias[channel]; }
};

/// weight[g, r, s, tap] = sum over n and p of result[n, g, r, p] source[n, g, s, what tap sees].
struct WeightSums {
  Gather gather;
  std::int64_t samples;
  std::int64_t groups;
  std::int64_t sources;
  std::int64_t results;
  const float* source;
  const float* result;
  float* weight;
  bool of_bfloat16 = false;  // sources and results are numbers that bfloat16 has

  std::int64_t taps() const { return std::int64_t(gather.taps.size()); }
  std::int64_t source_plane() const { return product(gather.source); }
  std::int64_t result_plane() const { return product(gather.result); }
};

/// From image to positions, or back. The weights are (groups * position channels, image channels,
/// taps); `source` and `result` are arrays of whole samples.
struct SumChannels {
  std::int64_t samples;
  std::int64_t groups;
  std::int64_t image;      // of a group
  std::int64_t positions;  // of a group
};
GatherSums sums_to_positions(const ConvolutionWindow& window, const SumChannels& channels);
GatherSums sums_to_image(const ConvolutionWindow& window, const SumChannels& channels);

/// Sums in whichever way is faster.
void gather(const GatherSums& sums);

void gather_by_products(const GatherSums& sums);
void weight_by_products(const WeightSums& sums);

// For rows that are long beside the kernel; without unfolding.
bool is_shifted(const GatherSums& sums);
void gather_shifted(const GatherSums& sums);
/// The same for a result that is handed on in place of being written.
void gather_shifted(const GatherSums& sums, TakeValues take);

// For so few channels that most of a product's tile would be empty; row by row, without tiles.
bool is_narrow(const GatherSums& sums);
bool is_narrow(const WeightSums& sums);
void gather_narrow(const GatherSums& sums);
void weight_narrow(const WeightSums& sums);

// For one channel by itself, of small planes.
bool is_depthwise(const GatherSums& sums);
bool is_depthwise(const WeightSums& sums);
void gather_depthwise(const GatherSums& sums);
void gather_depthwise(const GatherSums& sums, TakeValues take);
void weight_depthwise(const WeightSums& sums);

/// Tasks to share out a kernel in.
constexpr std::int64_t kTasks = 16;

}  // namespace pyaclnn::sim
