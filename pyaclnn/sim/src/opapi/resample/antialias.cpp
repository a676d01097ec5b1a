// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_upsample_bicubic2d_aa_grad.h"
#include "aclnnop/aclnn_upsample_bilinear2d_aa_backward.h"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/resample/resize.hpp"

using namespace pyaclnn::sim;

namespace {

constexpr double kLargestScale = 50;

constexpr DtypeSet kDtypes{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

void check_not_negative(const Check& check, double scale_h, double scale_w) {
  check.that(!(scale_h < 0) && !(scale_w < 0),
             "the scales are %g and %g, they must not be negative", scale_h, scale_w);
}

void check_shapes(const Check& check, const TensorArgument& grad_output, const TensorArgument& out,
                  const IntArrayIn& output_size, const IntArrayIn& input_size) {
  check_resize_rank(check, 2, grad_output);
  check_resize_rank(check, 2, out);
  check_size_lengths(check, 2, output_size, input_size);
}

void check_scales(const Check& check, const Resize& r, double scale_h, double scale_w) {
  check_scale(check, r.input[0], r.output[0], scale_h, kLargestScale);
  check_scale(check, r.input[1], r.output[1], scale_w, kLargestScale);
}

void launch_antialias(Plan& plan, const TensorArgument& grad_output, const TensorArgument& out,
                      const Resize& r, bool align_corners, double scale_h, double scale_w,
                      Filter filter, ComputeIn compute) {
  const double scales[] = {scale_h, scale_w};
  const Alignment alignment = align_corners ? Alignment::kCorners : Alignment::kEdges;
  launch_resize(
      plan, grad_output, out, r,
      [&](std::size_t axis) {
        return antialias_map(r.input[axis], r.output[axis], scales[axis], alignment, filter);
      },
      compute);
}

}  // namespace

// out[i] = sum of weight(i, o) * gradOutput[o], the weights of a triangle filter.
OPERATOR(UpsampleBilinear2dAABackward, (In, gradOutput), (IntArrayIn, outputSize),
         (IntArrayIn, inputSize), (Flag, alignCorners), (Double, scalesH), (Double, scalesW),
         (Out, out)) {
  check.not_null(gradOutput, inputSize, out, outputSize);
  check.dtype_in(kDtypes, gradOutput);
  check.same_dtype(gradOutput, out);
  check_formats(check, gradOutput, out);
  check_shapes(check, gradOutput, out, outputSize, inputSize);
  if (gradOutput.meta().format == ACL_FORMAT_NCHW) check_leading_axes(check, gradOutput, out);
  check_not_negative(check, scalesH, scalesW);
  const Resize asked = resize_of(gradOutput, outputSize, inputSize, SizeOrder::kAsTensor);
  check.that(asked.batch > 0 && asked.channels > 0,
             "inputSize has a batch of %lld and %lld channels, both must be at least 1",
             static_cast<long long>(asked.batch), static_cast<long long>(asked.channels));
  check_positive(check, asked);
  check_scales(check, asked, scalesH, scalesW);
  if (gradOutput.is_empty() || out.is_empty()) return;

  if (asked.keeps_size()) return launch_unresized(plan, gradOutput, out);
  need_a2_kernel(plan);
  launch_antialias(plan, gradOutput, out, resize_of_gradient(gradOutput, inputSize), alignCorners,
                   scalesH, scalesW, Filter::kTriangle, ComputeIn::kFloat);
}

// out[i] = sum of weight(i, o) * gradOutput[o], the weights of a cubic filter.
OPERATOR(UpsampleBicubic2dAAGrad, (In, gradOutput), (IntArrayIn, outputSize),
         (IntArrayIn, inputSize), (Flag, alignCorners), (Double, scalesH), (Double, scalesW),
         (Out, out)) {
  check.not_null(gradOutput, inputSize, out, outputSize);
  check.dtype_in(kDtypes, gradOutput);
  check.same_dtype(gradOutput, out);
  check_not_negative(check, scalesH, scalesW);
  check_formats(check, gradOutput, out);
  check_shapes(check, gradOutput, out, outputSize, inputSize);
  if (gradOutput.meta().format == ACL_FORMAT_NCHW) check_leading_axes(check, gradOutput, out);
  const Resize r = resize_of_gradient(gradOutput, inputSize);
  check_positive(check, r);
  check.that(!gradOutput.is_empty(), "gradOutput of shape %s has no elements",
             gradOutput.shape().text().c_str());
  check_scales(check, r, scalesH, scalesW);
  if (out.is_empty()) return;

  need_a2_kernel(plan);
  launch_antialias(plan, gradOutput, out, r, alignCorners, scalesH, scalesW, Filter::kCubic,
                   ComputeIn::kOwnType);
}
