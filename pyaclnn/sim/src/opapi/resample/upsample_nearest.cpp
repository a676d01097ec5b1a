// SPDX-License-Identifier: MIT
#include "opapi/resample/upsample_nearest.hpp"

#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/resample/resize.hpp"
#include "opapi/resample/upsample_launch.hpp"
#include "parameters/UpsampleNearestExact1d.hpp"

namespace pyaclnn::sim {
namespace {

/// The step that a scale means, 0 for that of the sizes.
template <class T>
float step_of(T scale) {
  return scale > 0 ? static_cast<float>(1.0 / static_cast<double>(scale)) : 0.0f;
}

/// float64 and uint8 go to a kernel that takes no scales.
bool is_computed_elsewhere(const TensorArgument& self) {
  return self.dtype() == ACL_DOUBLE || self.dtype() == ACL_UINT8;
}

/// A2, A3, the 950 and, without bfloat16, the 310P have kernels for elements counted from their
/// middles.
void need_exact_kernel(const Plan& plan, const TensorArgument& self) {
  check_kernel_exists(plan, on_a2_or_late_950() || (on_310p() && self.dtype() != ACL_BF16));
}

/// The step of an axis of an image, as the host hands it to A2's kernel.
float image_step(const Upsampling& call, std::size_t axis, float step) {
  constexpr std::int64_t kSmallImage = 128;
  const std::int64_t input = call.input[axis];
  const std::int64_t output = call.output[axis];
  if (input == output) return 1;
  if (output != 2 * input) return step;
  const bool is_small = output + call.output[1 - axis] <= kSmallImage;
  const bool is_deep = call.channels_last && call.self.shape().back() > 3;
  return is_small || is_deep ? 0.5f : step;
}

}  // namespace

void upsample_nearest1d(const Check& check, Plan& plan, const TensorArgument& self,
                        const IntArrayIn& size, float scale, const TensorArgument& out) {
  // CANN looks at the first number only; more of them are no mistake to it.
  check.that(!size.values().empty(), "outputSize is empty");
  check.that(self.rank() == 3, "self has %zu dimensions, it must have 3", self.rank());
  const std::int64_t length = size.values()[0];
  check.that(self.shape()[1] != 0 && self.shape()[2] != 0 && length != 0,
             "self has shape %s, outputSize is %lld: only the batch may be empty",
             self.shape().text().c_str(), static_cast<long long>(length));
  check_formats(check, self, out);
  if (self.is_empty() || out.is_empty()) return;
  Upsampling call{self, out};
  call.input = {self.shape()[2]};
  call.output = {length};
  const bool counts = chip().soc != Soc::kAscend910 && !is_computed_elsewhere(self);
  launch_upsampling(plan, call, self.dtype(), [&](std::size_t) {
    return nearest_map_by_size(call.input[0], length, counts ? step_of(scale) : 0.0f);
  });
}

void upsample_nearest2d_v2(const Check& check, Plan& plan, const TensorArgument& self,
                           const IntArrayIn& size, const std::array<float, 2>& scales,
                           const TensorArgument& out) {
  if (self.is_empty() || out.is_empty()) return;
  const Upsampling call = upsampling_of(check, 2, self, size, out);
  check_sizes(check, call);
  check_formats(check, self, out);
  check_out_shape(check, call);
  const bool is_950 = on_950();
  const bool both = scales[0] > 0 && scales[1] > 0 && chip().soc != Soc::kAscend910;
  const auto step = [&](std::size_t i) {
    if (is_computed_elsewhere(self)) return 0.0f;
    if (is_950) return step_of(scales[i]);
    return both ? image_step(call, i, step_of(scales[i])) : 0.0f;
  };
  launch_upsampling(plan, call, self.dtype(), [&](std::size_t i) {
    return nearest_map_by_size(call.input[i], call.output[i], step(i));
  });
}

/// Elements counted from their middles.
void upsample_nearest_exact1d(const Check& check, Plan& plan,
                              const UpsampleNearestExact1dParameters& given) {
  const Upsampling call = upsampling_of(check, 1, given.self, given.outputSize, given.out);
  check_sizes(check, call);
  check.that(given.self.shape()[0] > 0, "self has shape %s: its batch is empty",
             given.self.shape().text().c_str());
  const aclFormat format = given.self.meta().format;
  check_inside(plan, !on_950() || format == ACL_FORMAT_NCL || format == ACL_FORMAT_ND,
               "self has another format than NCL and ND");
  check_inside(plan, !on_950() || given.out.rank() == 3, "out has %zu dimensions, not 3",
               given.out.rank());
  if (!has_950_kernels()) need_exact_kernel(plan, given.self);
  launch_upsampling(plan, call, given.self.dtype(), [&](std::size_t) {
    return nearest_exact_map_by_size(call.input[0], call.output[0], step_of(given.scales));
  });
}

void upsample_nearest_exact2d(const Check& check, Plan& plan, const TensorArgument& self,
                              const IntArrayIn& size, const std::array<double, 2>& scales,
                              const TensorArgument& out) {
  if (self.is_empty() || out.is_empty()) return;
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, self);
  check.same_dtype(self, out);
  const Upsampling call = upsampling_of(check, 2, self, size, out);
  check_sizes(check, call);
  const std::size_t channel = call.channels_last ? 3 : 1;
  check.that(self.shape()[0] == out.shape()[0] && self.shape()[channel] == out.shape()[channel],
             "self has shape %s, out has %s: they differ in batch or channels",
             self.shape().text().c_str(), out.shape().text().c_str());
  check_formats(check, self, out);
  if (!has_950_kernels()) need_exact_kernel(plan, self);
  launch_upsampling(plan, call, self.dtype(), [&](std::size_t i) {
    return nearest_exact_map_by_size(call.input[i], call.output[i], step_of(scales[i]));
  });
}

void upsample_nearest_exact3d(const Check& check, Plan& plan, const TensorArgument& self,
                              const IntArrayIn& size, const std::array<double, 3>& scales,
                              const TensorArgument& out) {
  const DtypeSet halves{ACL_FLOAT, ACL_FLOAT16};
  check.dtype_in(on_310p() ? halves : halves | DtypeSet{ACL_BF16}, self);
  check.same_dtype(self, out);
  const Upsampling call = upsampling_of(check, 3, self, size, out);
  check_sizes(check, call);
  const bool all = scales[0] > 0 && scales[1] > 0 && scales[2] > 0;
  if (all) check_scales_lead_to(check, call, scales.data());
  check_out_shape(check, call);
  if (self.is_empty()) return;
  need_exact_kernel(plan, self);
  launch_upsampling(plan, call, self.dtype(), [&](std::size_t i) {
    return nearest_exact_map_by_size(call.input[i], call.output[i],
                                     all ? step_of(scales[i]) : 0.0f);
  });
}

}  // namespace pyaclnn::sim
