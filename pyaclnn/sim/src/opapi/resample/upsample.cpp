// SPDX-License-Identifier: MIT
#include "opapi/resample/upsample.hpp"

#include <cmath>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "core/checked.hpp"
#include "core/status.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/resample/interpolation.hpp"
#include "opapi/resample/resize.hpp"
#include "opapi/resample/upsample_launch.hpp"
#include "parameters/UpsampleBilinear2d.hpp"

namespace pyaclnn::sim {
namespace {

void check_rank(const Check& check, const TensorArgument& tensor) {
  check.that(tensor.rank() == 4, "%s has %zu dimensions, it must have 4", tensor.name(),
             tensor.rank());
}

void check_size(const Check& check, const IntArrayIn& size, const TensorArgument& out) {
  check.that(size.values().size() == 2, "outputSize has %zu values, it must have 2",
             size.values().size());
  const std::size_t first = out.meta().format == ACL_FORMAT_NHWC ? 1 : 2;
  for (std::size_t i = 0; i < 2; ++i)
    check.that(size.values()[i] == out.shape()[first + i],
               "outputSize has the value %lld, out has shape %s",
               static_cast<long long>(size.values()[i]), out.shape().text().c_str());
}

/// A call whose channels are last where its format says so.
Upsampling upsampling_of(const TensorArgument& self, const TensorArgument& out) {
  Upsampling call{self, out};
  call.channels_last = means_channels_last(self.meta().format, self.rank() - 2);
  const std::size_t first = call.channels_last ? 1 : 2;
  for (std::size_t i = first; i < first + self.rank() - 2; ++i) {
    call.input.push_back(self.shape()[i]);
    call.output.push_back(out.shape()[i]);
  }
  return call;
}

/// Whether A2's kernel that takes scales takes these.
bool takes_scales(const Upsampling& call, bool align_corners, const double (&scales)[2]) {
  constexpr double kNear = 1e-9;
  constexpr double kNone = 1e-12;
  constexpr double kLargestStep = 50;
  const bool is_bf16 = call.self.dtype() == ACL_BF16;
  const auto both_are = [&](double value) {
    return std::fabs(scales[0] - value) < kNear && std::fabs(scales[1] - value) < kNear;
  };
  if ((both_are(2) && !is_bf16) || std::fabs(scales[0]) < kNone || std::fabs(scales[1]) < kNone)
    return false;
  if (both_are(1) && !call.keeps_size()) return false;
  for (std::size_t i = 0; i < 2; ++i) {
    const double input = double(call.input[i]);
    const double output = double(call.output[i]);
    if (saturated_int(input * scales[i]) != call.output[i]) return false;
    const double corners = output > 1 ? (input - 1) / (output - 1) : 0;
    const double step = input == output ? 1 : align_corners ? corners : 1 / scales[i];
    if (step > kLargestStep) return false;
  }
  return true;
}

}  // namespace

void upsample_nearest2d(const Check& check, Plan& plan, const TensorArgument& self,
                        const IntArrayIn& size, const TensorArgument& out) {
  check.that(size.values().size() == 2, "outputSize has %zu values, it must have 2",
             size.values().size());
  check_rank(check, self);
  for (std::size_t i = 1; i < 4; ++i)
    check.that(self.shape()[i] != 0, "self has shape %s: only the batch may be empty",
               self.shape().text().c_str());
  for (std::int64_t value : size.values()) check.that(value != 0, "outputSize has the value 0");
  check_formats(check, self, out);
  check_rank(check, out);
  check_batch_and_channels(check, self, out);
  check_size(check, size, out);
  for (const TensorArgument* tensor : {&self, &out})
    for (std::int64_t extent : tensor->shape())
      check.that(extent >= 0 && extent <= std::numeric_limits<std::int32_t>::max(),
                 "%s has the extent %lld, at most 2^31 - 1 is allowed", tensor->name(),
                 static_cast<long long>(extent));
  if (self.is_empty() || out.is_empty()) return;
  const Upsampling call = upsampling_of(self, out);
  launch_upsampling(plan, call, self.dtype(), [&](std::size_t i) {
    return nearest_map_by_size(call.input[i], call.output[i]);
  });
}

void need_images(const Plan& plan, const TensorArgument& self, const TensorArgument& out) {
  if (!self.given() || !out.given())
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: self or out is null", plan.api());
}

void upsample_bilinear2d(const Check& check, Plan& plan,
                         const UpsampleBilinear2dParameters& given) {
  check_formats(check, given.self, given.out);
  check_rank(check, given.self);
  check_rank(check, given.out);
  check.that(given.self.dtype() != ACL_DOUBLE || given.self.meta().format == ACL_FORMAT_NHWC,
             "self is float64 and its format not NHWC");
  check_batch_and_channels(check, given.self, given.out);
  check.that(!(given.scalesH < 0) && !(given.scalesW < 0),
             "the scales are %g and %g, they must not be negative", given.scalesH, given.scalesW);
  // CANN answers null with the code for an invalid argument here.
  check.that(given.outputSize.given(), "outputSize is null");
  check_size(check, given.outputSize, given.out);
  if (given.self.is_empty() || given.out.is_empty()) return;
  const Upsampling call = upsampling_of(given.self, given.out);
  const double scales[] = {given.scalesH, given.scalesW};
  const bool scaled = on_950() || (on_a2_or_a3() && takes_scales(call, given.alignCorners, scales));
  const Alignment alignment = alignment_of(given.alignCorners);
  const bool is_half =
      given.self.dtype() == ACL_BF16 || (scaled && given.self.dtype() == ACL_FLOAT16);
  launch_upsampling(plan, call, is_half ? ACL_FLOAT : given.self.dtype(), [&](std::size_t i) {
    if (call.input[i] == call.output[i]) return identity_map(call.input[i]);
    return linear_map(call.input[i], call.output[i], scaled ? scales[i] : 0.0, alignment);
  });
}

void upsample_nearest3d(const Check& check, Plan& plan, const TensorArgument& self,
                        const IntArrayIn& size, const std::array<double, 3>& scales,
                        const TensorArgument& out) {
  const bool is_950 = on_950();
  const DtypeSet usual = DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}.with_bf16();
  check.dtype_in(on_310p() ? DtypeSet{ACL_FLOAT, ACL_FLOAT16}
                 : is_950  ? usual | DtypeSet{ACL_UINT8}
                           : usual,
                 self);
  check.same_dtype(self, out);
  check.that(size.values().size() == 3, "outputSize has %zu values, it must have 3",
             size.values().size());
  for (const TensorArgument* tensor : {&self, &out})
    check.that(tensor->rank() == 5, "%s has %zu dimensions, it must have 5", tensor->name(),
               tensor->rank());
  for (std::size_t i = 1; i < 5; ++i)
    check.that(self.shape()[i] > 0, "self has shape %s: only the batch may be empty",
               self.shape().text().c_str());
  const bool channels_last = self.meta().format == ACL_FORMAT_NDHWC;
  Dims expected = self.shape();
  for (std::size_t i = 0; i < 3; ++i) {
    check.that(size.values()[i] > 0, "outputSize has the value %lld, it must be above 0",
               static_cast<long long>(size.values()[i]));
    expected.set(i + (channels_last ? 1 : 2), size.values()[i]);
  }
  check.shape_is(out, expected, "outputSize");
  if (self.is_empty()) return;
  const bool all = scales[0] > 0 && scales[1] > 0 && scales[2] > 0;
  const Upsampling call = upsampling_of(self, out);
  launch_upsampling(plan, call, self.dtype(), [&](std::size_t i) {
    // The 950's kernel divides float32, the others' are given a quotient of float64.
    const float step =
        is_950 ? 1.0f / static_cast<float>(scales[i]) : static_cast<float>(1.0 / scales[i]);
    const bool is_given = is_950 ? scales[i] > 0 : all;
    return nearest_map_by_size(call.input[i], call.output[i], is_given ? step : 0.0f);
  });
}

}  // namespace pyaclnn::sim
