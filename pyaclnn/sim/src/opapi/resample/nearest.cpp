// SPDX-License-Identifier: MIT
#include "core/checked.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/one_element.hpp"
#include "opapi/resample/resize_gradients.hpp"

namespace pyaclnn::sim {
namespace {

/// Whether truncating input * scale gives the output's extent.
bool truncates_to(std::int64_t input, std::int64_t output, double scale) {
  return saturated_int(double(input) * scale) == output;
}

/// Whether A2's matrix kernel takes a 2d call: not for many channels of small images.
bool suits_matrix_kernel(const Resize& r, const std::vector<double>& scales) {
  constexpr std::int64_t kChannelsPerElement = 6;
  constexpr std::int64_t kLeastHeight = 8;
  constexpr std::int64_t kLeastWidth = 16;
  if (!on_a2_or_a3() || scales[0] <= 0 || scales[1] <= 0) return false;
  for (const auto& image : {r.input, r.output}) {
    const Checked<std::int64_t> elements = Checked<std::int64_t>(image[0]) * image[1];
    if (r.channels > (elements * kChannelsPerElement).saturated()) return false;
    if (image[0] < kLeastHeight || image[1] < kLeastWidth) return false;
  }
  return truncates_to(r.input[0], r.output[0], scales[0]) &&
         truncates_to(r.input[1], r.output[1], scales[1]);
}

}  // namespace

void nearest1d_gradient(const Check& check, Plan& plan, const ResizeCall& call) {
  const std::int64_t input = call.sizes.input[0];
  const std::int64_t output = call.sizes.output[0];
  const double scale = call.scales[0];
  const aclDataType dtype = call.grad.dtype();
  const bool fits = scale > 0 && truncates_to(input, output, scale);
  const bool by_matrix = on_a2_or_a3() && fits && dtype != ACL_DOUBLE;
  // The 950 leaves that to the copy.
  const Dims result = call.sizes.grad_input_shape();
  if (!by_matrix && !has_950_kernels()) check_same_or_one(check, call.out, result);
  // One element is copied to an output of any number of dimensions.
  const bool is_one = !by_matrix && same_or_one(call.out.shape(), result);
  const TensorArgument out =
      is_one && call.out.shape() != result
          ? plan.described(call.out, result, contiguous_strides(result), call.out.meta().offset)
          : same_view(plan, call.out);
  const bool scaled = has_950_kernels() ? scale > 0 : fits;
  const bool casts = !by_matrix && dtype == ACL_FLOAT16 && !has_950_kernels();
  launch_resize(
      plan, {call.grad, out, call.sizes, call.scales},
      [&](std::size_t) {
        return scaled ? nearest_map(input, output, scale, false)
                      : nearest_map_by_size(input, output);
      },
      casts ? ComputeIn::kFloat : ComputeIn::kOwnType);
}

void nearest2d_gradient(const Check& check, Plan& plan, const ResizeCall& call) {
  const Resize& r = call.sizes;
  const bool by_matrix = suits_matrix_kernel(r, call.scales);
  // A2 goes by the scales where one is given, unless nothing is resized.
  const bool given = on_a2_or_a3() && (call.scales[0] > 0 || call.scales[1] > 0);
  const bool by_scale = by_matrix || has_950_kernels() || (given && !r.keeps_size());
  if (!by_matrix && !has_950_kernels()) check.shape_is(call.out, r.grad_input_shape(), "inputSize");
  const bool casts = !by_scale && call.grad.dtype() == ACL_FLOAT16;
  launch_resize(
      plan, call,
      [&](std::size_t axis) {
        return by_scale && call.scales[axis] > 0
                   ? nearest_map(r.input[axis], r.output[axis], call.scales[axis], false)
                   : nearest_map_by_size(r.input[axis], r.output[axis]);
      },
      casts ? ComputeIn::kFloat : ComputeIn::kOwnType);
}

void nearest_gradient(Plan& plan, const ResizeCall& call, bool exact) {
  launch_resize(
      plan, call,
      [&](std::size_t i) {
        return nearest_map(call.sizes.input[i], call.sizes.output[i], call.scales[i], exact);
      },
      ComputeIn::kOwnType);
}

}  // namespace pyaclnn::sim
