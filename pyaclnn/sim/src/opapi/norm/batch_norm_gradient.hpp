// The kernels of the gradients of batch normalisation, whole and in two parts: over several devices
// each sums its part, then all apply the common sums.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "opapi/common/plan.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/norm/channel_pass.hpp"

namespace pyaclnn::sim {

/// With n elements in a channel, d = grad, c = input - mean and invstd = 1 / sqrt(var + eps):
///   grad_bias = sum(d), grad_weight = invstd sum(d c),
///   grad_input = weight invstd (d - sum(d) / n - c invstd^2 sum(d c) / n) in training, where mean
///   and var are those saved; weight invstd d otherwise, with the running ones.
/// Without weight it is 1, without mean 0; outputs that are not given are not wanted.
struct BatchNormGradient {
  ChannelShape shape;
  RowMajor grad;
  RowMajor input;
  RowMajor weight;
  RowMajor mean;
  RowMajor spread;  // a variance, or 1 / sqrt(variance + eps)
  RowMajor grad_input;
  RowMajor grad_weight;
  RowMajor grad_bias;
  bool training = false;
  bool spread_is_invstd = false;
  float eps = 0;

  void run(const KernelMemory& memory) const;
};

/// Sums over all but the channels: sum_dy and grad_bias of grad, sum_dy_xmu of grad (input - mean);
/// grad_weight = sum_dy_xmu invstd.
struct BatchNormSums {
  ChannelShape shape;
  RowMajor grad;
  RowMajor input;
  RowMajor mean;
  RowMajor invstd;
  RowMajor sum_dy;
  RowMajor sum_dy_xmu;
  RowMajor grad_weight;
  RowMajor grad_bias;

  void run(const KernelMemory& memory) const;
};

/// With n the sum of counter:
/// grad_input = weight invstd (grad - sum_dy / n - (input - mean) invstd^2 sum_dy_xmu / n).
struct BatchNormOfSums {
  ChannelShape shape;
  RowMajor grad;
  RowMajor input;
  RowMajor mean;
  RowMajor invstd;
  RowMajor weight;
  RowMajor sum_dy;
  RowMajor sum_dy_xmu;
  RowMajor counter;
  RowMajor grad_input;

  void run(const KernelMemory& memory) const;
};

/// Which axis has the channels. Before the 950 formats do not tell.
std::size_t batch_norm_axis(const TensorArgument& input);

/// An operand with a value for each channel; CANN resizes it, which fails for another length.
RowMajor channel_input(Plan& plan, const TensorArgument& tensor, std::int64_t channels);

/// An input that CANN does not look at before its kernels do.
void require_shape(const Plan& plan, const TensorArgument& tensor, const Dims& shape);

template <class Kernel>
void launch_shared(Plan& plan, const std::shared_ptr<Kernel>& kernel) {
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace pyaclnn::sim
