// SPDX-License-Identifier: MIT
#include "core/checked.hpp"
#include "opapi/common/elementwise.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/convolution/backward.hpp"
#include "opapi/convolution/operands.hpp"

namespace pyaclnn::sim {

void check_conv_tbc_gradients(const Check& check, const ConvTbcTensors& tensors, std::int64_t pad) {
  const Dims& x = tensors.input.shape();
  const Dims& w = tensors.weight.shape();
  check.that(x[2] == w[1], "input has %lld channels, it must have %lld as weight[1]", ll(x[2]),
             ll(w[1]));
  check.that(tensors.bias.shape()[0] == w[2],
             "bias has %lld values, it must have %lld as weight[2]", ll(tensors.bias.shape()[0]),
             ll(w[2]));
  check.that(pad >= 0, "pad is %lld, it must not be negative", ll(pad));
  using Extent = Checked<std::int64_t>;
  const std::int64_t times = (Extent(x[0]) + Extent(2) * Extent(pad) + 1 - w[0]).saturated();
  check.that(times >= 0, "weight has %lld taps, more than input and padding", ll(w[0]));
  check.shape_is(tensors.grad_output, Dims{times, x[1], w[2]}, "input, weight and pad");
  check.same_shape(tensors.input, tensors.grad_input);
  check.same_shape(tensors.weight, tensors.grad_weight);
  check.same_shape(tensors.bias, tensors.grad_bias);
}

void conv_tbc_gradients(Plan& plan, const ConvTbcTensors& tensors, std::int64_t pad,
                        CubePrecision precision, aclDataType dtype) {
  const auto& [self, input, weight, bias, grad_input, grad_weight, grad_bias] = tensors;
  const Dims& x = input.shape();
  const Dims& w = weight.shape();
  const std::int64_t times = self.shape()[0];
  if (input.is_empty() || weight.is_empty()) {
    // CANN sums a gradient of ones here, whatever self is.
    for (const TensorArgument* out : {&grad_input, &grad_weight}) {
      if (!out->is_empty()) launch_zero(plan, *out);
    }
    const float count = float(x[1]) * float(times);
    if (!grad_bias.is_empty()) elementwise<float>(plan, grad_bias, [count] { return count; });
    return;
  }

  ConvolutionGradients gradients;
  gradients.window.image[2] = x[0];
  gradients.window.positions[2] = times;
  gradients.window.taps[2] = w[0];
  gradients.window.padding[2] = pad;
  gradients.samples = x[1];
  gradients.image_channels = w[1];
  gradients.position_channels = w[2];
  gradients.precision = precision;
  for (const TensorArgument* tensor : {&self, &input, &weight})
    plan.stage(*tensor).contiguous().cast_to(dtype);
  gradients.time_first = true;
  gradients.image = RowMajor(plan.reads(input));
  gradients.positions = RowMajor(plan.reads(self));
  gradients.weight = RowMajor(reversed_axes(plan.reads(weight)));
  plan.result(dtype, x).cast_to(input.dtype()).copy_to(grad_input);
  plan.result(dtype, w).cast_to(weight.dtype()).copy_to(grad_weight);
  plan.result(dtype, bias.shape()).cast_to(grad_bias.dtype()).copy_to(grad_bias);
  gradients.grad_input = RowMajor(plan.writes(grad_input));
  gradients.grad_weight = RowMajor(reversed_axes(plan.writes(grad_weight)));
  gradients.grad_bias = RowMajor(plan.writes(grad_bias));
  launch_convolution_gradients(plan, gradients);
}

}  // namespace pyaclnn::sim
