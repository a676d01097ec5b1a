// Convolutions of int8 in exact sums and of floats of a byte, with a scale for each channel of the
// result.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/checked.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/numbers.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/convolution/convolution.hpp"
#include "opapi/product/integer_product.hpp"
#include "opapi/quant/stored_scales.hpp"
#include "parameters/QuantConvolution.hpp"

namespace pyaclnn::sim {
namespace {

using Call = QuantConvolutionParameters;

constexpr std::int64_t kAxes = 3, kChannels = 1;
constexpr std::int64_t kWeightBlock = 32;

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

/// The sizes of a convolution in three dimensions, of which a plane lacks the first.
struct Sizes {
  std::int64_t samples = 1, groups = 1, channels = 1, results = 1;  // channels of a group
  ConvolutionWindow window;
  std::int8_t beside = 0;  // the image

  static std::int64_t product(const Extents3& extents) {
    return extents[0] * extents[1] * extents[2];
  }
  std::int64_t taps() const { return product(window.taps); }
  std::int64_t depth() const { return channels * taps(); }

  /// What the taps of a group's channels see at a position.
  void column(const std::int8_t* from, std::int64_t position, std::int8_t* to) const {
    const Extents3 &out = window.positions, &kernel = window.taps, &image = window.image;
    const Extents3 place{position / (out[1] * out[2]), position / out[2] % out[1],
                         position % out[2]};
    for (std::int64_t c = 0; c < channels; ++c, from += product(image)) {
      for (std::int64_t tap = 0; tap < taps(); ++tap) {
        const Extents3 step{tap / (kernel[1] * kernel[2]), tap / kernel[2] % kernel[1],
                            tap % kernel[2]};
        std::int64_t offset = 0;
        bool inside = true;
        for (std::size_t i = 0; i < kAxes; ++i) {
          const std::int64_t seen =
              place[i] * window.stride[i] + step[i] * window.dilation[i] - window.padding[i];
          inside = inside && seen >= 0 && seen < image[i];
          offset = offset * image[i] + seen;
        }
        *to++ = inside ? from[offset] : beside;
      }
    }
  }
};

void check_types(const Check& check, const Call& c) {
  check.dtype_in(on_950() ? DtypeSet{ACL_INT64, ACL_UINT64, ACL_FLOAT} : DtypeSet{ACL_FLOAT},
                 c.scale);
  const aclDataType in = c.input.dtype(), out = c.output.dtype();
  const aclDataType bias = c.bias.given() ? c.bias.dtype() : ACL_DT_UNDEFINED;
  const bool small = in == ACL_HIFLOAT8 || in == ACL_FLOAT8_E4M3FN;
  check.that((in == ACL_INT8 || (small && on_950())) && c.weight.dtype() == in,
             "input is %s, and weight %s", dtype_name(in), dtype_name(c.weight.dtype()));
  const bool half = is_16_bit_float(out);
  check.that(half || (small && (out == ACL_FLOAT || out == in)), "output is %s beside input of %s",
             dtype_name(out), dtype_name(in));
  check.that(bias == ACL_DT_UNDEFINED || bias == ACL_FLOAT || (!small && bias == out) ||
                 (!small && on_950() && bias == ACL_INT32 && out == ACL_FLOAT16),
             "bias is %s, and output %s", dtype_name(bias), dtype_name(out));
}

void check_dimensions(const Check& check, const Call& c, bool in_blocks) {
  check.that(c.scale.rank() == 1 && (!c.bias.given() || c.bias.rank() == 1),
             "scale and bias must have one dimension");
  const std::size_t rank = c.input.rank();
  check.that(rank == 5 || (rank == 4 && on_950()), "input has %zu dimensions", rank);
  check.that(c.weight.rank() == rank && c.output.rank() == rank,
             "weight and output have %zu and %zu dimensions, not %zu", c.weight.rank(),
             c.output.rank(), rank);
  const auto count = [](const IntArrayIn& array) {
    return array.given() ? array.values().size() : 0;
  };
  const std::size_t axes = rank - 2;
  check.that(count(c.stride) == axes && count(c.dilation) == axes,
             "stride and dilation must have %zu values", axes);
  check.that(count(c.padding) == axes || (on_950() && count(c.padding) == 2 * axes),
             "padding has %zu values", count(c.padding));
  for (const TensorArgument* row : {&c.bias, &c.scale})
    check.that(!row->given() || row->meta().format == ACL_FORMAT_ND, "%s must be in the format ND",
               row->name());
  const aclFormat format = rank == 5 ? ACL_FORMAT_NCDHW : ACL_FORMAT_NCHW;
  const bool blocks = in_blocks && rank == 5;
  check.that(c.input.meta().format == format && c.output.meta().format == format &&
                 c.weight.meta().format == (blocks ? ACL_FRACTAL_Z_3D : format),
             "input, weight or output is in another format");
}

/// One value of an axis, or the pair of it.
std::int64_t padded(const IntArrayIn& padding, std::size_t axes, std::size_t axis, bool after) {
  const auto& values = padding.values();
  return values.size() == axes ? values[axis] : values[2 * axis + (after ? 1 : 0)];
}

bool is_small(const Call& c) { return c.input.dtype() != ACL_INT8; }

/// What the 950 looks at, beside sizes: how results are rounded, and what lies beside an image.
void check_numbers(const Check& check, const Call& c) {
  const std::string mode = c.roundMode.given() ? c.roundMode.text : "";
  const aclDataType out = c.output.dtype();
  const bool rounds = out == ACL_HIFLOAT8 || out == ACL_FLOAT8_E4M3FN;
  const auto is_word = [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '_';
  };
  constexpr std::size_t kLongest = 1024;
  check.that(rounds ? mode == (out == ACL_HIFLOAT8 ? "round" : "rint")
                    : mode.size() <= kLongest && std::all_of(mode.begin(), mode.end(), is_word),
             "roundMode is \"%s\" beside an output of %s", mode.c_str(), dtype_name(out));
  check.that(is_small(c) ? c.offsetx == 0 : c.offsetx >= -128 && c.offsetx <= 127,
             "offsetx is %d beside an input of %s", int(c.offsetx), dtype_name(c.input.dtype()));
}

void check_values(const Check& check, const Call& c, bool in_blocks) {
  const Dims &in = c.input.shape(), &weight = c.weight.shape(), &out = c.output.shape();
  const auto positive = [](std::int64_t extent) { return extent > 0; };
  check.that(std::all_of(in.begin(), in.end(), positive) &&
                 std::all_of(weight.begin(), weight.end(), positive),
             "input or weight is empty");
  if (in_blocks && in.size() == 5) {
    const auto blocks = blocks_of(ACL_FRACTAL_Z_3D, ACL_FORMAT_NCDHW, weight, kWeightBlock);
    check.that(blocks && blocks->storage == c.weight.meta().storage_shape,
               "weight is stored with shape %s", c.weight.meta().storage_shape.text().c_str());
  }
  check.that(c.scale.elements() == weight[0] && (!c.bias.given() || c.bias.elements() == weight[0]),
             "scale and bias must have %lld elements", ll(weight[0]));
  for (const IntArrayIn* array : {&c.stride, &c.dilation, &c.padding})
    for (const std::int64_t value : array->values())
      check.that(value > 0 || (array == &c.padding && value == 0), "%s has %lld in it",
                 array->name(), ll(value));
  check.that(on_950() ? c.groups > 0 && weight[0] % c.groups == 0 : c.groups == 1, "groups is %lld",
             ll(c.groups));
  check.that(weight[kChannels] <= in[kChannels] && in[kChannels] % c.groups == 0 &&
                 weight[kChannels] == in[kChannels] / c.groups,
             "input has %lld channels, and weight %lld in %lld groups", ll(in[kChannels]),
             ll(weight[kChannels]), ll(c.groups));
  if (on_950()) check_numbers(check, c);
  check.that(out[0] == in[0] && out[kChannels] == weight[0], "output has shape %s",
             out.text().c_str());
  const std::size_t axes = in.size() - 2;
  for (std::size_t i = 0; i < axes; ++i) {
    using Size = Checked<std::int64_t>;
    const Size room = Size(in[i + 2]) + Size(padded(c.padding, axes, i, false)) +
                      Size(padded(c.padding, axes, i, true)) -
                      Size(c.dilation.values()[i]) * Size(weight[i + 2] - 1) - Size(1);
    check.that(room.fits() && room.saturated() >= 0 &&
                   room.saturated() / c.stride.values()[i] == out[i + 2] - 1,
               "output has %lld elements along axis %zu", ll(out[i + 2]), i + 2);
  }
}

/// Whether the 950's kernel of volumes of int8 with scales of floats is called: it adds the bias
/// behind the scale, and knows no offset.
bool scales_behind(const Call& c) {
  return c.input.rank() == kAxes + 2 && !is_small(c) && c.scale.dtype() == ACL_FLOAT;
}

/// Which operands have kernels. Those of the 950 but one take scales in words, and a bias before
/// the scale.
void check_has_kernel(const Plan& plan, const Call& c, bool in_blocks) {
  if (!on_950())
    return check_kernel_exists(plan, !c.offset.given() || c.offset.dtype() == ACL_FLOAT);
  if (scales_behind(c)) return;
  const bool of_words =
      c.output.dtype() == ACL_FLOAT16 && (!c.bias.given() || c.bias.dtype() == ACL_INT32);
  check_kernel_exists(plan, is_packed_scale(c.scale.dtype()) && (is_small(c) || of_words) &&
                                !(in_blocks && c.input.rank() == kAxes + 2));
}

/// Limits of the kernels.
void check_kernel(const Plan& plan, const Call& c) {
  constexpr std::int64_t kMostDeep = 1000000, kMostStride = 63, kMost = 255;
  const std::size_t axes = c.input.rank() - 2;
  for (std::size_t i = 0; i < axes; ++i) {
    const bool deep = axes == kAxes && i == 0;
    const std::int64_t pad =
        std::max(padded(c.padding, axes, i, false), padded(c.padding, axes, i, true));
    check_tiling(plan,
                 c.stride.values()[i] <= (deep ? kMostDeep : kMostStride) &&
                     c.dilation.values()[i] <= (deep ? kMostDeep : kMost) &&
                     pad <= (deep ? kMostDeep : kMost),
                 "stride, dilation or padding of axis %zu is too large", i + 2);
  }
}

Sizes sizes_of(const Call& c) {
  Sizes sizes;
  const Dims &in = c.input.shape(), &weight = c.weight.shape(), &out = c.output.shape();
  sizes.samples = in[0];
  sizes.groups = c.groups;
  sizes.channels = weight[kChannels];
  sizes.results = weight[0] / c.groups;
  const std::size_t axes = in.size() - 2;
  for (std::size_t i = 0; i < axes; ++i) {
    const std::size_t to = i + kAxes - axes;
    sizes.window.image[to] = in[i + 2];
    sizes.window.taps[to] = weight[i + 2];
    sizes.window.positions[to] = out[i + 2];
    sizes.window.stride[to] = c.stride.values()[i];
    sizes.window.dilation[to] = c.dilation.values()[i];
    sizes.window.padding[to] = padded(c.padding, axes, i, false);
  }
  if (on_950() && !scales_behind(c)) sizes.beside = std::int8_t(c.offsetx);
  return sizes;
}

/// The weight, channels of the result one behind another.
struct Weight {
  View view;
  std::optional<Blocks> blocks;

