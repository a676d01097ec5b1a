// Convolutions that see their image at points which are moved from the grid, and the gradients: the
// points' values, a multiple of the image's size, go through a plain convolution.
// SPDX-License-Identifier: MIT
#include <array>
#include <vector>

#include "core/checked.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/corners.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/packed_operand.hpp"
#include "opapi/convolution/sums.hpp"
#include "parameters/DeformableConv2d.hpp"
#include "parameters/DeformableConv2dBackward.hpp"

namespace pyaclnn::sim {
namespace {

using Extent = Checked<std::int64_t>;
constexpr DtypeSet kFloats{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

struct Axis {
  std::int64_t image = 1;
  std::int64_t positions = 1;
  std::int64_t taps = 1;
  std::int64_t stride = 1;
  std::int64_t padding = 0;  // before the first element
  std::int64_t dilation = 1;

  /// Where a tap lies before it is moved.
  float at(std::int64_t position, std::int64_t tap) const {
    return float(double(position) * double(stride) + double(tap) * double(dilation) -
                 double(padding));
  }
};

/// Where the value of a point lies, in a channel of the samples and among the offsets.
struct Point {
  std::int64_t value;
  std::int64_t x;
  std::int64_t y;
  std::int64_t mask;
};

struct Deformed {
  Axis y;
  Axis x;
  std::int64_t samples = 0;
  std::int64_t channels = 0;
  std::int64_t results = 0;
  std::int64_t groups = 1;
  std::int64_t parts = 1;  // of the channels, each with offsets of its own

  std::int64_t pixels() const { return y.image * x.image; }
  std::int64_t taps() const { return y.taps * x.taps; }
  std::int64_t positions() const { return y.positions * x.positions; }
  std::int64_t points() const { return taps() * positions(); }
  SumChannels sums() const { return {samples, groups, channels / groups, results / groups}; }
  ConvolutionWindow window() const {
    ConvolutionWindow window;
    window.image = {1, y.positions * y.taps, x.positions * x.taps};
    window.positions = {1, y.positions, x.positions};
    window.taps = window.stride = {1, y.taps, x.taps};
    return window;
  }

  /// Calls body(point, corners, mask, channel of all samples) for each point of each channel's
  /// part; the channels of a part follow one another. A part is walked by one thread.
  template <class Body>
  void for_each_point(const std::vector<float>& offset, Body body) const {
    parallel_for(samples * parts, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t first = task * (channels / parts);
        const std::int64_t step = parts * points();
        const std::int64_t offsets = task / parts * 3 * step + task % parts * points();
        for (std::int64_t tap = 0; tap < taps(); ++tap) {
          for (std::int64_t position = 0; position < positions(); ++position) {
            const std::int64_t tap_y = tap / x.taps;
            const std::int64_t tap_x = tap % x.taps;
            const std::int64_t line = position / x.positions;
            const std::int64_t column = position % x.positions;
            Point point{};
            point.value = ((line * y.taps + tap_y) * x.positions + column) * x.taps + tap_x;
            point.x = offsets + tap * positions() + position;
            point.y = point.x + step;
            point.mask = point.y + step;
            body(point,
                 corners_of(y.at(line, tap_y) + offset[std::size_t(point.y)],
                            x.at(column, tap_x) + offset[std::size_t(point.x)], y.image, x.image),
                 offset[std::size_t(point.mask)], first);
          }
        }
      }
    });
  }

  std::vector<float> sampled(const std::vector<float>& image,
                             const std::vector<float>& offset) const {
    std::vector<float> values(static_cast<std::size_t>(samples * channels * points()));
    for_each_point(offset, [&](const Point& point, const std::array<Corner, 4>& corners, float mask,
                               std::int64_t first) {
      for (std::int64_t c = first; c < first + channels / parts; ++c) {
        float sum = 0;
        for (const Corner& corner : corners)
          if (corner.pixel >= 0)
            sum += corner.weight * mask * image[std::size_t(c * pixels() + corner.pixel)];
        values[std::size_t(c * points() + point.value)] = sum;
      }
    });
    return values;
  }

