// SPDX-License-Identifier: MIT
#include "opapi/norm/group_norm_kernel.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/norm/channel_pass.hpp"
#include "opapi/norm/row_norm.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 1024;     // elements held converted at a time
constexpr std::int64_t kPiece = 32768;    // elements worth a hand-over to another thread
constexpr std::int64_t kSmallPlane = 16;  // smaller ones are rows of several channels

/// Values of each (sample, channel) and of each channel, as the passes take them.
struct Statistics {
  std::vector<double> mean;
  std::vector<double> rstd;
  std::vector<double> gamma;

  Statistics(const GroupNorm& norm, const KernelMemory& memory)
      : mean(std::size_t(norm.samples * norm.channels)),
        rstd(mean.size()),
        gamma(std::size_t(norm.channels), 1.0) {
    const std::vector<float> means = RowMajorAccess(norm.mean, memory).values();
    const std::vector<float> rstds = RowMajorAccess(norm.rstd, memory).values();
    const auto per_group = static_cast<std::size_t>(norm.channels / norm.groups);
    for (std::size_t group = 0; group < means.size(); ++group) {
      std::fill_n(&mean[group * per_group], per_group, double(means[group]));
      std::fill_n(&rstd[group * per_group], per_group, double(rstds[group]));
    }
    if (!norm.gamma.given()) return;
    const std::vector<float> gammas = RowMajorAccess(norm.gamma, memory).values();
    gamma.assign(gammas.begin(), gammas.end());
  }
};

/// What the values of one (sample, channel) have in common.
struct SwishRow {
  double mean;
  double factor;
  double beta;
  double scale;
};

/// out = g d/dy (y sigmoid(scale y)) at y = (x - mean) factor + beta. In double precision, for the
/// two summands of the derivative nearly cancel around its zero.
struct SwishGradient {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* g, const float* x, std::int64_t count,
                                    const SwishRow* row, float* out) {
    const SwishRow constant = *row;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) {
      const double y = (double(x[i]) - constant.mean) * constant.factor + constant.beta;
      const double scaled = constant.scale * y;
      // Beyond 700 the sigmoid is 0 or 1 to all digits; written so that NaN stays NaN.
      const double low = scaled < -700.0 ? -700.0 : scaled;
      const double bounded = low > 700.0 ? 700.0 : low;
      const double sigmoid = 1.0 / (1.0 + vec::exp_double(-bounded));
      out[i] = static_cast<float>(double(g[i]) * sigmoid * (1.0 + scaled * (1.0 - sigmoid)));
    }
  }
};

/// The gradient by the input of the swish, out = y sigmoid(scale y).
std::vector<float> swish_gradient(const GroupNorm& norm, const KernelMemory& memory) {
  const Statistics statistics(norm, memory);
  const std::vector<float> betas = RowMajorAccess(norm.beta, memory).values();
  const RowMajorAccess grad(norm.grad, memory);
  const RowMajorAccess x(norm.x, memory);
  std::vector<float> result(std::size_t(norm.samples * norm.channels * norm.plane));
  const std::int64_t grain = std::max<std::int64_t>(1, kPiece / norm.plane);
  const auto swish = loop_for_cpu<SwishGradient, const float*, const float*, std::int64_t,
                                  const SwishRow*, float*>();
  parallel_for(norm.samples * norm.channels, grain, [&](std::int64_t begin, std::int64_t end) {
    alignas(64) float grads[kBlock];
    alignas(64) float xs[kBlock];
    for (std::int64_t row = begin; row < end; ++row) {
      const auto channel = std::size_t(row % norm.channels);
      const double factor = statistics.rstd[std::size_t(row)] * statistics.gamma[channel];
      const double mean = statistics.mean[std::size_t(row)];
      for (std::int64_t at = 0; at < norm.plane; at += kBlock) {
        const std::int64_t count = std::min(kBlock, norm.plane - at);
        const std::int64_t position = row * norm.plane + at;
        const float* g = grad.read(position, count, grads);
        const float* values = x.read(position, count, xs);
        float* out = &result[std::size_t(position)];
        const SwishRow of_row{mean, factor, double(betas[channel]), norm.swish_scale};
        swish(g, values, count, &of_row, out);
      }
    }
  });
  return result;
}

