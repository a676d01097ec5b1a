// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_upsample_nearest_1d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_2d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_3d_backward.h"
#include "core/checked.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/resample/resize.hpp"

using namespace pyaclnn::sim;

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

// out[i] = sum of gradOut[o] over the elements o that were copied from element i.
OPERATOR(UpsampleNearest1dBackward, (In, gradOut), (IntArrayIn, outputSize),
         (IntArrayIn, inputSize), (Double, scales), (Out, out)) {
  check.not_null(gradOut, outputSize, inputSize, out);
  check_resize_rank(check, 1, gradOut);
  check_size_lengths(check, 1, outputSize, inputSize);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}.with_bf16(), gradOut);
  check.same_dtype(gradOut, out);
  const Resize r = resize_of(gradOut, outputSize, inputSize, SizeOrder::kChannelsSecond);
  check_positive(check, r);
  check.shape_is(gradOut, r.grad_output_shape(), "inputSize and outputSize");
  check_leading_axes(check, gradOut, out);
  if (gradOut.is_empty() || out.is_empty()) return;

  const std::int64_t input = r.input[0];
  const std::int64_t output = r.output[0];
  const bool fits = scales > 0 && truncates_to(input, output, scales);
  const bool by_matrix = on_a2_or_a3() && fits && gradOut.dtype() != ACL_DOUBLE;
  if (!by_matrix) check.shape_is(out, r.grad_input_shape(), "inputSize");
  const bool scaled = has_950_kernels() ? scales > 0 : fits;
  const bool casts = !by_matrix && gradOut.dtype() == ACL_FLOAT16 && !has_950_kernels();
  launch_resize(
      plan, gradOut, out, r,
      [&](std::size_t) {
        return scaled ? nearest_map(input, output, scales, false)
                      : nearest_map_by_size(input, output);
      },
      casts ? ComputeIn::kFloat : ComputeIn::kOwnType);
}

// gradInput[i] = sum of gradOut[o] over the elements o that were copied from element i.
OPERATOR(UpsampleNearest2dBackward, (In, gradOut), (IntArrayIn, outputSize),
         (IntArrayIn, inputSize), (Double, scalesH), (Double, scalesW), (Out, gradInput)) {
  check.not_null(gradOut, outputSize, inputSize, gradInput);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(), gradOut);
  check.same_dtype(gradOut, gradInput);
  check_resize_rank(check, 2, gradOut);
  check_size_lengths(check, 2, outputSize, inputSize);
  check_formats(check, gradInput);
  check_batch_and_channels(check, gradInput, gradOut);
  const Resize r = resize_of(gradOut, outputSize, inputSize, SizeOrder::kAsTensor);
  check_positive(check, r);
  check.shape_is(gradOut, r.grad_output_shape(), "inputSize and outputSize");
  if (gradOut.is_empty() || gradInput.is_empty()) return;

  const double scales[] = {scalesH, scalesW};
  const bool by_matrix = suits_matrix_kernel(r, scalesH, scalesW);
  const bool by_scale = by_matrix || has_950_kernels();
  if (!by_scale) check.shape_is(gradInput, r.grad_input_shape(), "inputSize");
  const bool casts = !by_scale && gradOut.dtype() == ACL_FLOAT16;
  launch_resize(
      plan, gradOut, gradInput, r,
      [&](std::size_t axis) {
        return by_scale && scales[axis] > 0
                   ? nearest_map(r.input[axis], r.output[axis], scales[axis], false)
                   : nearest_map_by_size(r.input[axis], r.output[axis]);
      },
      casts ? ComputeIn::kFloat : ComputeIn::kOwnType);
}

// gradInput[i] = sum of gradOut[o] over the elements o that were copied from element i.
OPERATOR(UpsampleNearest3dBackward, (In, gradOut), (IntArrayIn, outputSize),
         (IntArrayIn, inputSize), (Double, scalesD), (Double, scalesH), (Double, scalesW),
         (Out, gradInput)) {
  check.not_null(gradOut, outputSize, inputSize, gradInput);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}.with_bf16(), gradOut);
  check.same_dtype(gradOut, gradInput);
  check_resize_rank(check, 3, gradOut);
  check_size_lengths(check, 3, outputSize, inputSize);
  const Resize r = resize_of(gradOut, outputSize, inputSize, SizeOrder::kChannelsSecond);
  check_positive(check, r);
  check.shape_is(gradOut, r.grad_output_shape(), "inputSize and outputSize");
  check.shape_is(
      gradInput,
      resize_of(gradInput, outputSize, inputSize, SizeOrder::kChannelsSecond).grad_input_shape(),
      "inputSize");
  if (gradOut.is_empty()) return;

  const double scales[] = {scalesD, scalesH, scalesW};
  const bool scaled = scalesD > 0 && scalesH > 0 && scalesW > 0;
  launch_resize(
      plan, gradOut, gradInput, r,
      [&](std::size_t axis) {
        return nearest_map(r.input[axis], r.output[axis], scaled ? scales[axis] : 0, false);
      },
      ComputeIn::kOwnType);
}