  /// From the gradient of sampled() by its result; `by_image` and `by_offset` hold zeros.
  void unsampled(const std::vector<float>& grad, const std::vector<float>& image,
                 const std::vector<float>& offset, std::vector<float>& by_image,
                 std::vector<float>& by_offset) const {
    for_each_point(offset, [&](const Point& point, const std::array<Corner, 4>& corners, float mask,
                               std::int64_t first) {
      float by_x = 0;
      float by_y = 0;
      float by_mask = 0;
      for (std::int64_t c = first; c < first + channels / parts; ++c) {
        const float own = grad[std::size_t(c * points() + point.value)];
        for (const Corner& corner : corners) {
          if (corner.pixel < 0) continue;
          const auto place = std::size_t(c * pixels() + corner.pixel);
          const float product = own * image[place];
          by_image[place] += own * mask * corner.weight;
          by_mask += product * corner.weight;
          by_x += product * corner.by_x;
          by_y += product * corner.by_y;
        }
      }
      by_offset[std::size_t(point.x)] = by_x * mask;
      by_offset[std::size_t(point.y)] = by_y * mask;
      by_offset[std::size_t(point.mask)] = by_mask;
    });
  }
};

void check_values(const Check& check, bool holds, const char* name,
                  const std::vector<std::int64_t>& values) {
  std::string text;
  for (const std::int64_t value : values) text += " " + std::to_string(value);
  check.that(holds, "%s holds%s", name, text.c_str());
}

/// Sizes and values of the arrays and numbers.
template <class Given>
void check_attributes(const Check& check, const Given& given) {
  const std::vector<std::int64_t>& taps = given.kernelSize.values();
  check_values(check, taps.size() == 2, "kernelSize", taps);
  for (const IntArrayIn* array : {&given.stride, &given.padding, &given.dilation})
    check_values(check, array->values().size() == 4, array->name(), array->values());
  constexpr std::int64_t kMostTaps = 2048;
  const Extent area = Extent(taps[0]) * taps[1];
  check_values(check, taps[0] > 0 && taps[1] > 0 && area.fits() && area.saturated() <= kMostTaps,
               "kernelSize", taps);
  for (const IntArrayIn* array : {&given.stride, &given.dilation}) {
    const std::vector<std::int64_t>& values = array->values();
    check_values(check, values[0] == 1 && values[1] == 1 && values[2] > 0 && values[3] > 0,
                 array->name(), values);
  }
  check.that(given.groups > 0 && given.deformableGroups > 0,
             "groups and deformableGroups must be above 0");
  check.that(given.modulated, "modulated must be true");
}

template <class... Tensors>
void check_rank(const Check& check, std::size_t rank, const Tensors&... tensors) {
  for (const TensorArgument* tensor : {&tensors...})
    if (tensor->given())
      check.that(tensor->rank() == rank, "%s has %zu dimensions, it must have %zu", tensor->name(),
                 tensor->rank(), rank);
}

template <class... Tensors>
void check_format(const Check& check, aclFormat format, const Tensors&... tensors) {
  for (const TensorArgument* tensor : {&tensors...})
    if (tensor->given())
      check.that(tensor->meta().format == format, "%s has format %d, not %d", tensor->name(),
                 int(tensor->meta().format), int(format));
}

/// The kernel's way over the image, whose channels must be divisible.
template <class Given>
Deformed deformed(const Check& check, const Given& given, const TensorArgument& image) {
  const Dims& shape = image.shape();
  Deformed d;
  d.samples = shape[0];
  d.channels = shape[1];
  d.results = given.weight.shape()[0];
  d.groups = given.groups;
  d.parts = given.deformableGroups;
  check.that(d.channels % d.parts == 0, "%s has %lld channels, they must be a multiple of %lld",
             image.name(), static_cast<long long>(d.channels), static_cast<long long>(d.parts));
  check.that(d.channels % d.groups == 0 && d.results % d.groups == 0,
             "%lld and %lld channels must be a multiple of %lld groups",
             static_cast<long long>(d.channels), static_cast<long long>(d.results),
             static_cast<long long>(d.groups));
  constexpr std::int64_t kMostPixels = 2147483647;
  const Extent pixels = Extent(shape[2]) * shape[3];
  check.that(pixels.fits() && pixels.saturated() <= kMostPixels, "%s has too many pixels",
             image.name());
  for (std::size_t i = 0; i < 2; ++i) {
    Axis& axis = i == 0 ? d.y : d.x;
    axis.image = shape[2 + i];
    axis.taps = given.kernelSize.values()[i];
    axis.stride = given.stride.values()[2 + i];
    axis.dilation = given.dilation.values()[2 + i];
    axis.padding = given.padding.values()[2 * i];
    const Extent room = Extent(axis.image) + axis.padding + given.padding.values()[2 * i + 1] -
                        Extent(axis.taps - 1) * axis.dilation - 1;
    check.that(room.fits(), "padding and dilation are too large");
    // Towards 0, as CANN divides.
    axis.positions = room.saturated() / axis.stride + 1;
    check.that(axis.positions >= 0, "%s has extent %lld on axis %zu, which the kernel exceeds",
               image.name(), static_cast<long long>(axis.image), 2 + i);
  }
  return d;
}

void check_shape(const Check& check, const TensorArgument& tensor,
                 std::initializer_list<Extent> extents) {
  Dims shape;
  for (const Extent& extent : extents) {
    check.that(extent.fits(), "%s would be too large", tensor.name());
    shape.push_back(extent.saturated());
  }
  if (tensor.given()) check.shape_is(tensor, shape, "the image and the kernel");
}

/// Shapes of what both directions have.
struct Around {
  const TensorArgument& weight;
  const TensorArgument& offset;
  const TensorArgument& bias;
  const TensorArgument& results;
  const TensorArgument& sampled;
};

void check_shapes(const Check& check, const Deformed& d, const Around& around) {
  check_shape(check, around.weight, {d.results, d.channels / d.groups, d.y.taps, d.x.taps});
  check_shape(check, around.offset,
              {d.samples, Extent(3) * d.parts * d.taps(), d.y.positions, d.x.positions});
  check_shape(check, around.bias, {d.results});
  check_shape(check, around.results, {d.samples, d.results, d.y.positions, d.x.positions});
  check_shape(
      check, around.sampled,
      {d.samples, d.channels, Extent(d.y.positions) * d.y.taps, Extent(d.x.positions) * d.x.taps});
}

void check_depth(const Check& check, const Deformed& d) {
  constexpr std::int64_t kMostDepth = 65535;
  const Extent depth = Extent(d.taps()) * d.channels;
  check.that(depth.fits() && depth.saturated() / d.groups <= kMostDepth,
             "the kernel covers too many elements of %lld channels",
             static_cast<long long>(d.channels));
}

/// Room for all points of all samples.
void reserve_points(Plan& plan, const Deformed& d) {
  const Extent count = Extent(d.samples) * d.channels * d.positions() * d.taps();
  check_inside(plan, count.fits(), "there are too many points");
  plan.reserve(count.saturated(), ACL_FLOAT);
}

}  // namespace

