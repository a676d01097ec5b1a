// SPDX-License-Identifier: MIT
#include <initializer_list>

#include "core/checked.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/convolution/convolution.hpp"
#include "opapi/convolution/forward.hpp"

namespace pyaclnn::sim {
namespace {

using Extent = Checked<std::int64_t>;
using Values = std::vector<std::int64_t>;

/// Padding of an axis, both sides together.
Extent pads(const ConvolutionAttributes& a, std::size_t axes, std::size_t axis) {
  if (a.padding.size() == axes) return Extent(2) * a.padding[axis];
  return Extent(a.padding[2 * axis]) + a.padding[2 * axis + 1];
}

/// What the taps of an axis span, less 1.
Extent reach(const ConvolutionTensors& t, const ConvolutionAttributes& a, std::size_t axis) {
  return Extent(a.dilation[axis]) * (Extent(t.weight.shape()[axis + 2]) - 1);
}

void check_dimensions(const Check& check, const ConvolutionTensors& t) {
  for (const TensorArgument* tensor : {&t.input, &t.weight, &t.output})
    check.that(tensor->rank() >= 3 && tensor->rank() <= 5,
               "%s has %zu dimensions, it must have 3 to 5", tensor->name(), tensor->rank());
  check.that(t.weight.rank() == t.input.rank() && t.output.rank() == t.input.rank(),
             "input, weight and output have %zu, %zu and %zu dimensions, it must be one number",
             t.input.rank(), t.weight.rank(), t.output.rank());
}

void check_bias(const Check& check, const ConvolutionTensors& t, Extent channels) {
  if (!t.bias.given()) return;
  check.that(t.bias.rank() == 1 && t.bias.shape()[0] == channels,
             "bias has shape %s, it must have %lld elements, one for each channel of the output",
             t.bias.shape().text().c_str(), ll(channels.saturated()));
}

void check_length(const Check& check, const char* name, const Values& values, std::size_t axes,
                  bool may_be_by_side = false) {
  check.that(values.size() == axes || (may_be_by_side && values.size() == 2 * axes),
             "%s has %zu values, it must have %zu", name, values.size(), axes);
}

void check_positive(const Check& check, const char* name, const Values& values) {
  for (std::int64_t value : values)
    check.that(value > 0, "%s has the value %lld, it must be positive", name, ll(value));
}

void check_extents(const Check& check, const ConvolutionTensors& t, bool transposed) {
  for (const TensorArgument* tensor : {&t.input, &t.weight})
    for (std::int64_t extent : tensor->shape())
      check.that(extent >= 0, "%s has the negative extent %lld", tensor->name(), ll(extent));
  const bool may_be_empty = on_950() && transposed && t.weight.is_empty();
  for (std::size_t i = 2; i < t.weight.rank() && !may_be_empty; ++i)
    check.that(t.weight.shape()[i] > 0, "weight has shape %s, its taps must not be empty",
               t.weight.shape().text().c_str());
}

/// The taps must fit the padded input.
void check_room(const Check& check, const ConvolutionTensors& t, const ConvolutionAttributes& a) {
  if (t.input.is_empty()) return;
  const std::size_t axes = t.input.rank() - 2;
  for (std::size_t i = 0; i < axes; ++i) {
    const Extent room = Extent(t.input.shape()[i + 2]) + pads(a, axes, i) - reach(t, a, i) - 1;
    check.that(
        room.fits() && room.saturated() >= 0,
        "input has extent %lld on spatial axis %zu, with its padding less than weight covers",
        ll(t.input.shape()[i + 2]), i);
  }
}

void check_channels(const Check& check, const ConvolutionTensors& t,
                    const ConvolutionAttributes& a) {
  const Dims& weight = t.weight.shape();
  const std::int64_t channels = t.input.shape()[1];
  if (a.transposed) {
    check.that(weight[0] == channels, "input has %lld channels, it must have %lld as weight[0]",
               ll(channels), ll(weight[0]));
    for (std::size_t i = 0; i < a.output_padding.size(); ++i) {
      const std::int64_t extra = a.output_padding[i];
      check.that(extra >= 0 && (extra < a.stride[i] || extra < a.dilation[i]),
                 "outputPadding has the value %lld, it must be below the stride or the dilation",
                 ll(extra));
    }
  } else {
    check.that(Extent(weight[1]) * a.groups == channels,
               "input has %lld channels, it must have %lld: weight[1] times groups", ll(channels),
               ll((Extent(weight[1]) * a.groups).saturated()));
  }
  check.that(weight[0] % a.groups == 0, "weight[0] is %lld, it must be a multiple of groups, %lld",
             ll(weight[0]), ll(a.groups));
}

/// What the transposed kernels take: how far the taps reach beyond the padding.
void check_taps_beyond_padding(const Check& check, const ConvolutionTensors& t,
                               const ConvolutionAttributes& a) {
  constexpr std::int64_t kMost = 255;
  if (t.input.is_empty() || t.weight.is_empty() || t.output.is_empty()) return;
  const std::size_t axes = t.input.rank() - 2;
  for (std::size_t i = axes == 3 ? 1 : 0; i < axes; ++i) {
    const Extent beyond = reach(t, a, i) - a.padding[i];
    check.that(
        beyond.fits() && beyond.saturated() <= kMost && (axes < 3 || beyond.saturated() >= 0),
        "on spatial axis %zu weight reaches %lld elements beyond the padding; %s255 are "
        "allowed",
        i, ll(beyond.saturated()), axes < 3 ? "up to " : "0 to ");
  }
}

void check_transposed(const Check& check, const ConvolutionTensors& t,
                      const ConvolutionAttributes& a) {
  check.that(t.input.shape()[1] != 0, "input has no channels");
  if (on_950()) {
    check.that(t.weight.shape()[0] > 0, "weight[0] is 0");
    for (std::size_t i = 1; i < t.input.rank(); ++i)
      check.that(t.input.shape()[i] > 0, "input has shape %s: only its samples may be none",
                 t.input.shape().text().c_str());
  }
  check_taps_beyond_padding(check, t, a);
}

/// The extents that follow; CANN divides them as C does, towards 0.
Extent output_extent(const ConvolutionTensors& t, const ConvolutionAttributes& a,
                     std::size_t axis) {
  const Extent extent = t.input.shape()[axis + 2];
  const Extent padding = pads(a, t.input.rank() - 2, axis);
  if (a.transposed)
    return (extent - 1) * a.stride[axis] - padding + reach(t, a, axis) + a.output_padding[axis] + 1;
  const Extent room = extent + padding - reach(t, a, axis) - 1;
  return room.fits() ? Extent(room.saturated() / a.stride[axis]) + 1 : room;
}

void check_output(const Check& check, const ConvolutionTensors& t, const ConvolutionAttributes& a,
                  Extent channels) {
  const Dims& shape = t.output.shape();
  check.that(shape[0] == t.input.shape()[0], "output has %lld samples, input has %lld",
             ll(shape[0]), ll(t.input.shape()[0]));
  check.that(shape[1] == channels, "output has %lld channels, it must have %lld", ll(shape[1]),
             ll(channels.saturated()));
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) {
    const Extent expected = output_extent(t, a, i);
    check.that(shape[i + 2] == expected,
               "output has extent %lld on spatial axis %zu, it must be %lld", ll(shape[i + 2]), i,
               ll(expected.saturated()));
    check.that(shape[i + 2] >= 0, "output has the negative extent %lld", ll(shape[i + 2]));
  }
  const bool from_nothing = t.input.is_empty() || t.weight.is_empty();
  check.that(!from_nothing || t.output.is_empty(),
             "input or weight is empty, output of shape %s is not", shape.text().c_str());
}

}  // namespace