/// Large planes: sums of each plane, then a linear map of each.
void run_by_planes(const GroupNorm& norm, const KernelMemory& memory) {
  const Statistics statistics(norm, memory);
  ChannelShape shape;
  shape.channels = norm.samples * norm.channels;
  shape.inner = norm.plane;
  const RowMajorAccess grad(norm.grad, memory);
  const RowMajorAccess x(norm.x, memory);
  const ChannelSums sums = channel_sums(shape, grad, x, statistics.mean);
  const auto channels = static_cast<std::size_t>(norm.channels);

  std::vector<float> result(channels);
  std::vector<double> gamma(channels);
  std::vector<double> beta(channels);
  for (std::size_t sample = 0; sample < sums.grad.size(); sample += channels) {
    for (std::size_t i = 0; i < channels; ++i) {
      gamma[i] += sums.grad_centered[sample + i] * statistics.rstd[sample + i];
      beta[i] += sums.grad[sample + i];
    }
  }
  if (norm.grad_x.given()) {
    const std::size_t per_group = channels / std::size_t(norm.groups);
    const double count = double(per_group) * double(norm.plane);
    ChannelMap map(sums.grad.size());
    map.mean = statistics.mean;
    for (std::size_t start = 0; start < sums.grad.size(); start += per_group) {
      const double* gammas = &statistics.gamma[start % channels];
      double plain = 0;
      double centered = 0;
      for (std::size_t i = 0; i < per_group; ++i) {
        plain += gammas[i] * sums.grad[start + i];
        centered += gammas[i] * sums.grad_centered[start + i];
      }
      const double rstd = statistics.rstd[start];
      for (std::size_t i = 0; i < per_group; ++i) map.grad_factor[start + i] = rstd * gammas[i];
      std::fill_n(&map.x_factor[start], per_group, -rstd * (rstd * rstd) * (centered / count));
      std::fill_n(&map.constant[start], per_group, -rstd * (plain / count));
    }
    channel_apply(shape, grad, x, map, RowMajorAccess(norm.grad_x, memory));
  }
  if (norm.grad_gamma.given()) {
    result.assign(gamma.begin(), gamma.end());
    RowMajorAccess(norm.grad_gamma, memory).write(0, norm.channels, result.data());
  }
  if (norm.grad_beta.given()) {
    result.assign(beta.begin(), beta.end());
    RowMajorAccess(norm.grad_beta, memory).write(0, norm.channels, result.data());
  }
}

/// Small planes: a group is a row whose columns share gammas.
void run_by_rows(const GroupNorm& norm, const KernelMemory& memory) {
  RowNorm rows;
  rows.grad = norm.grad;
  rows.x1 = norm.x;
  rows.mean = norm.mean;
  rows.rstd = norm.rstd;
  rows.gamma = norm.gamma;
  rows.grad_x = norm.grad_x;
  rows.grad_gamma = norm.grad_gamma;
  rows.grad_beta = norm.grad_beta;
  rows.rows = norm.samples * norm.groups;
  rows.length = norm.channels / norm.groups * norm.plane;
  rows.sections = norm.groups;
  rows.fold = norm.plane;
  run_row_norm(rows, memory);
}

void run_normalization(const GroupNorm& norm, const KernelMemory& memory) {
  norm.plane < kSmallPlane ? run_by_rows(norm, memory) : run_by_planes(norm, memory);
}

void run(const GroupNorm& norm, const KernelMemory& memory) {
  if (!norm.has_swish) return run_normalization(norm, memory);
  std::vector<float> gradient = swish_gradient(norm, memory);
  // The gradient takes the place of the caller's, as one more operand.
  KernelMemory with_gradient = memory;
  with_gradient.operands.push_back(reinterpret_cast<std::byte*>(gradient.data()));
  View view;
  view.operand = memory.operands.size();
  view.dtype = ACL_FLOAT;
  view.shape = Dims{static_cast<std::int64_t>(gradient.size())};
  view.strides = Dims{1};
  GroupNorm behind = norm;
  behind.grad = RowMajor(view);
  run_normalization(behind, with_gradient);
}

}  // namespace

void launch_group_norm(Plan& plan, GroupNorm norm) {
  auto shared = std::make_shared<const GroupNorm>(std::move(norm));
  plan.launch([shared](const KernelMemory& memory) { run(*shared, memory); });
}

}  // namespace pyaclnn::sim