  Weight(Plan& plan, const TensorArgument& tensor, bool in_blocks) {
    if (!in_blocks) {
      plan.stage(tensor).contiguous();
      view = plan.reads(tensor);
      return;
    }
    blocks = blocks_of(ACL_FRACTAL_Z_3D, ACL_FORMAT_NCDHW, tensor.shape(), kWeightBlock);
    view = reads_storage(plan, tensor, blocks->elements);
  }

  std::vector<std::int8_t> read(const KernelMemory& memory) const {
    if (!blocks) return numbers_of<std::int8_t>(memory, view);
    View plain;
    plain.dtype = ACL_INT8;
    plain.shape = plain.strides = blocks->shape;
    std::int64_t step = 1;
    for (std::size_t i = plain.shape.size(); i-- > 0; step *= plain.shape[i])
      plain.strides.set(i, step);
    std::vector<std::int8_t> result(at(step));
    from_blocks(plain, *blocks, first_element(memory, view, 0),
                reinterpret_cast<std::byte*>(result.data()));
    return result;
  }
};

/// A scale for each channel, a word of 64 bits or a float; a bias before it or behind it.
struct Channels {
  StoredScales scale;
  View bias;
  bool has_bias = false;

  struct Run {
    std::vector<float> scales, added;
    std::vector<std::int32_t> whole;
  };

