// SPDX-License-Identifier: MIT
#include "opapi/norm/batch_norm_gradient.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/norm/norm.hpp"

namespace pyaclnn::sim {
namespace {

std::vector<double> values(const RowMajor& operand, const KernelMemory& memory) {
  const std::vector<float> read = RowMajorAccess(operand, memory).values();
  return {read.begin(), read.end()};
}

/// The same of an operand that need not be given.
std::vector<double> values(const RowMajor& operand, const KernelMemory& memory, std::size_t count,
                           double otherwise) {
  return operand.given() ? values(operand, memory) : std::vector<double>(count, otherwise);
}

void write(const RowMajor& out, const KernelMemory& memory, const std::vector<double>& sums) {
  if (!out.given()) return;
  const std::vector<float> result(sums.begin(), sums.end());
  RowMajorAccess(out, memory).write(0, out.count(), result.data());
}

}  // namespace

void BatchNormGradient::run(const KernelMemory& memory) const {
  const auto channels = static_cast<std::size_t>(shape.channels);
  const std::vector<double> means = values(mean, memory, channels, 0.0);
  std::vector<double> invstd = values(spread, memory, channels, 1.0);
  if (!spread_is_invstd) {
    for (double& value : invstd) value = 1.0 / std::sqrt(value + double(eps));
  }
  const std::vector<double> weights = values(weight, memory, channels, 1.0);
  const RowMajorAccess grads(grad, memory);
  const RowMajorAccess inputs(input, memory);

  const bool needs_sums = grad_weight.given() || grad_bias.given() || training;
  ChannelSums sums;
  if (needs_sums) sums = channel_sums(shape, grads, inputs, means);
  if (grad_input.given()) {
    ChannelMap map(channels);
    map.uses_x = training;
    const auto count = double(shape.per_channel());
    for (std::size_t c = 0; c < channels; ++c) {
      map.grad_factor[c] = weights[c] * invstd[c];
      if (!training) continue;
      map.mean[c] = means[c];
      map.x_factor[c] =
          -map.grad_factor[c] * (invstd[c] * invstd[c]) * (sums.grad_centered[c] / count);
      map.constant[c] = -map.grad_factor[c] * (sums.grad[c] / count);
    }
    channel_apply(shape, grads, inputs, map, RowMajorAccess(grad_input, memory));
  }
  for (std::size_t c = 0; c < sums.grad_centered.size(); ++c) sums.grad_centered[c] *= invstd[c];
  write(grad_weight, memory, sums.grad_centered);
  write(grad_bias, memory, sums.grad);
}

void BatchNormSums::run(const KernelMemory& memory) const {
  const ChannelSums sums = channel_sums(shape, RowMajorAccess(grad, memory),
                                        RowMajorAccess(input, memory), values(mean, memory));
  const std::vector<double> scale = values(invstd, memory);
  std::vector<double> scaled(sums.grad_centered);
  for (std::size_t c = 0; c < scaled.size(); ++c) scaled[c] *= scale[c];
  write(sum_dy, memory, sums.grad);
  write(sum_dy_xmu, memory, sums.grad_centered);
  write(grad_weight, memory, scaled);
  write(grad_bias, memory, sums.grad);
}

void BatchNormOfSums::run(const KernelMemory& memory) const {
  const auto channels = static_cast<std::size_t>(shape.channels);
  const std::vector<double> counts = values(counter, memory);
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  ChannelMap map(channels);
  map.mean = values(mean, memory);
  const std::vector<double> scale = values(invstd, memory);
  const std::vector<double> dy = values(sum_dy, memory);
  const std::vector<double> dy_xmu = values(sum_dy_xmu, memory);
  const std::vector<double> weights = values(weight, memory, channels, 1.0);
  for (std::size_t c = 0; c < channels; ++c) {
    map.grad_factor[c] = scale[c] * weights[c];
    map.x_factor[c] = -map.grad_factor[c] * (scale[c] * scale[c] * (dy_xmu[c] / total));
    map.constant[c] = -map.grad_factor[c] * (dy[c] / total);
  }
  channel_apply(shape, RowMajorAccess(grad, memory), RowMajorAccess(input, memory), map,
                RowMajorAccess(grad_input, memory));
}

std::size_t batch_norm_axis(const TensorArgument& input) {
  const aclFormat format = input.meta().format;
  const bool last = on_950() && (format == ACL_FORMAT_NHWC || format == ACL_FORMAT_NDHWC);
  return last ? input.rank() - 1 : 1;
}

RowMajor channel_input(Plan& plan, const TensorArgument& tensor, std::int64_t channels) {
  if (tensor.given() && tensor.elements() != channels)
    fail(ACLNN_ERR_INNER_NULLPTR,
         "%s: %s has shape %s, it must have a value for each channel: %lld", plan.api(),
         tensor.name(), tensor.shape().text().c_str(), static_cast<long long>(channels));
  stage_as_float(plan, tensor);
  return row_major_input(plan, tensor);
}

void require_shape(const Plan& plan, const TensorArgument& tensor, const Dims& shape) {
  if (tensor.shape() != shape)
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: %s has shape %s, it must be %s", plan.api(), tensor.name(),
         tensor.shape().text().c_str(), shape.text().c_str());
}

}  // namespace pyaclnn::sim
