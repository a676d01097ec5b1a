// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "opapi/common/chip_family.hpp"
#include "opapi/resample/resize_gradients.hpp"

namespace pyaclnn::sim {
namespace {

constexpr double kNoScale = 1e-9;  // scales closer to 0 than this count as not given

/// Plans the kernel with the given scales, 0 for those that come from the sizes.
void launch_linear(Plan& plan, const TensorArgument& grad, const TensorArgument& out,
                   const Resize& r, const std::vector<double>& scales, Alignment alignment,
                   ComputeIn compute, Beyond beyond = Beyond::kIsLast) {
  launch_resize(
      plan, grad, out, r,
      [&](std::size_t axis) {
        return linear_map(r.input[axis], r.output[axis], scales[axis], alignment, beyond);
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

/// The scales where they count, else zeros.
std::vector<double> scales_if(bool scaled, const std::vector<double>& scales) {
  return scaled ? scales : std::vector<double>(scales.size());
}

}  // namespace

std::vector<double> all_or_none(const std::vector<double>& scales) {
  return scales_if(
      std::all_of(scales.begin(), scales.end(), [](double scale) { return scale > 0; }), scales);
}

void linear1d_gradient(const Check& check, Plan& plan, const TensorArgument& grad, const Resize& r,
                       bool align_corners, double scale, const TensorArgument& out) {
  constexpr double kLargestScale = 500;
  constexpr std::int64_t kLongAxis = 1000000;
  const std::int64_t input = r.input[0];
  const std::int64_t output = r.output[0];
  const Alignment alignment = alignment_of(align_corners);
  if (r.keeps_size() && !on_a2_or_a3()) return launch_unresized(plan, grad, out);
  if (has_950_kernels())
    return launch_linear(plan, grad, out, r, {scale}, alignment, ComputeIn::kOwnType);
  const bool fits = std::fabs(scale) <= kNoScale || scale_fits(input, output, scale);
  const bool scaled = on_a2_or_a3() && output < kLongAxis && (r.keeps_size() || fits);
  if (scaled) check_scales(check, r, {scale}, kLargestScale);
  launch_linear(plan, grad, out, r, scales_if(scaled, {scale}), alignment, ComputeIn::kFloat,
                beyond_on_a2(scaled));
}

void check_bilinear2d_dtypes(const Check& check, const TensorArgument& grad, const Resize& r,
                             const TensorArgument& out) {
  const DtypeSet floats{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
  const DtypeSet resized = has_950_kernels() ? floats : DtypeSet{ACL_FLOAT, ACL_FLOAT16};
  check.dtype_in(r.keeps_size() ? floats : resized, grad);
  if (has_950_kernels() && grad.dtype() == ACL_FLOAT && !r.keeps_size()) {
    check.dtype_in(floats, out);
  } else {
    check.same_dtype(grad, out);
  }
}

void bilinear2d_gradient(Plan& plan, const TensorArgument& grad, const Resize& r,
                         bool align_corners, const std::vector<double>& scales,
                         const TensorArgument& out) {
  if (r.keeps_size()) return launch_unresized(plan, grad, out);
  const bool scaled = has_950_kernels();
  launch_linear(plan, grad, out, r, scales_if(scaled, scales), alignment_of(align_corners),
                scaled ? ComputeIn::kOwnType : ComputeIn::kFloat);
}

void bilinear2d_v2_gradient(Plan& plan, const TensorArgument& grad, const Resize& r,
                            bool align_corners, const std::vector<double>& scales,
                            const TensorArgument& out) {
  const bool scaled =
      has_950_kernels() || (on_a2_or_a3() && (r.keeps_size() || takes_scales(r, scales)));
  launch_linear(plan, grad, out, r, scales_if(scaled, scales), alignment_of(align_corners),
                ComputeIn::kFloat, beyond_on_a2(scaled));
}

void trilinear3d_gradient(Plan& plan, const TensorArgument& grad, const Resize& r,
                          bool align_corners, const std::vector<double>& scales,
                          const TensorArgument& out) {
  std::vector<double> counting = all_or_none(scales);
  for (std::size_t axis = 0; axis < counting.size(); ++axis)
    if (r.input[axis] == r.output[axis]) counting[axis] = 0;
  launch_linear(plan, grad, out, r, counting, alignment_of(align_corners), ComputeIn::kOwnType);
}

void bicubic2d_gradient(Plan& plan, const TensorArgument& grad, const Resize& r, bool align_corners,
                        const std::vector<double>& scales, const TensorArgument& out) {
  if (r.keeps_size() && on_a2_or_a3()) return launch_unresized(plan, grad, out);
  launch_resize(
      plan, grad, out, r,
      [&](std::size_t axis) {
        return cubic_map(r.input[axis], r.output[axis], scales[axis], alignment_of(align_corners));
      },
      has_950_kernels() ? ComputeIn::kOwnType : ComputeIn::kFloat);
}

void antialias_gradient(Plan& plan, const TensorArgument& grad, const Resize& r, bool align_corners,
                        const std::vector<double>& scales, Filter filter, ComputeIn compute,
                        const TensorArgument& out) {
  launch_resize(
      plan, grad, out, r,
      [&](std::size_t axis) {
        return antialias_map(r.input[axis], r.output[axis], scales[axis],
                             alignment_of(align_corners), filter);
      },
      compute);
}

}  // namespace pyaclnn::sim
