// SPDX-License-Identifier: MIT
#include "opapi/resample/upsample_launch.hpp"

#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "core/checked.hpp"
#include "core/status.hpp"
#include "objects/dtype.hpp"

namespace pyaclnn::sim {
namespace {

std::size_t first_axis(const Upsampling& call) { return call.channels_last ? 1 : 2; }

}  // namespace

Dims Upsampling::shape() const {
  Dims result = self.shape();
  for (std::size_t i = 0; i < axes(); ++i) result.set(first_axis(*this) + i, output[i]);
  return result;
}

Upsampling upsampling_of(const Check& check, std::size_t axes, const TensorArgument& self,
                         const IntArrayIn& size, const TensorArgument& out) {
  check.that(self.rank() == axes + 2, "%s has %zu dimensions, it must have %zu", self.name(),
             self.rank(), axes + 2);
  check.that(size.values().size() == axes, "%s has %zu values, it must have %zu", size.name(),
             size.values().size(), axes);
  Upsampling call{self, out};
  call.channels_last = means_channels_last(self.meta().format, axes);
  for (std::size_t i = 0; i < axes; ++i)
    call.input.push_back(self.shape()[i + (call.channels_last ? 1 : 2)]);
  call.output = size.values();
  return call;
}

void check_sizes(const Check& check, const Upsampling& call) {
  const std::int64_t channels = call.self.shape()[call.channels_last ? call.axes() + 1 : 1];
  check.that(channels > 0, "%s has shape %s: it has no channels", call.self.name(),
             call.self.shape().text().c_str());
  for (std::size_t i = 0; i < call.axes(); ++i)
    check.that(call.input[i] > 0 && call.output[i] > 0,
               "spatial axis %zu goes from %lld to %lld elements, both must be at least 1", i,
               static_cast<long long>(call.input[i]), static_cast<long long>(call.output[i]));
}

void check_out_shape(const Check& check, const Upsampling& call) {
  check.shape_is(call.out, call.shape(), "outputSize");
}

void check_scales_lead_to(const Check& check, const Upsampling& call, const double* scales) {
  constexpr double kNear = 1e-5;
  for (std::size_t i = 0; i < call.axes(); ++i) {
    const double scale = scales[i];
    if (scale <= 0) continue;
    const std::int64_t output = call.output[i];
    const auto size = [&](double s) { return saturated_int(double(call.input[i]) * s); };
    check.that(
        output == size(scale) || (output >= size(scale - kNear) && output <= size(scale + kNear)),
        "the scale %g takes %lld elements to %lld, not to %lld", scale,
        static_cast<long long>(call.input[i]), static_cast<long long>(size(scale)),
        static_cast<long long>(output));
  }
}

void launch_upsampling(Plan& plan, const Upsampling& call, aclDataType type,
                       const UpsamplingMap& map) {
  constexpr std::int64_t kLimit = std::int64_t(1) << 30;
  for (const Dims& shape : {call.self.shape(), call.shape()})
    for (std::int64_t extent : shape)
      if (extent < 0 || extent > kLimit)
        fail(ACLNN_ERR_INNER_NULLPTR, "%s: the image is too large", plan.api());
  plan.stage(call.self).contiguous().cast_to(type);
  plan.result(type, call.shape()).cast_to(call.out.dtype()).copy_to(call.out);
  std::vector<AxisMap> maps;
  for (std::size_t i = 0; i < call.axes(); ++i) maps.push_back(map(i).transposed());
  if (call.channels_last) maps.push_back(identity_map(call.self.shape().back()));
  launch_axis_sums(plan, call.self, call.out, std::move(maps));
}

void launch_same_size(Plan& plan, const Upsampling& call) {
  launch_upsampling(plan, call, call.self.dtype(),
                    [&](std::size_t i) { return identity_map(call.input[i]); });
}

aclDataType at_least_float(aclDataType type) { return is_16_bit_float(type) ? ACL_FLOAT : type; }

}  // namespace pyaclnn::sim
