// Normalisations over groups and batches of channels whose results are quantised.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/norm/norm.hpp"
#include "opapi/pointwise/math.hpp"
#include "opapi/quant/sources.hpp"
#include "parameters/GroupNormSiluQuant.hpp"
#include "parameters/QuantizedBatchNorm.hpp"

namespace pyaclnn::sim {
namespace {

/// A factor of a channel; `otherwise` where there is none, and the first where there is but one.
float of_channel(const RowMajor& factors, const KernelMemory& memory, std::int64_t channel,
                 float otherwise) {
  if (!factors.given()) return otherwise;
  float value = 0;
  return *RowMajorAccess(factors, memory).read(factors.count() == 1 ? 0 : channel, 1, &value);
}

/// Groups of channels less their mean over their deviation, times gamma, plus beta, times their
/// sigmoid, over a scale: each a row.
struct SiluGroups {
  std::int64_t groups, channels, plane;  // channels of a group, and elements of one
  float epsilon;
  RowMajor x, gamma, beta, scale;
  RowMajor mean, inverse;  // outputs

  void operator()(const KernelMemory& memory, const RowPlace& place, float* to) const {
    const std::int64_t width = channels * plane;
    const float* const from = RowMajorAccess(x, memory).read(place.row * width, width, to);
    double total = 0, squares = 0;
    for (std::int64_t i = 0; i < width; ++i) total += double(from[i]);
    const double middle = total / double(width);
    for (std::int64_t i = 0; i < width; ++i)
      squares += (double(from[i]) - middle) * (double(from[i]) - middle);
    const auto average = float(middle);
    const float factor = 1.0f / std::sqrt(float(squares / double(width)) + epsilon);
    RowMajorAccess(mean, memory).write(place.row, 1, &average);
    RowMajorAccess(inverse, memory).write(place.row, 1, &factor);
    for (std::int64_t c = 0; c < channels; ++c) {
      const std::int64_t channel = place.row % groups * channels + c;
      const float times = factor * of_channel(gamma, memory, channel, 1);
      const float plus = -times * average + of_channel(beta, memory, channel, 0);
      const float step = 1.0f / of_channel(scale, memory, channel, 1);
      for (std::int64_t i = c * plane; i < (c + 1) * plane; ++i) {
        const float value = from[i] * times + plus;
        to[i] = value / (1.0f + m::exp(-value)) * step;
      }
    }
  }
};

/// Channels of numbers less their zero point, as a line of each: times `factor`, plus `shift`.
struct Channels {
  std::int64_t channels, plane;
  float epsilon, scale_in, zero_in, scale_out, zero_out;
  RowMajor x, mean, variance, weight, bias;

  void operator()(const KernelMemory& memory, const RowPlace& place, float* to) const {
    const std::int64_t channel = place.row % channels;
    const float* const from = RowMajorAccess(x, memory).read(place.row * plane, plane, to);
    const float slope = of_channel(weight, memory, channel, 1) /
                        std::sqrt(of_channel(variance, memory, channel, 1) + epsilon);
    const float factor = slope * (scale_in / scale_out);
    const float shift =
        (-slope * of_channel(mean, memory, channel, 0) + of_channel(bias, memory, channel, 0)) *
        (1.0f / scale_out);
    for (std::int64_t i = 0; i < plane; ++i)
      to[i] = (from[i] + -zero_in) * factor + shift + zero_out;
  }
};

}  // namespace

void group_norm_silu_quant(const Check&, Plan& plan, const GroupNormSiluQuantParameters& given) {
  if (given.self.is_empty()) {
    launch_fill(plan, given.meanOut, 0.0f);
    launch_fill(plan, given.rstdOut, std::numeric_limits<float>::quiet_NaN());
    return;
  }
  needs_kernel(plan, on_a2_or_a3());
  const TensorArgument& x = given.self;
  for (const TensorArgument* tensor : {&given.gamma, &given.beta})
    check_tiling(plan, !tensor->given() || tensor->dtype() == x.dtype(),
                 "%s is of another type than self", tensor->name());
  SiluGroups source;
  source.groups = given.group;
  source.channels = x.shape()[1] / given.group;
  source.plane = x.elements() / x.shape().product(0, 2);
  source.epsilon = float(given.eps);
  source.x = read_rows(plan, x);
  source.gamma = read_rows(plan, given.gamma);
  source.beta = read_rows(plan, given.beta);
  source.scale = read_rows(plan, given.quantScale);
  source.mean = RowMajor(plan.writes(given.meanOut));
  source.inverse = RowMajor(plan.writes(given.rstdOut));
  QuantRowsCall call;
  call.width = source.channels * source.plane;
  call.rows = x.elements() / call.width;
  call.source = std::move(source);
  const QuantOut out(plan, given.out);
  RowQuantiser quantiser;
  quantiser.by = ACL_FLOAT16;
  quantiser.out = out;
  call.stores.push_back(std::move(quantiser));
  quantise_rows(plan, std::move(call));
}

void quantized_batch_norm(const Check&, Plan& plan, const QuantizedBatchNormParameters& given) {
  const TensorArgument& x = given.input;
  check_inside(plan, given.output.dtype() == x.dtype(), "output is of another type than input");
  Channels source;
  source.channels = x.shape()[1];
  source.plane = x.shape().product(2, 4);
  source.epsilon = given.epsilon;
  source.scale_in = given.inputScale->to_float();
  source.zero_in = given.inputZeroPoint->to_float();
  source.scale_out = given.outputScale->to_float();
  source.zero_out = given.outputZeroPoint->to_float();
  source.x = read_rows(plan, x);
  source.mean = read_rows(plan, given.mean);
  source.variance = read_rows(plan, given.var);
  source.weight = read_rows(plan, given.weight);
  source.bias = read_rows(plan, given.bias);
  QuantRowsCall call;
  call.width = source.plane;
  call.rows = x.elements() / source.plane;
  call.source = std::move(source);
  RowQuantiser quantiser;
  quantiser.round = Round::kRound;
  quantiser.out = QuantOut(plan, given.output, true);
  call.stores.push_back(std::move(quantiser));
  quantise_rows(plan, std::move(call));
}

}  // namespace pyaclnn::sim
