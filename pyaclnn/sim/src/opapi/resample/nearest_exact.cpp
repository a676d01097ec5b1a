// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_upsample_nearest_exact1d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_exact2d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_exact3d_backward.h"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/resample/resize.hpp"

using namespace pyaclnn::sim;

namespace {

constexpr double kLargestScale = 50;

constexpr DtypeSet kDtypes{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

void check_not_negative(const Check& check, double scale) {
  check.that(!(scale < 0), "a scale is %g, it must not be negative", scale);
}

/// The checks of one and two axes.
Resize check_exact(const Check& check, std::size_t axes, const TensorArgument& grad_output,
                   const IntArrayIn& output_size, const IntArrayIn& input_size,
                   const TensorArgument& out, std::initializer_list<double> scales) {
  check.not_null(output_size);
  check.dtype_in(kDtypes, grad_output);
  check.same_dtype(grad_output, out);
  check_formats(check, grad_output, out);
  check_resize_rank(check, axes, grad_output);
  check_resize_rank(check, axes, out);
  check_size_lengths(check, axes, output_size, input_size);
  check_leading_axes(check, grad_output, out);
  for (double scale : scales) check_not_negative(check, scale);
  const Resize r = resize_of_gradient(grad_output, input_size);
  check_positive(check, r);
  check.that(!grad_output.is_empty(), "gradOutput of shape %s has no elements",
             grad_output.shape().text().c_str());
  std::size_t axis = 0;
  for (double scale : scales) {
    check_scale(check, r.input[axis], r.output[axis], scale, kLargestScale);
    ++axis;
  }
  return r;
}

}  // namespace

// out[i] = sum of gradOutput[o] over the elements o whose middle lies in element i.
OPERATOR(UpsampleNearestExact1dBackward, (In, gradOutput), (IntArrayIn, outputSize),
         (IntArrayIn, inputSize), (Double, scales), (Out, out)) {
  check.not_null(gradOutput, inputSize, out);
  const Resize r = check_exact(check, 1, gradOutput, outputSize, inputSize, out, {scales});
  if (out.is_empty()) return;
  need_a2_kernel(plan);
  launch_resize(
      plan, gradOutput, out, r,
      [&](std::size_t axis) { return nearest_map(r.input[axis], r.output[axis], scales, true); },
      ComputeIn::kOwnType);
}

// out[i] = sum of gradOutput[o] over the elements o whose middle lies in element i.
OPERATOR(UpsampleNearestExact2dBackward, (In, gradOutput), (IntArrayIn, outputSize),
         (IntArrayIn, inputSize), (Double, scalesH), (Double, scalesW), (Out, out)) {
  check.not_null(gradOutput, inputSize, out);
  if (gradOutput.is_empty() || out.is_empty()) return;
  const double scales[] = {scalesH, scalesW};
  const Resize r =
      check_exact(check, 2, gradOutput, outputSize, inputSize, out, {scalesH, scalesW});
  need_a2_kernel(plan);
  launch_resize(
      plan, gradOutput, out, r,
      [&](std::size_t axis) {
        return nearest_map(r.input[axis], r.output[axis], scales[axis], true);
      },
      ComputeIn::kOwnType);
}

// gradInput[i] = sum of gradOut[o] over the elements o whose middle lies in element i.
OPERATOR(UpsampleNearestExact3dBackward, (In, gradOut), (IntArrayIn, outputSize),
         (IntArrayIn, inputSize), (Double, scalesD), (Double, scalesH), (Double, scalesW),
         (Out, gradInput)) {
  check.not_null(gradOut, outputSize, inputSize, gradInput);
  check.dtype_in(kDtypes, gradOut);
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
  const double scales[] = {scalesD, scalesH, scalesW};
  for (std::size_t i = 0; i < 3; ++i)
    check_scale(check, r.input[i], r.output[i], scales[i], kLargestScale);
  if (gradOut.is_empty()) return;
  need_a2_kernel(plan);
  const bool scaled = scalesD > 0 && scalesH > 0 && scalesW > 0;
  launch_resize(
      plan, gradOut, gradInput, r,
      [&](std::size_t axis) {
        return nearest_map(r.input[axis], r.output[axis], scaled ? scales[axis] : 0, true);
      },
      ComputeIn::kOwnType);
}