void deformable_conv2d(const Check& check, Plan& plan, const DeformableConv2dParameters& given) {
  const TensorArgument& x = given.x;
  const TensorArgument& bias = given.biasOptional;
  const TensorArgument& points = given.deformOutOptional;
  check.dtype_in(kFloats, x);
  for (const TensorArgument* tensor : {&bias, &points})
    if (tensor->given()) check.same_dtype(x, *tensor);
  check.same_dtype(x, given.offset, given.weight, given.out);
  const aclFormat format = x.meta().format;
  check.that(format == ACL_FORMAT_NCHW || (format == ACL_FORMAT_ND && !on_950()), "x has format %d",
             int(format));
  check_format(check, format, given.offset, given.weight);
  check_format(check, ACL_FORMAT_ND, bias);
  check_format(check, format, given.out, points);
  check_attributes(check, given);
  check_rank(check, 4, x, given.weight, given.offset);
  check_rank(check, 1, bias);
  check_rank(check, 4, given.out, points);
  const Deformed d = deformed(check, given, x);
  check_shapes(check, d, {given.weight, given.offset, bias, given.out, points});
  check_depth(check, d);
  if (x.is_empty() || given.weight.is_empty() || given.offset.is_empty()) return;
  check_inside(plan, on_a2_or_a3() || on_950(), "%s has no such kernel", chip().name);
  reserve_points(plan, d);
  const PackedOperand image = reads_packed(plan, x);
  const PackedOperand offsets = reads_packed(plan, given.offset);
  const PackedOperand weights = reads_packed(plan, given.weight);
  const PackedOperand biases = reads_packed(plan, bias);
  const PackedOperand out = writes_packed(plan, given.out);
  const PackedOperand points_out = writes_packed(plan, points);
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<float> values = d.sampled(image.read(memory), offsets.read(memory));
    points_out.write(memory, values);
    const std::vector<float> weight = weights.read(memory);
    const std::vector<float> added = biases.read(memory);
    std::vector<float> result(static_cast<std::size_t>(out.size()));
    GatherSums sums = sums_to_positions(d.window(), d.sums());
    sums.source = values.data();
    sums.weight = weight.data();
    sums.bias = added.empty() ? nullptr : added.data();
    sums.result = result.data();
    gather(sums);
    out.write(memory, result);
  });
}