void check_convolution(const Check& check, const ConvolutionTensors& t,
                       const ConvolutionAttributes& a) {
  check_dimensions(check, t);
  const std::size_t axes = t.input.rank() - 2;
  const Extent channels =
      a.transposed ? Extent(t.weight.shape()[1]) * a.groups : Extent(t.weight.shape()[0]);
  check_bias(check, t, channels);
  check_length(check, "stride", a.stride, axes);
  check_length(check, "dilation", a.dilation, axes);
  check_length(check, "padding", a.padding, axes, axes == 2 || (axes == 1 && !a.transposed));
  if (a.transposed) check_length(check, "outputPadding", a.output_padding, axes);
  check_formats(check, t.input, t.weight, t.output);
  if (t.bias.given()) check_formats(check, t.bias);
  check_extents(check, t, a.transposed);
  check_positive(check, "stride", a.stride);
  check_positive(check, "dilation", a.dilation);
  if (!a.transposed) check_room(check, t, a);
  check.that(a.groups > 0, "groups is %lld, it must be positive", ll(a.groups));
  check_channels(check, t, a);
  if (a.transposed) check_transposed(check, t, a);
  check_output(check, t, a, channels);
  check_cube_math_type(check, a.cube_math_type, convolved_type(t));
}

void check_depthwise(const Check& check, const ConvolutionTensors& t, const Values& kernel_size,
                     const ConvolutionAttributes& a) {
  // CANN reads two extents of the weight before it looks how many there are.
  check.that(t.weight.rank() == 4, "weight has %zu dimensions, it must have 4", t.weight.rank());
  check.that(kernel_size.size() == 2 && kernel_size[0] == t.weight.shape()[2] &&
                 kernel_size[1] == t.weight.shape()[3],
             "kernelSize must be the last two extents of weight, %s",
             t.weight.shape().text().c_str());
  const DtypeSet floats = DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16();
  check.dtype_in(on_950() ? floats | DtypeSet{ACL_HIFLOAT8} : floats, t.input, t.weight, t.output);
  if (t.bias.given() && t.input.dtype() == ACL_HIFLOAT8) check.dtype_in(floats, t.bias);
  if (t.bias.given() && t.input.dtype() != ACL_HIFLOAT8) check.same_dtype(t.input, t.bias);
  check.same_dtype(t.input, t.weight, t.output);
  for (const TensorArgument* tensor : {&t.input, &t.output})
    check.that(tensor->rank() == 4, "%s has %zu dimensions, it must have 4", tensor->name(),
               tensor->rank());
  check.that(!t.bias.given() || t.bias.rank() == 1, "bias must have one dimension");
  check_length(check, "stride", a.stride, 2);
  check_length(check, "dilation", a.dilation, 2);
  check_length(check, "padding", a.padding, 2);
  check_formats(check, t.input, t.weight, t.output);
  const Dims& weight = t.weight.shape();
  check.that(weight[0] > 0, "weight has %lld filters", ll(weight[0]));
  check_extents(check, t, false);
  check_positive(check, "stride", a.stride);
  check_positive(check, "dilation", a.dilation);
  check_room(check, t, a);
  check.that(weight[1] == 0 || weight[1] == 1, "weight[1] is %lld, it must be 1", ll(weight[1]));
  const std::int64_t channels = t.input.shape()[1];
  check.that(channels == 0 || weight[0] % channels == 0,
             "weight[0] is %lld, it must be a multiple of the channels of self, %lld",
             ll(weight[0]), ll(channels));
  check_bias(check, t, weight[0]);
  check_output(check, t, a, weight[0]);
  check_cube_math_type(check, a.cube_math_type, t.input.dtype());
}

