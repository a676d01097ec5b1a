// SPDX-License-Identifier: MIT
#include "opapi/resample/upsample_smooth.hpp"

#include <cmath>
#include <limits>

#include "core/checked.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/resample/resize.hpp"
#include "opapi/resample/upsample_launch.hpp"
#include "parameters/UpsampleLinear1d.hpp"

namespace pyaclnn::sim {
namespace {

void check_int32(const Check& check, const Upsampling& call) {
  for (const Dims& shape : {call.self.shape(), call.shape()})
    for (std::int64_t extent : shape)
      check.that(extent <= std::numeric_limits<std::int32_t>::max(),
                 "an extent is %lld, at most 2^31 - 1 is allowed", static_cast<long long>(extent));
}

/// Refuses to make an image more than fifty times smaller.
void check_step(const Check& check, double scale, double step_of_sizes) {
  constexpr double kLargestStep = 50;
  const double step = scale > 0 ? double(float(1.0 / scale)) : step_of_sizes;
  check.that(step <= kLargestStep, "an axis becomes %g times smaller, at most %g is possible", step,
             kLargestStep);
}

/// Whether CANN's kernel of A2 makes images of that size. Otherwise it makes them along other axes,
/// and sees the output so, which is possible only where that is contiguous.
bool has_cubic_kernel(const Upsampling& call, bool align_corners,
                      const std::array<double, 2>& scales) {
  constexpr float kLargestStep = 40;
  if (!on_a2_or_a3()) return false;
  const auto step = [&](std::size_t i) {
    const float input = float(call.self.shape()[i + 2]), output = float(call.output[i]);
    if (align_corners) return output > 1 ? (input - 1) / (output - 1) : 0.0f;
    return scales[i] > 0 ? float(1.0 / scales[i]) : input / output;
  };
  return step(0) <= kLargestStep && step(1) <= kLargestStep;
}

void launch_filter(Plan& plan, const Upsampling& call, bool align_corners,
                   const std::array<double, 2>& scales, Filter filter) {
  need_a2_kernel(plan);
  launch_upsampling(plan, call, on_950() ? call.self.dtype() : at_least_float(call.self.dtype()),
                    [&](std::size_t i) {
                      return antialias_map(call.input[i], call.output[i], scales[i],
                                           alignment_of(align_corners), filter);
                    });
}

}  // namespace

void upsample_linear1d(const Check& check, Plan& plan, const UpsampleLinear1dParameters& given) {
  constexpr double kNear = 1e-9;
  const Upsampling call = upsampling_of(check, 1, given.self, given.outputSize, given.out);
  check_sizes(check, call);
  check_out_shape(check, call);
  const std::int64_t input = call.input[0];
  const std::int64_t output = call.output[0];
  if (given.scale >= 0 && !on_950())
    check.that(saturated_int(double(input) * given.scale) == output,
               "the scale %g takes %lld elements to %lld, not to %lld; below 0 it does not count",
               given.scale, static_cast<long long>(input),
               static_cast<long long>(saturated_int(double(input) * given.scale)),
               static_cast<long long>(output));
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, given.self);
  check.same_dtype(given.self, given.out);
  if (given.self.is_empty()) return;
  if (!on_950() && (call.keeps_size() || std::fabs(given.scale - 1) < kNear)) {
    // CANN copies without a look at outputSize.
    const Upsampling copy{given.self, given.out, call.input, call.input};
    return launch_same_size(plan, copy);
  }
  needs_kernel(plan, !on_310p());
  launch_upsampling(plan, call, at_least_float(given.self.dtype()), [&](std::size_t) {
    return linear_map(input, output, given.scale, alignment_of(given.alignCorners));
  });
}

void upsample_trilinear3d(const Check& check, Plan& plan, const TensorArgument& self,
                          const IntArrayIn& size, bool align_corners,
                          const std::array<double, 3>& scales, const TensorArgument& out) {
  const DtypeSet halves{ACL_FLOAT, ACL_FLOAT16};
  check.dtype_in(on_310p() ? halves : halves | DtypeSet{ACL_DOUBLE, ACL_BF16}, self);
  check.same_dtype(self, out);
  const Upsampling call = upsampling_of(check, 3, self, size, out);
  check_formats(check, self);
  check_sizes(check, call);
  // The format of out says where it has its channels; it takes results as self has them.
  Dims volume{self.shape()[0]};
  const std::int64_t channels = self.shape()[call.channels_last ? 4 : 1];
  const bool out_has_them_last = means_channels_last(out.meta().format, 3);
  if (!out_has_them_last) volume.push_back(channels);
  for (std::int64_t extent : call.output) volume.push_back(extent);
  if (out_has_them_last) volume.push_back(channels);
  check.shape_is(out, volume, "outputSize");
  if (!on_950()) check_int32(check, call);
  if (self.is_empty()) return;
  check_inside(plan, out.shape() == call.shape(), "self and out have their channels elsewhere");
  const bool all = scales[0] > 0 && scales[1] > 0 && scales[2] > 0;
  launch_upsampling(plan, call, self.dtype(), [&](std::size_t i) {
    if (call.input[i] == call.output[i]) return identity_map(call.input[i]);
    return linear_map(call.input[i], call.output[i], all ? scales[i] : 0.0,
                      alignment_of(align_corners));
  });
}