void deformable_conv2d_backward(const Check& check, Plan& plan,
                                const DeformableConv2dBackwardParameters& given) {
  const TensorArgument& input = given.input;
  const TensorArgument& grad = given.gradOutput;
  check_inside(plan, on_950(), "%s has no such kernel", chip().name);
  check.dtype_in(kFloats, input);
  check.same_dtype(input, given.gradInput, given.gradWeight, given.gradOffset, given.weight,
                   given.offsetOut, given.offset, grad, given.gradBias);
  check_format(check, ACL_FORMAT_NCHW, grad, input, given.weight, given.offsetOut, given.offset,
               given.gradInput, given.gradWeight, given.gradOffset);
  check_format(check, ACL_FORMAT_ND, given.gradBias);
  check_attributes(check, given);
  for (const std::int64_t padding : given.padding.values())
    check.that(padding >= 0, "padding holds %lld", static_cast<long long>(padding));
  check_rank(check, 4, grad, input, given.weight, given.offsetOut, given.offset, given.gradInput,
             given.gradWeight, given.gradOffset);
  check_rank(check, 1, given.gradBias);
  const Deformed d = deformed(check, given, input);
  check_shapes(check, d, {given.weight, given.offset, given.gradBias, grad, given.offsetOut});
  check.same_shape(input, given.gradInput);
  check.same_shape(given.weight, given.gradWeight);
  check.same_shape(given.offset, given.gradOffset);
  check_depth(check, d);
  check_inside(plan, !input.is_empty() && !given.weight.is_empty() && !given.offset.is_empty(),
               "input, weight or offset is empty");
  reserve_points(plan, d);
  const PackedOperand image = reads_packed(plan, input);
  const PackedOperand grads = reads_packed(plan, grad);
  const PackedOperand points = reads_packed(plan, given.offsetOut);
  const PackedOperand weights = reads_packed(plan, given.weight);
  const PackedOperand offsets = reads_packed(plan, given.offset);
  const PackedOperand by_image_out = writes_packed(plan, given.gradInput);
  const PackedOperand by_weight_out = writes_packed(plan, given.gradWeight);
  const PackedOperand by_offset_out = writes_packed(plan, given.gradOffset);
  const PackedOperand by_bias_out = writes_packed(plan, given.gradBias);
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<float> grad_out = grads.read(memory);
    const std::vector<float> seen = points.read(memory);
    const std::vector<float> weight = weights.read(memory);
    std::vector<float> by_points(seen.size());
    GatherSums sums = sums_to_image(d.window(), d.sums());
    sums.source = grad_out.data();
    sums.weight = weight.data();
    sums.result = by_points.data();
    gather(sums);

    std::vector<float> by_weight(weight.size());
    WeightSums products{};
    products.gather = gather_positions(d.window());
    products.samples = d.samples;
    products.groups = d.groups;
    products.sources = d.sums().image;
    products.results = d.sums().positions;
    products.source = seen.data();
    products.result = grad_out.data();
    products.weight = by_weight.data();
    is_narrow(products) ? weight_narrow(products) : weight_by_products(products);
    by_weight_out.write(memory, by_weight);

    std::vector<double> by_bias(static_cast<std::size_t>(d.results));
    for (std::int64_t i = 0; i < std::int64_t(grad_out.size()); ++i)
      by_bias[std::size_t(i / d.positions() % d.results)] += double(grad_out[std::size_t(i)]);
    by_bias_out.write(memory, by_bias);

    const std::vector<float> offset = offsets.read(memory);
    std::vector<float> by_image(static_cast<std::size_t>(image.size()));
    std::vector<float> by_offset(offset.size());
    d.unsampled(by_points, image.read(memory), offset, by_image, by_offset);
    by_image_out.write(memory, by_image);
    by_offset_out.write(memory, by_offset);
  });
}

}  // namespace pyaclnn::sim
