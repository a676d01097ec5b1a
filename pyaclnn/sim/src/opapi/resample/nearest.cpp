// SPDX-License-Identifier: MIT
#include "core/checked.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/resample/resize_gradients.hpp"

namespace pyaclnn::sim {
namespace {

/// Whether truncating input * scale gives the output's extent.
bool truncates_to(std::int64_t input, std::int64_t output, double scale) {
  return saturated_int(double(input) * scale) == output;
}

/// Whether A2's matrix kernel takes a 2d call: not for many channels of small images.
bool suits_matrix_kernel(const Resize& r, double scale_h, double scale_w) {
  constexpr std::int64_t kChannelsPerElement = 6;
  constexpr std::int64_t kLeastHeight = 8;
  constexpr std::int64_t kLeastWidth = 16;
  if (!on_a2_or_a3() || scale_h <= 0 || scale_w <= 0) return false;
  for (const auto& image : {r.input, r.output}) {
    if (r.channels > kChannelsPerElement * image[0] * image[1]) return false;
    if (image[0] < kLeastHeight || image[1] < kLeastWidth) return false;
  }
  return truncates_to(r.input[0], r.output[0], scale_h) &&
         truncates_to(r.input[1], r.output[1], scale_w);
}

}  // namespace

void nearest1d_gradient(const Check& check, Plan& plan, const TensorArgument& grad, const Resize& r,
                        double scale, const TensorArgument& out) {
  const std::int64_t input = r.input[0];
  const std::int64_t output = r.output[0];
  const bool fits = scale > 0 && truncates_to(input, output, scale);
  const bool by_matrix = on_a2_or_a3() && fits && grad.dtype() != ACL_DOUBLE;
  if (!by_matrix) check.shape_is(out, r.grad_input_shape(), "inputSize");
  const bool scaled = has_950_kernels() ? scale > 0 : fits;
  const bool casts = !by_matrix && grad.dtype() == ACL_FLOAT16 && !has_950_kernels();
  launch_resize(
      plan, grad, out, r,
      [&](std::size_t) {
        return scaled ? nearest_map(input, output, scale, false)
                      : nearest_map_by_size(input, output);
      },
      casts ? ComputeIn::kFloat : ComputeIn::kOwnType);
}

void nearest2d_gradient(const Check& check, Plan& plan, const TensorArgument& grad, const Resize& r,
                        const std::vector<double>& scales, const TensorArgument& out) {
  const bool by_matrix = suits_matrix_kernel(r, scales[0], scales[1]);
  const bool by_scale = by_matrix || has_950_kernels();
  if (!by_scale) check.shape_is(out, r.grad_input_shape(), "inputSize");
  const bool casts = !by_scale && grad.dtype() == ACL_FLOAT16;
  launch_resize(
      plan, grad, out, r,
      [&](std::size_t axis) {
        return by_scale && scales[axis] > 0
                   ? nearest_map(r.input[axis], r.output[axis], scales[axis], false)
                   : nearest_map_by_size(r.input[axis], r.output[axis]);
      },
      casts ? ComputeIn::kFloat : ComputeIn::kOwnType);
}

void nearest_gradient(Plan& plan, const TensorArgument& grad, const Resize& r,
                      const std::vector<double>& scales, bool exact, const TensorArgument& out) {
  launch_resize(
      plan, grad, out, r,
      [&](std::size_t axis) {
        return nearest_map(r.input[axis], r.output[axis], scales[axis], exact);
      },
      ComputeIn::kOwnType);
}

}  // namespace pyaclnn::sim