void check_conv_tbc(const Check& check, const ConvolutionTensors& t, std::int64_t pad,
                    std::int8_t cube_math_type) {
  for (const TensorArgument* tensor : {&t.input, &t.weight, &t.output}) {
    check.that(tensor->rank() == 3, "%s has %zu dimensions, it must have 3", tensor->name(),
               tensor->rank());
    for (std::int64_t extent : tensor->shape())
      check.that(extent >= 0, "%s has the negative extent %lld", tensor->name(), ll(extent));
  }
  check_formats(check, t.input, t.weight, t.output);
  if (on_950()) check_formats(check, t.bias);
  const Dims& x = t.input.shape();
  const Dims& w = t.weight.shape();
  check_bias(check, t, w[2]);
  check.that(w[0] > 0, "weight has no taps");
  // The padding counts once here, and twice below.
  const Extent room = Extent(x[0]) + pad - w[0];
  check.that(t.input.is_empty() || (room.fits() && room.saturated() >= 0),
             "weight has %lld taps, more than self and pad", ll(w[0]));
  check.that(w[1] == x[2], "self has %lld channels, it must have %lld as weight[1]", ll(x[2]),
             ll(w[1]));
  const Extent times = Extent(x[0]) + Extent(2) * pad - w[0] + 1;
  check.that(times.fits() && times.saturated() >= 0, "weight has %lld taps, more than self and pad",
             ll(w[0]));
  check.shape_is(t.output, Dims{times.saturated(), x[1], w[2]}, "self, weight and pad");
  check_cube_math_type(check, cube_math_type, t.input.dtype());
}

}  // namespace pyaclnn::sim
