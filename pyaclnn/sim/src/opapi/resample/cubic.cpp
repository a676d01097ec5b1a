// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_upsample_bicubic_2d_backward.h"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/resample/resize.hpp"

using namespace pyaclnn::sim;

// gradInput[i] = sum of weight(i, o) * gradOut[o] over the elements o that i was interpolated to.
OPERATOR(UpsampleBicubic2dBackward, (In, gradOut), (IntArrayIn, outputSize),
         (IntArrayIn, inputSize), (Flag, alignCorners), (Double, scalesH), (Double, scalesW),
         (Out, gradInput)) {
  check.not_null(inputSize, gradInput, gradOut, outputSize);
  check_resize_rank(check, 2, gradOut);
  check_resize_rank(check, 2, gradInput);
  check_size_lengths(check, 2, outputSize, inputSize);
  Resize r = resize_of(gradInput, outputSize, inputSize, SizeOrder::kAsTensor);
  check_positive(check, r);
  check.shape_is(gradOut, r.grad_output_shape(), "inputSize and outputSize");
  check.shape_is(gradInput, r.grad_input_shape(), "inputSize");
  check_formats(check, gradOut, gradInput);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(), gradOut);
  check.same_dtype(gradOut, gradInput);
  if (gradOut.is_empty()) return;

  if (r.keeps_size() && on_a2_or_a3()) return launch_unresized(plan, gradOut, gradInput);
  const double scales[] = {scalesH, scalesW};
  const Alignment alignment = alignCorners ? Alignment::kCorners : Alignment::kEdges;
  launch_resize(
      plan, gradOut, gradInput, r,
      [&](std::size_t axis) {
        return cubic_map(r.input[axis], r.output[axis], scales[axis], alignment);
      },
      has_950_kernels() ? ComputeIn::kOwnType : ComputeIn::kFloat);
}
