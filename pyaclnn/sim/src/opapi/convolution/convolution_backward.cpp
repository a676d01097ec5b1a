// SPDX-License-Identifier: MIT
#include <algorithm>

#include "aclnn/opdev/op_errno.h"
#include "core/checked.hpp"
#include "core/status.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/format.hpp"
#include "opapi/convolution/backward.hpp"

namespace pyaclnn::sim {
namespace {

using Extent = Checked<std::int64_t>;

void check_at_least(const Check& check, const IntArrayIn& array, std::int64_t least) {
  for (std::int64_t value : array.values())
    check.that(value >= least, "%s has the value %lld, it must be at least %lld", array.name(),
               ll(value), ll(least));
}

void check_lengths(const ConvolutionCall& call) {
  for (const IntArrayIn* array :
       {&call.stride, &call.dilation, &call.padding, &call.output_padding}) {
    const std::size_t length = array->values().size();
    // Two dimensions may be padded differently on each side.
    const bool by_side = call.axes() == 2 && length == 4 &&
                         (array == &call.padding || array == &call.output_padding);
    call.check.that(length == call.axes() || by_side, "%s has %zu values, it must have %zu",
                    array->name(), length, call.axes());
  }
}

Extent kernel_extent(const ConvolutionCall& call, std::size_t axis) {
  return (Extent(call.weight.shape()[axis + 2]) - 1) * call.dilation.values()[axis] + 1;
}

/// What CANN leaves to its kernel.
void check_in_kernel(bool holds, const char* what) {
  if (!holds) fail(ACLNN_ERR_INNER_NULLPTR, "aclnnConvolutionBackwardGetWorkspaceSize: %s", what);
}

/// Positions along an axis. A transposed call's padding by sides is read by axis, as CANN does, and
/// its outputPadding is not read: any that is below the stride gives the same positions.
void check_extents(const ConvolutionCall& call) {
  const auto& padding = call.padding.values();
  const bool in_kernel = call.axes() < 3;
  for (std::size_t axis = 0; axis < call.axes(); ++axis) {
    const bool by_side = padding.size() != call.axes() && !call.transposed;
    const Extent pads =
        by_side ? Extent(padding[2 * axis]) + padding[2 * axis + 1] : Extent(2) * padding[axis];
    const std::int64_t extent = call.image().shape()[axis + 2];
    const Extent room = Extent(extent) + pads - kernel_extent(call, axis);
    const Extent steps = room.saturated() / call.stride.values()[axis];
    const Extent expected = room.saturated() < 0 ? Extent(0) : steps + 1;
    const std::int64_t actual = call.positions().shape()[axis + 2];
    if (room.fits() && room.saturated() >= 0 && expected == actual) continue;
    fail(
        in_kernel ? ACLNN_ERR_INNER_NULLPTR : ACLNN_ERR_PARAM_INVALID,
        "aclnnConvolutionBackwardGetWorkspaceSize: %s has extent %lld on spatial axis %zu, it must "
        "be %lld for the %lld of %s",
        call.positions().name(), ll(actual), axis, ll(expected.saturated()), ll(extent),
        call.image().name());
  }
}

/// In three dimensions A2 and A3 sum a float32 gradWeight of several groups from float32 only.
void check_weight_gradient(const ConvolutionCall& call, CubePrecision precision,
                           aclDataType dtype) {
  if (on_950() || call.groups == 1 || !call.wanted(1)) return;
  if (call.outputs[1]->dtype() != ACL_FLOAT) return;
  call.check.that(
      dtype == ACL_FLOAT && precision != CubePrecision::kFloat16,
      "gradWeight is float32 and groups is %lld: in three dimensions the inputs must then be "
      "float32, and cubeMathType not 2",
      ll(call.groups));
}

ConvolutionWindow window_of(const ConvolutionCall& call) {
  ConvolutionWindow window;
  const auto& padding = call.padding.values();
  const bool by_side = padding.size() != call.axes();
  for (std::size_t axis = 0; axis < call.axes(); ++axis) {
    const std::size_t to = axis + 3 - call.axes();
    window.image[to] = call.image().shape()[axis + 2];
    window.positions[to] = call.positions().shape()[axis + 2];
    window.taps[to] = call.weight.shape()[axis + 2];
    window.stride[to] = call.stride.values()[axis];
    window.padding[to] = padding[by_side ? 2 * axis : axis];
    window.dilation[to] = call.dilation.values()[axis];
  }
  return window;
}

}  // namespace

void check_wanted(const ConvolutionCall& call) {
  // CANN answers a mask of another length as it answers none.
  call.check.that_given(call.mask.values().size() == 3, "outputMask with 3 values");
  for (std::size_t i = 0; i < 3; ++i)
    call.check.that_given(!call.wanted(i) || call.outputs[i]->given(), call.outputs[i]->name());
}

void check_convolved(const ConvolutionCall& call) {
  for (const TensorArgument* tensor :
       {&call.grad_output, &call.input, &call.weight, call.outputs[0], call.outputs[1]}) {
    if (!tensor->given()) continue;
    call.check.that(tensor->rank() >= 3 && tensor->rank() <= 5,
                    "%s has %zu dimensions, it must have 3 to 5", tensor->name(), tensor->rank());
    check_formats(call.check, *tensor);
  }
  if (!call.transposed && has_float32_cube()) check_formats(call.check, *call.outputs[2]);
}

void check_values(const ConvolutionCall& call) {
  const Check& check = call.check;
  check_at_least(check, call.stride, 1);
  check_at_least(check, call.padding, 0);
  check_at_least(check, call.dilation, 1);
  const auto& extra = call.output_padding.values();
  if (call.transposed) {
    check_at_least(check, call.output_padding, 0);
    const auto& stride = call.stride.values();
    for (std::size_t i = 0; i < extra.size() && call.input.rank() == 5; ++i)
      check.that(i < stride.size() && extra[i] < stride[i],
                 "outputPadding has the value %lld, it must be below the stride", ll(extra[i]));
  } else {
    for (std::int64_t value : extra)
      check.that(value == 0, "outputPadding has the value %lld, it must be 0 if not transposed",
                 ll(value));
  }
  check.that(call.groups >= 1, "groups is %lld, it must be at least 1", ll(call.groups));
}

void check_shapes(const ConvolutionCall& call) {
  const Check& check = call.check;
  check.that(
      call.grad_output.rank() == call.input.rank() && call.input.rank() == call.weight.rank(),
      "gradOutput, input and weight have %zu, %zu and %zu dimensions, it must be one number",
      call.grad_output.rank(), call.input.rank(), call.weight.rank());
  check.that(!call.grad_output.is_empty(), "gradOutput is empty: %s",
             call.grad_output.shape().text().c_str());
  check.that(!call.weight.is_empty(), "weight is empty: %s", call.weight.shape().text().c_str());
  if (call.outputs[0]->given()) check.same_shape(call.input, *call.outputs[0]);
  if (call.outputs[1]->given()) check.same_shape(call.weight, *call.outputs[1]);
  if (call.outputs[2]->given())
    check.shape_is(*call.outputs[2], Dims{call.grad_output.shape()[1]},
                   "the channels of gradOutput");
  check_lengths(call);

  const Dims& image = call.image().shape();
  const Dims& positions = call.positions().shape();
  const Dims& weight = call.weight.shape();
  check.that(positions[1] == weight[0], "%s has %lld channels, it must have %lld as weight[0]",
             call.positions().name(), ll(positions[1]), ll(weight[0]));
  check.that(image[1] % weight[1] == 0 && image[1] / weight[1] == call.groups,
             "%s has %lld channels, it must have %lld: weight[1] times groups", call.image().name(),
             ll(image[1]), ll((Extent(weight[1]) * call.groups).saturated()));
  const bool per_channel = !on_950() && image[1] == call.groups;
  check.that(!per_channel || positions[1] % call.groups == 0,
             "%s has %lld channels, it must have a multiple of groups, %lld",
             call.positions().name(), ll(positions[1]), ll(call.groups));
}

void check_positions(const ConvolutionCall& call, CubePrecision precision, aclDataType dtype) {
  const bool needs_kernel = call.wanted(0) || call.wanted(1);
  if (call.axes() == 3) {
    check_extents(call);
    call.check.that(has_float32_cube(), "%s has no three-dimensional convolution", chip().name);
    check_weight_gradient(call, precision, dtype);
  } else if (needs_kernel) {
    check_extents(call);
  }
  if (needs_kernel) {
    check_in_kernel(call.input.shape()[0] == call.grad_output.shape()[0],
                    "gradOutput and input must have one number of samples");
    check_in_kernel(call.weight.shape()[0] % call.groups == 0,
                    "weight[0] must be a multiple of groups");
  }
}

void empty_gradients(Plan& plan, const ConvolutionCall& call) {
  if (!has_float32_cube()) check_shapes(call);
  const Check& check = call.check;
  if (call.wanted(2)) {
    const std::int64_t channels = call.transposed
                                      ? (Extent(call.weight.shape()[1]) * call.groups).saturated()
                                      : call.grad_output.shape()[1];
    check.that(call.bias_sizes.given() && call.bias_sizes.values().size() == 1 &&
                   call.bias_sizes.values()[0] == channels,
               "biasSizes must hold the channels of gradOutput, %lld", ll(channels));
  }
  check.that(!call.wanted(0) || call.input.shape()[0] == 0 || call.input.shape()[1] == 0,
             "input has shape %s, only an axis of samples or channels may be empty",
             call.input.shape().text().c_str());
  if (has_float32_cube()) {
    check.that(
        call.input.rank() == call.weight.rank() && call.input.rank() == call.grad_output.rank(),
        "gradOutput, input and weight must have one number of dimensions");
    check_lengths(call);
    const Dims& image = call.image().shape();
    const Dims& weight = call.weight.shape();
    check.that(weight[0] % call.groups == 0, "weight[0] is %lld, it must be a multiple of groups",
               ll(weight[0]));
    const bool no_samples = call.transposed && call.input.shape()[0] == 0;
    const Extent channels = Extent(weight[1]) * call.groups;
    check.that(no_samples || image[1] == channels,
               "%s has %lld channels, it must have %lld: weight[1] times groups",
               call.image().name(), ll(image[1]), ll(channels.saturated()));
    if (call.transposed) {
      check.that(weight[0] > 0 && weight[0] == call.input.shape()[1],
                 "weight[0] is %lld, it must be the channels of input and not 0", ll(weight[0]));
    }
    for (std::size_t axis = 0; axis < call.axes() && !call.transposed; ++axis) {
      const Extent covered = kernel_extent(call, axis);
      const Extent room =
          Extent(image[axis + 2]) + Extent(2) * call.padding.values()[axis] - covered;
      check.that(room.fits() && room.saturated() >= 0,
                 "input has extent %lld on spatial axis %zu, weight covers %lld",
                 ll(image[axis + 2]), axis, ll(covered.saturated()));
    }
  }
  // Shapes that the checks above leave open must not go unnoticed when the zeros are copied.
  if (call.wanted(1) && !call.outputs[1]->is_empty()) {
    plan.result(call.weight.dtype(), call.weight.shape())
        .cast_to(call.outputs[1]->dtype())
        .copy_to(*call.outputs[1]);
    launch_zero(plan, *call.outputs[1]);
  }
  if (call.wanted(2) && !call.outputs[2]->is_empty()) {
    plan.result(call.weight.dtype(), Dims{call.bias_sizes.values()[0]})
        .cast_to(call.outputs[2]->dtype())
        .copy_to(*call.outputs[2]);
    launch_zero(plan, *call.outputs[2]);
  }
}

void convolution_gradients(Plan& plan, const ConvolutionCall& call, CubePrecision precision,
                           aclDataType dtype) {
  const bool needs_kernel = call.wanted(0) || call.wanted(1);
  if (!needs_kernel && !call.wanted(2)) return;

  ConvolutionGradients gradients;
  gradients.window = window_of(call);
  // The bias alone is summed from gradOutput, whatever the others are.
  gradients.samples = call.grad_output.shape()[0];
  gradients.groups = needs_kernel ? call.groups : 1;
  gradients.image_channels = needs_kernel ? call.weight.shape()[1] : call.grad_output.shape()[1];
  gradients.position_channels =
      needs_kernel ? call.weight.shape()[0] / call.groups : call.grad_output.shape()[1];
  gradients.transposed = call.transposed;
  gradients.precision = precision;
  for (const TensorArgument* tensor : {&call.grad_output, &call.input, &call.weight})
    plan.stage(*tensor).contiguous().cast_to(dtype);
  gradients.image = RowMajor(plan.reads(call.image()));
  gradients.positions = RowMajor(plan.reads(call.positions()));
  gradients.weight = RowMajor(plan.reads(call.weight));
  RowMajor* const results[] = {&gradients.grad_input, &gradients.grad_weight, &gradients.grad_bias};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!call.wanted(i)) continue;
    const TensorArgument& out = *call.outputs[i];
    plan.result(dtype, out.shape()).cast_to(out.dtype()).copy_to(out);
    *results[i] = RowMajor(plan.writes(out));
  }
  launch_convolution_gradients(plan, gradients);
}

}  // namespace pyaclnn::sim
