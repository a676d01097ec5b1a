// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/resample/resize_gradients.hpp"

namespace pyaclnn::sim {
namespace {

constexpr double kNoScale = 1e-9;  // scales closer to 0 than this count as not given

/// Plans the kernel; `scaled`: with the given scales, else with those that come from the sizes.
void launch_linear(Plan& plan, const ResizeCall& call, bool scaled, ComputeIn compute,
                   Beyond beyond = Beyond::kIsLast) {
  launch_resize(
      plan, call,
      [&](std::size_t i) {
        return linear_map(call.sizes.input[i], call.sizes.output[i], scaled ? call.scales[i] : 0.0,
                          alignment_of(call.align_corners), beyond);
      },
      compute);
}

/// Whether A2's kernel, which computes with the scales, takes a 2d call.
bool takes_scales(const Resize& r, const std::vector<double>& scales) {
  constexpr double kSmallestStep = 0.01;
  const bool given = std::fabs(scales[0]) > kNoScale || std::fabs(scales[1]) > kNoScale;
  for (std::size_t i = 0; i < 2; ++i) {
    if (given && !scale_fits(r.input[i], r.output[i], scales[i])) return false;
    const double step = scales[i] > 0 ? 1.0 / scales[i] : double(r.input[i]) / double(r.output[i]);
    if (step < kSmallestStep) return false;
  }
  return true;
}

/// A2's kernel does not look where a scale leads to.
Beyond beyond_on_a2(bool scaled) {
  return scaled && on_a2_or_a3() ? Beyond::kIsDropped : Beyond::kIsLast;
}

}  // namespace

std::vector<double> all_or_none(const std::vector<double>& scales) {
  const bool all =
      std::all_of(scales.begin(), scales.end(), [](double scale) { return scale > 0; });
  return all ? scales : std::vector<double>(scales.size());
}

void linear1d_gradient(const Check& check, Plan& plan, const ResizeCall& call) {
  constexpr double kLargestScale = 500;
  constexpr std::int64_t kLongAxis = 1000000;
  const Resize& r = call.sizes;
  const double scale = call.scales[0];
  if (r.keeps_size() && !on_a2_or_a3()) return launch_unresized(plan, call.grad, call.out);
  if (has_950_kernels()) return launch_linear(plan, call, true, ComputeIn::kOwnType);
  const bool fits = std::fabs(scale) <= kNoScale || scale_fits(r.input[0], r.output[0], scale);
  const bool scaled = on_a2_or_a3() && r.output[0] < kLongAxis && (r.keeps_size() || fits);
  if (scaled) check_scales(check, r, call.scales, kLargestScale);
  launch_linear(plan, call, scaled, ComputeIn::kFloat, beyond_on_a2(scaled));
}

void check_bilinear2d_dtypes(const Check& check, const TensorArgument& grad, const Resize& sizes,
                             const TensorArgument& out) {
  // What is not resized is copied, of any type.
  if (sizes.keeps_size()) return check.same_dtype(grad, out);
  const DtypeSet floats{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
  check.dtype_in(has_950_kernels() ? floats : DtypeSet{ACL_FLOAT, ACL_FLOAT16}, grad);
  if (has_950_kernels() && grad.dtype() == ACL_FLOAT) {
    check.dtype_in(floats, out);
  } else {
    check.same_dtype(grad, out);
  }
}

void bilinear2d_gradient(Plan& plan, const ResizeCall& call) {
  if (call.sizes.keeps_size()) return launch_unresized(plan, call.grad, call.out);
  const bool scaled = has_950_kernels();
  launch_linear(plan, call, scaled, scaled ? ComputeIn::kOwnType : ComputeIn::kFloat);
}

void bilinear2d_v2_gradient(Plan& plan, const ResizeCall& call) {
  const Resize& r = call.sizes;
  const bool copies = std::all_of(call.scales.begin(), call.scales.end(),
                                  [](double scale) { return scale <= 0 || scale == 1; });
  if (is_integral(call.out.dtype()) && !copies)
    fail_not_simulated(plan, "a scale other than 1 of integers");
  const bool scaled =
      has_950_kernels() || (on_a2_or_a3() && (r.keeps_size() || takes_scales(r, call.scales)));
  launch_linear(plan, call, scaled, ComputeIn::kFloat, beyond_on_a2(scaled));
}

void trilinear3d_gradient(Plan& plan, const ResizeCall& call) {
  const Resize& r = call.sizes;
  const std::vector<double> scales = all_or_none(call.scales);
  launch_resize(
      plan, call,
      [&](std::size_t i) {
        return linear_map(r.input[i], r.output[i], r.input[i] == r.output[i] ? 0.0 : scales[i],
                          alignment_of(call.align_corners));
      },
      ComputeIn::kOwnType);
}

void bicubic2d_gradient(Plan& plan, const ResizeCall& call) {
  const Resize& r = call.sizes;
  if (r.keeps_size() && on_a2_or_a3()) return launch_unresized(plan, call.grad, call.out);
  launch_resize(
      plan, call,
      [&](std::size_t i) {
        return cubic_map(r.input[i], r.output[i], call.scales[i], alignment_of(call.align_corners));
      },
      has_950_kernels() ? ComputeIn::kOwnType : ComputeIn::kFloat);
}

void antialias_gradient(Plan& plan, const ResizeCall& call, Filter filter, ComputeIn compute) {
  launch_resize(
      plan, call,
      [&](std::size_t i) {
        return antialias_map(call.sizes.input[i], call.sizes.output[i], call.scales[i],
                             alignment_of(call.align_corners), filter);
      },
      compute);
}

}  // namespace pyaclnn::sim