void upsample_bicubic2d(const Check& check, Plan& plan, const TensorArgument& self,
                        const IntArrayIn& size, bool align_corners,
                        const std::array<double, 2>& scales, const TensorArgument& out) {
  check_formats(check, self, out);
  const Upsampling call = upsampling_of(check, 2, self, size, out);
  check_sizes(check, call);
  check_out_shape(check, call);
  if (!on_950()) {
    check_int32(check, call);
    check_scales_lead_to(check, call, scales.data());
  }
  if (self.is_empty()) return;
  // Elsewhere CANN's document excludes channels last, and its kernels take them for something else.
  check_kernel_exists(plan, on_950() || !call.channels_last);
  check_inside(
      plan, on_950() || out.meta().is_contiguous() || has_cubic_kernel(call, align_corners, scales),
      "%s writes no strided image of that size", chip().name);
  const aclDataType own = self.dtype();
  launch_upsampling(plan, call, on_950() ? own : at_least_float(own), [&](std::size_t i) {
    return cubic_map(call.input[i], call.output[i], scales[i], alignment_of(align_corners));
  });
}

void upsample_bilinear2d_aa(const Check& check, Plan& plan, const TensorArgument& input,
                            const IntArrayIn& size, bool align_corners,
                            const std::array<double, 2>& scales, const TensorArgument& out) {
  check_formats(check, input, out);
  const Upsampling call = upsampling_of(check, 2, input, size, out);
  check.that(out.rank() == 4, "out has %zu dimensions, it must have 4", out.rank());
  if (input.meta().format == ACL_FORMAT_NCHW) check_leading_axes(check, input, out);
  check.that(!(scales[0] < 0) && !(scales[1] < 0),
             "the scales are %g and %g, they must not be negative", scales[0], scales[1]);
  check_sizes(check, call);
  check.that(input.shape()[0] > 0, "input has shape %s: its batch is empty",
             input.shape().text().c_str());
  // CANN divides integers here.
  for (std::size_t i = 0; i < 2 && !on_950(); ++i)
    check_step(check, scales[i], double(call.input[i] / call.output[i]));
  if (out.is_empty()) return;
  if (call.keeps_size() && !on_950()) return launch_same_size(plan, call);
  launch_filter(plan, call, align_corners, scales, Filter::kTriangle);
}

void upsample_bicubic2d_aa(const Check& check, Plan& plan, const TensorArgument& x,
                           const IntArrayIn& size, bool align_corners,
                           const std::array<double, 2>& scales, const TensorArgument& out) {
  const Upsampling call = upsampling_of(check, 2, x, size, out);
  check_sizes(check, call);
  for (std::size_t i = 0; i < 2; ++i)
    check.that(out.shape()[2 + i] == call.output[i], "out has shape %s, outputSize says %s",
               out.shape().text().c_str(), call.shape().text().c_str());
  check_formats(check, x, out);
  if (!on_950()) {
    check_int32(check, call);
    for (std::size_t i = 0; i < 2; ++i)
      check_step(check, scales[i], double(call.input[i]) / double(call.output[i]));
  }
  if (x.is_empty() || out.is_empty()) return;
  launch_filter(plan, call, align_corners, scales, Filter::kCubic);
}

void resize(const Check& check, Plan& plan, const TensorArgument& self,
            const std::vector<float>& scales, const std::string& mode, const TensorArgument& out) {
  constexpr double kNear = 1e-5;
  check.that(self.rank() == 4 && out.rank() == 4,
             "self has %zu dimensions, out %zu; both must have 4", self.rank(), out.rank());
  check.that(scales.size() == 4, "scales has %zu values, it must have 4", scales.size());
  Upsampling call{self, out};
  call.channels_last = self.meta().format == ACL_FORMAT_NHWC;
  const std::size_t first = call.channels_last ? 1 : 2;
  const std::size_t channel = call.channels_last ? 3 : 1;
  check.that(self.shape()[0] == out.shape()[0] && self.shape()[channel] == out.shape()[channel],
             "self has shape %s, out has %s: they differ in batch or channels",
             self.shape().text().c_str(), out.shape().text().c_str());
  for (std::size_t i = first; i < first + 2; ++i) {
    const double extent = double(self.shape()[i]);
    const double scale = double(scales[i]);
    check.that(out.shape()[i] >= saturated_int(extent * (scale - kNear)) &&
                   out.shape()[i] <= saturated_int(extent * (scale + kNear)),
               "axis %zu has %lld elements and the factor %g, out has %lld", i,
               static_cast<long long>(self.shape()[i]), scale,
               static_cast<long long>(out.shape()[i]));
    call.input.push_back(self.shape()[i]);
    call.output.push_back(out.shape()[i]);
  }
  if (self.is_empty() || out.is_empty()) return;
  const bool is_nearest = mode.rfind("nearest", 0) == 0;
  const aclDataType own = self.dtype();
  launch_upsampling(plan, call, is_nearest ? own : at_least_float(own), [&](std::size_t i) {
    if (is_nearest) return nearest_map_by_size(call.input[i], call.output[i]);
    return linear_map(call.input[i], call.output[i], 0.0, Alignment::kEdges);
  });
}

}  // namespace pyaclnn::sim