  Run read(const KernelMemory& memory) const {
    Run run;
    run.scales = scale.values(memory);
    if (has_bias && bias.dtype == ACL_INT32) run.whole = numbers_of<std::int32_t>(memory, bias);
    if (has_bias && bias.dtype != ACL_INT32) run.added = numbers_of<float>(memory, bias);
    return run;
  }
};

/// Sums and biases in float32, which the scales are multiplied with on their way out.
void convolve_floats(Plan& plan, const Call& c, const Sizes& sizes, const Channels& channels) {
  plan.stage(c.weight).contiguous();
  ConvolutionSum sum;
  sum.window = sizes.window;
  sum.samples = sizes.samples;
  sum.groups = sizes.groups;
  sum.image_channels = sizes.channels;
  sum.position_channels = sizes.results;
  sum.source = RowMajor(plan.reads(c.input));
  sum.weight = RowMajor(plan.reads(c.weight));
  if (channels.has_bias) sum.bias = RowMajor(channels.bias);
  const RowMajor sums(plan.writes(plan.scratch("sums", ACL_FLOAT, c.output.shape())));
  sum.result = sums;
  launch_convolution_sum(plan, sum);
  const RowMajor out(plan.writes(c.output));
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<float> scales = channels.read(memory).scales;
    const std::int64_t results = sizes.results * sizes.groups;
    const std::int64_t positions = Sizes::product(sizes.window.positions);
    std::vector<float> line(at(positions));
    for (std::int64_t row = 0; row < sizes.samples * results; ++row) {
      const float* const from =
          RowMajorAccess(sums, memory).read(row * positions, positions, line.data());
      for (std::size_t i = 0; i < line.size(); ++i) line[i] = from[i] * scales[at(row % results)];
      RowMajorAccess(out, memory).write(row * positions, positions, line.data());
    }
  });
}

