// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_convolution_backward.h"
#include "core/checked.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/elementwise.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/convolution/convolution.hpp"
#include "opapi/convolution/operands.hpp"

using namespace pyaclnn::sim;

namespace {

long long ll(std::int64_t value) { return value; }

}  // namespace

// The gradients of y[t, b, o] = bias[o] + sum over k, i of input[t + k - pad, b, i] weight[k, i, o]
// by input, weight and bias; self is the gradient by y.
OPERATOR(ConvTbcBackward, (In, self), (In, input), (In, weight), (In, bias), (Int, pad),
         (Int8, cubeMathType), (Out, gradInput), (Out, gradWeight), (Out, gradBias)) {
  check.not_null(self, input, weight, bias, gradInput, gradWeight, gradBias);
  const DtypeSet floats = DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16();
  check.dtype_in(floats, self, input, weight);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, bias);
  check.dtype_in(floats, gradInput, gradWeight, gradBias);
  check_formats(check, self, input, weight, bias, gradInput, gradWeight, gradBias);
  check.that(!self.is_empty(), "self is empty: %s", self.shape().text().c_str());
  const auto has_rank = [&](const TensorArgument& tensor, std::size_t rank) {
    check.that(tensor.rank() == rank, "%s has %zu dimensions, it must have %zu", tensor.name(),
               tensor.rank(), rank);
  };
  for (const In* tensor : {&self, &input, &weight}) has_rank(*tensor, 3);
  has_rank(bias, 1);
  has_rank(gradBias, 1);
  for (const Out* tensor : {&gradInput, &gradWeight}) has_rank(*tensor, 3);

  const Dims& x = input.shape();
  const Dims& w = weight.shape();
  check.that(x[2] == w[1], "input has %lld channels, it must have %lld as weight[1]", ll(x[2]),
             ll(w[1]));
  check.that(bias.shape()[0] == w[2], "bias has %lld values, it must have %lld as weight[2]",
             ll(bias.shape()[0]), ll(w[2]));
  check.that(pad >= 0, "pad is %lld, it must not be negative", ll(pad));
  using Extent = Checked<std::int64_t>;
  const std::int64_t times = (Extent(x[0]) + Extent(2) * Extent(pad) + 1 - w[0]).saturated();
  check.that(times >= 0, "weight has %lld taps, more than input and padding", ll(w[0]));
  check.shape_is(self, Dims{times, x[1], w[2]}, "input, weight and pad");
  check.same_shape(input, gradInput);
  check.same_shape(weight, gradWeight);
  check.same_shape(bias, gradBias);
  const aclDataType dtype = promoted(check, self, input, weight);
  check_cube_math_type(check, cubeMathType, dtype);
  check.that(!on_950() || pad <= 255, "pad is %lld, %s takes up to 255", ll(pad),
             config().soc_name.c_str());
  if (input.is_empty() || weight.is_empty()) {
    // CANN sums a gradient of ones here, whatever self is.
    for (const Out* out : {&gradInput, &gradWeight}) {
      if (!out->is_empty()) launch_zero(plan, *out);
    }
    const float count = float(x[1]) * float(times);
    if (!gradBias.is_empty()) elementwise<float>(plan, gradBias, [count] { return count; });
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
  gradients.precision = cube_precision(cubeMathType, dtype);
  for (const In* tensor : {&self, &input, &weight}) plan.stage(*tensor).contiguous().cast_to(dtype);
  gradients.time_first = true;
  gradients.image = RowMajor(plan.reads(input));
  gradients.positions = RowMajor(plan.reads(self));
  gradients.weight = RowMajor(reversed_axes(plan.reads(weight)));
  plan.result(dtype, x).cast_to(input.dtype()).copy_to(gradInput);
  plan.result(dtype, w).cast_to(weight.dtype()).copy_to(gradWeight);
  plan.result(dtype, bias.shape()).cast_to(gradBias.dtype()).copy_to(gradBias);
  gradients.grad_input = RowMajor(plan.writes(gradInput));
  gradients.grad_weight = RowMajor(reversed_axes(plan.writes(gradWeight)));
  gradients.grad_bias = RowMajor(plan.writes(gradBias));
  launch_convolution_gradients(plan, gradients);
}
