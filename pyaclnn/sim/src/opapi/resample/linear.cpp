// SPDX-License-Identifier: MIT
#include <cmath>

#include "aclnnop/aclnn_upsample_bilinear_2d_backward.h"
#include "aclnnop/aclnn_upsample_bilinear_2d_backward_v2.h"
#include "aclnnop/aclnn_upsample_linear_1d_backward.h"
#include "aclnnop/aclnn_upsample_trilinear_3d_backward.h"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/resample/resize.hpp"

using namespace pyaclnn::sim;

namespace {

constexpr double kNoScale = 1e-9;  // scales closer to 0 than this count as not given

Alignment alignment_of(bool align_corners) {
  return align_corners ? Alignment::kCorners : Alignment::kEdges;
}

/// Plans the kernel with the given scales, 0 for those that come from the sizes.
void launch_linear(Plan& plan, const TensorArgument& grad_output, const TensorArgument& grad_input,
                   const Resize& r, std::initializer_list<double> scales, Alignment alignment,
                   ComputeIn compute, Beyond beyond = Beyond::kIsLast) {
  launch_resize(
      plan, grad_output, grad_input, r,
      [&](std::size_t axis) {
        return linear_map(r.input[axis], r.output[axis], scales.begin()[axis], alignment, beyond);
      },
      compute);
}

/// Whether A2's kernel, which computes with the scales, takes a 2d call.
bool takes_scales(const Resize& r, double scale_h, double scale_w) {
  constexpr double kSmallestStep = 0.01;
  const double scales[] = {scale_h, scale_w};
  const bool given = std::fabs(scale_h) > kNoScale || std::fabs(scale_w) > kNoScale;
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

// out[i] = sum of weight(i, o) * gradOut[o] over the elements o that i was interpolated to.
OPERATOR(UpsampleLinear1dBackward, (In, gradOut), (IntArrayIn, outputSize), (IntArrayIn, inputSize),
         (Flag, alignCorners), (Double, scales), (Out, out)) {
  constexpr double kLargestScale = 500;
  constexpr std::int64_t kLongAxis = 1000000;
  check.not_null(gradOut, outputSize, inputSize, out);
  check_resize_rank(check, 1, gradOut);
  check_size_lengths(check, 1, outputSize, inputSize);
  check.that(!on_310p(), "%s has no kernel for it", config().soc_name.c_str());
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(), gradOut);
  check.same_dtype(gradOut, out);
  const Resize r = resize_of(gradOut, outputSize, inputSize, SizeOrder::kChannelsSecond);
  check_positive(check, r);
  check.shape_is(gradOut, r.grad_output_shape(), "inputSize and outputSize");
  check_leading_axes(check, gradOut, out);
  if (gradOut.is_empty()) return;
  check.shape_is(out, r.grad_input_shape(), "inputSize");

  const std::int64_t input = r.input[0];
  const std::int64_t output = r.output[0];
  const Alignment alignment = alignment_of(alignCorners);
  if (r.keeps_size() && !on_a2_or_a3()) return launch_unresized(plan, gradOut, out);
  if (has_950_kernels())
    return launch_linear(plan, gradOut, out, r, {scales}, alignment, ComputeIn::kOwnType);
  const bool fits = std::fabs(scales) <= kNoScale || scale_fits(input, output, scales);
  const bool scaled = on_a2_or_a3() && output < kLongAxis && (r.keeps_size() || fits);
  if (scaled) check_scale(check, input, output, scales, kLargestScale);
  launch_linear(plan, gradOut, out, r, {scaled ? double(scales) : 0.0}, alignment,
                ComputeIn::kFloat, beyond_on_a2(scaled));
}

// out[i] = sum of weight(i, o) * gradOut[o]; the scales count on the 950 series only.
OPERATOR(UpsampleBilinear2dBackward, (In, gradOut), (IntArrayIn, outputSize),
         (IntArrayIn, inputSize), (Flag, alignCorners), (Double, scalesH), (Double, scalesW),
         (Out, out)) {
  check.not_null(gradOut, outputSize, inputSize, out);
  check_resize_rank(check, 2, gradOut);
  check_size_lengths(check, 2, outputSize, inputSize);
  const Resize r = resize_of(out, outputSize, inputSize, SizeOrder::kAsTensor);
  check_positive(check, r);
  check.shape_is(gradOut, r.grad_output_shape(), "inputSize and outputSize");
  check.shape_is(out, r.grad_input_shape(), "inputSize");
  const DtypeSet floats{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
  const DtypeSet resized = has_950_kernels() ? floats : DtypeSet{ACL_FLOAT, ACL_FLOAT16};
  check.dtype_in(r.keeps_size() ? floats : resized, gradOut);
  if (has_950_kernels() && gradOut.dtype() == ACL_FLOAT && !r.keeps_size()) {
    check.dtype_in(floats, out);
  } else {
    check.same_dtype(gradOut, out);
  }
  check_formats(check, gradOut, out);
  check_batch_and_channels(check, gradOut, out);
  if (gradOut.is_empty()) return;

  if (r.keeps_size()) return launch_unresized(plan, gradOut, out);
  const bool scaled = has_950_kernels();
  launch_linear(plan, gradOut, out, r, {scaled ? scalesH : 0.0, scaled ? scalesW : 0.0},
                alignment_of(alignCorners), scaled ? ComputeIn::kOwnType : ComputeIn::kFloat);
}

// out[i] = sum of weight(i, o) * gradOut[o] over the elements o that i was interpolated to.
OPERATOR(UpsampleBilinear2dBackwardV2, (In, gradOut), (IntArrayIn, outputSize),
         (IntArrayIn, inputSize), (Flag, alignCorners), (Double, scalesH), (Double, scalesW),
         (Out, out)) {
  check.not_null(gradOut, inputSize, outputSize, out);
  check_resize_rank(check, 2, gradOut);
  check_size_lengths(check, 2, outputSize, inputSize);
  check_formats(check, out, gradOut);
  const Resize r = resize_of(gradOut, outputSize, inputSize, SizeOrder::kAsTensor);
  check_positive(check, r);
  check.shape_is(gradOut, r.grad_output_shape(), "inputSize and outputSize");
  check_batch_and_channels(check, gradOut, out);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(), gradOut);
  check.same_dtype(gradOut, out);
  if (gradOut.is_empty() || out.is_empty()) return;

  check.shape_is(out, r.grad_input_shape(), "inputSize");
  const bool scaled =
      has_950_kernels() || (on_a2_or_a3() && (r.keeps_size() || takes_scales(r, scalesH, scalesW)));
  launch_linear(plan, gradOut, out, r, {scaled ? scalesH : 0.0, scaled ? scalesW : 0.0},
                alignment_of(alignCorners), ComputeIn::kFloat, beyond_on_a2(scaled));
}

// gradInput[i] = sum of weight(i, o) * gradOut[o] over the elements o that i was interpolated to.
OPERATOR(UpsampleTrilinear3dBackward, (In, gradOut), (IntArrayIn, outputSize),
         (IntArrayIn, inputSize), (Flag, alignCorners), (Double, scalesD), (Double, scalesH),
         (Double, scalesW), (Out, gradInput)) {
  check.not_null(gradOut, outputSize, inputSize, gradInput);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}.with_bf16(), gradOut);
  check.same_dtype(gradOut, gradInput);
  check_resize_rank(check, 3, gradOut);
  check_size_lengths(check, 3, outputSize, inputSize);
  check_formats(check, gradOut);
  const Resize r = resize_of(gradOut, outputSize, inputSize, SizeOrder::kChannelsSecond);
  check_positive(check, r);
  check.shape_is(gradOut, r.grad_output_shape(), "inputSize and outputSize");
  check.shape_is(
      gradInput,
      resize_of(gradInput, outputSize, inputSize, SizeOrder::kChannelsSecond).grad_input_shape(),
      "inputSize");
  if (gradOut.is_empty() || gradInput.is_empty()) return;

  const bool scaled = scalesD > 0 && scalesH > 0 && scalesW > 0;
  // An axis that keeps its size is copied.
  const auto scale_of = [&](std::size_t axis, double scale) {
    return scaled && r.input[axis] != r.output[axis] ? scale : 0.0;
  };
  launch_linear(plan, gradOut, gradInput, r,
                {scale_of(0, scalesD), scale_of(1, scalesH), scale_of(2, scalesW)},
                alignment_of(alignCorners), ComputeIn::kOwnType);
}
