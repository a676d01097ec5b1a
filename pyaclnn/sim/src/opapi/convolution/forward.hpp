// Convolutions as operators: their checks in CANN's order, and their plans.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/arguments.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Everything about a convolution but its tensors.
struct ConvolutionAttributes {
  std::vector<std::int64_t> stride;
  std::vector<std::int64_t> padding;  // one an axis, or one a side
  std::vector<std::int64_t> dilation;
  bool transposed = false;
  std::vector<std::int64_t> output_padding;  // looked at where transposed only
  std::int64_t groups = 1;
  std::int8_t cube_math_type = 0;
};

/// The padding of an output, which need not be given unless transposed.
inline std::vector<std::int64_t> output_padding_if(bool transposed, const IntArrayIn& padding) {
  return transposed ? padding.values() : std::vector<std::int64_t>();
}

/// The tensors: input (samples, channels, ...), weight (output channels, channels of a group, ...),
/// its first two axes with the other meaning where transposed, an optional bias, and the result.
struct ConvolutionTensors {
  const TensorArgument& input;
  const TensorArgument& weight;
  const TensorArgument& bias;
  const TensorArgument& output;
};

/// Whether it is a float of a byte, which the 950 convolves.
bool is_byte_float(aclDataType dtype);
/// The type that operands are multiplied in; two of one type of a byte as they are.
aclDataType convolved_type(const ConvolutionTensors& tensors);

/// Dimensions, formats, values and shapes, in this order.
void check_convolution(const Check& check, const ConvolutionTensors& tensors,
                       const ConvolutionAttributes& attributes);
/// The same for a filter of one channel for each of the input's.
void check_depthwise(const Check& check, const ConvolutionTensors& tensors,
                     const std::vector<std::int64_t>& kernel_size,
                     const ConvolutionAttributes& attributes);

/// output = convolution(input, weight) + bias; nothing where one of them is empty.
void convolution(Plan& plan, const ConvolutionTensors& tensors,
                 const ConvolutionAttributes& attributes);
/// With as many groups as the input has channels.
void depthwise(Plan& plan, const ConvolutionTensors& tensors, ConvolutionAttributes attributes);

/// Time, batch, channel: input [T, B, Ci], weight [K, Ci, Co], bias [Co], output [T', B, Co].
void check_conv_tbc(const Check& check, const ConvolutionTensors& tensors, std::int64_t pad,
                    std::int8_t cube_math_type);
/// output[t, b] = bias + sum over k of input[t + k - pad, b] weight[k]; the bias alone where there
/// is nothing to sum.
void conv_tbc(Plan& plan, const ConvolutionTensors& tensors, std::int64_t pad,
              std::int8_t cube_math_type);

}  // namespace pyaclnn::sim
