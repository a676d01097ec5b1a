// The gradients of convolutions as operators: their checks in CANN's order, and their plans.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/convolution/convolution.hpp"

namespace pyaclnn::sim {

/// The arguments of one call of ConvolutionBackward.
struct ConvolutionCall {
  const Check& check;
  const TensorArgument& grad_output;
  const TensorArgument& input;
  const TensorArgument& weight;
  const IntArrayIn& bias_sizes;
  const IntArrayIn& stride;
  const IntArrayIn& padding;
  const IntArrayIn& dilation;
  const IntArrayIn& output_padding;
  bool transposed;
  std::int64_t groups;
  const BoolArrayIn& mask;
  const TensorArgument* const outputs[3];

  bool wanted(std::size_t output) const { return mask.values()[output] != 0; }
  // What the forward function reads, were it not transposed, and what it makes.
  const TensorArgument& image() const { return transposed ? grad_output : input; }
  const TensorArgument& positions() const { return transposed ? input : grad_output; }
  std::size_t axes() const { return input.rank() - 2; }
};

/// A mask of three, and the outputs that it asks for.
void check_wanted(const ConvolutionCall& call);
/// Numbers of dimensions and formats.
void check_convolved(const ConvolutionCall& call);
/// Strides, padding, dilation, groups.
void check_values(const ConvolutionCall& call);
void check_shapes(const ConvolutionCall& call);
/// Positions along each axis, and what CANN leaves to its kernel.
void check_positions(const ConvolutionCall& call, CubePrecision precision, aclDataType dtype);

/// Nothing goes in, so the gradients by what is left are 0; input is empty, or weight.
void empty_gradients(Plan& plan, const ConvolutionCall& call);
/// With y = convolution(input, weight): gradInput is the transposed convolution of gradOutput, or
/// where y is one already, the plain one; gradWeight[o, i, k] sums over samples and positions
/// gradOutput times the input that tap k sees there; gradBias sums gradOutput by channel.
void convolution_gradients(Plan& plan, const ConvolutionCall& call, CubePrecision precision,
                           aclDataType dtype);

/// The tensors of a call of ConvTbcBackward: time, batch, channel.
struct ConvTbcTensors {
  const TensorArgument& grad_output;
  const TensorArgument& input;
  const TensorArgument& weight;
  const TensorArgument& bias;
  const TensorArgument& grad_input;
  const TensorArgument& grad_weight;
  const TensorArgument& grad_bias;
};

void check_conv_tbc_gradients(const Check& check, const ConvTbcTensors& tensors, std::int64_t pad);
/// The gradients of y[t, b, o] = bias[o] + sum over k, i of input[t + k - pad, b, i] weight[k, i,
/// o] by input, weight and bias.
void conv_tbc_gradients(Plan& plan, const ConvTbcTensors& tensors, std::int64_t pad,
                        CubePrecision precision, aclDataType dtype);

}  // namespace pyaclnn::sim