void convolve(const Check& check, Plan& plan, const Call& c, bool in_blocks) {
  if (!on_950()) check.not_null(c.bias);
  check.not_null(c.input, c.weight, c.scale, c.stride, c.padding, c.output);
  check_types(check, c);
  check_dimensions(check, c, in_blocks);
  check_values(check, c, in_blocks);
  check.that(on_a2_or_a3() || on_950(), "%s does not have the operator", chip().name);
  check_has_kernel(plan, c, in_blocks);
  check_kernel(plan, c);
  const Sizes sizes = sizes_of(c);
  plan.stage(c.input).contiguous();
  const View input = plan.reads(c.input);
  Channels channels;
  channels.scale = StoredScales(plan, c.scale);
  if (c.bias.given()) {
    plan.stage(c.bias).contiguous();
    channels.bias = plan.reads(c.bias);
    channels.has_bias = true;
  }
  plan.result(c.output.dtype(), c.output.shape()).copy_to(c.output);
  if (is_small(c)) return convolve_floats(plan, c, sizes, channels);
  const Weight weight(plan, c.weight, in_blocks && c.input.rank() == 5);
  const RowMajor out(plan.writes(c.output));
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<std::int8_t> images = numbers_of<std::int8_t>(memory, input);
    const std::vector<std::int8_t> filters = weight.read(memory);
    const Channels::Run run = channels.read(memory);
    constexpr std::int64_t kMost = 4096;  // positions at a time
    const std::int64_t depth = sizes.depth(), positions = Sizes::product(sizes.window.positions);
    const std::int64_t image = sizes.channels * Sizes::product(sizes.window.image);
    std::vector<std::int8_t> columns(at(std::min(positions, kMost) * depth));
    for (std::int64_t part = 0; part < sizes.samples * sizes.groups; ++part) {
      const std::int64_t first = part % sizes.groups * sizes.results;  // channel of the result
      for (std::int64_t begin = 0; begin < positions; begin += kMost) {
        const std::int64_t count = std::min(kMost, positions - begin);
        for (std::int64_t i = 0; i < count; ++i)
          sizes.column(images.data() + part * image, begin + i, columns.data() + i * depth);
        IntegerMatrix a, b;
        a.base = reinterpret_cast<const std::byte*>(filters.data() + first * depth);
        b.base = reinterpret_cast<const std::byte*>(columns.data());
        a.line_step = b.line_step = depth;
        b.turned = true;
        integer_product(
            a, b, sizes.results, count, depth,
            [&](std::int64_t row, std::int64_t column, std::int64_t width,
                const std::int32_t* sums) {
              const std::size_t own = at(first + row);
              const std::uint32_t before = run.whole.empty() ? 0U : std::uint32_t(run.whole[own]);
              const float after = run.added.empty() ? 0.0f : run.added[own];
              std::vector<float> line(at(width));
              for (std::int64_t j = 0; j < width; ++j)
                line[at(j)] =
                    float(std::int32_t(std::uint32_t(sums[j]) + before)) * run.scales[own] + after;
              RowMajorAccess(out, memory)
                  .write((part * sizes.results + row) * positions + begin + column, width,
                         line.data());
            });
      }
    }
  });
}

}  // namespace

void quant_convolution(const Check& check, Plan& plan, const Call& given) {
  convolve(check, plan, given, false);
}

void quant_convolution_nz(const Check& check, Plan& plan, const Call& given) {
  convolve(check, plan, given, true);
}

}  // namespace pyaclnn::sim
