// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_layer_norm_backward.h"

#include <algorithm>

#include "opapi/common/fill.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/norm/norm.hpp"
#include "opapi/norm/row_norm.hpp"

using namespace pyaclnn::sim;

namespace {

/// bfloat16 is accepted on every chip, also where no kernel computes it.
constexpr DtypeSet kDtypes{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

/// CANN's own comparison, which starts and ends elsewhere: of input's extents from the second
/// `axis` on, and of none where as many axes are left as are normalised.
void check_compared(const Check& check, const In& input, const Dims& shape, std::size_t axis) {
  for (std::size_t i = axis; i < shape.size(); ++i)
    check.that(shape[i] == input.shape()[i + axis],
               "normalizedShape is %s, it must be the last extents of input, %s",
               shape.text().c_str(), input.shape().text().c_str());
}

/// A tensor that has the shape to be normalised.
void check_normalized(const Check& check, const TensorArgument& tensor, const Dims& shape) {
  if (!tensor.given()) return;
  check.rank_at_most(8, tensor);
  check.shape_is(tensor, shape, "normalizedShape");
}

/// Whether there is a kernel for these. CANN does not look whether one was found.
bool has_kernel(const In& input, const Dims& shape) {
  const std::size_t axis = input.rank() - shape.size();
  return std::equal(shape.begin(), shape.end(), input.shape().begin() + axis) &&
         norm_dtypes().contains(input.dtype());
}

}  // namespace

// With xhat = (input - mean) rstd and g = gradOut weight, over the trailing axes:
//   gradInput = rstd (g - mean(g) - xhat mean(g xhat)); over the leading ones:
//   gradWeight = sum(gradOut xhat), gradBias = sum(gradOut).
OPERATOR(LayerNormBackward, (In, gradOut), (In, input), (IntArrayIn, normalizedShape), (In, mean),
         (In, rstd), (In, weightOptional), (In, biasOptional), (BoolArrayIn, outputMask),
         (Out, gradInputOut), (Out, gradWeightOut), (Out, gradBiasOut)) {
  check.not_null(gradOut, input, normalizedShape, mean, rstd, outputMask);
  check.that(outputMask.values().size() == 3, "outputMask has %zu elements, it must have 3",
             outputMask.values().size());
  const Out* outputs[] = {&gradInputOut, &gradWeightOut, &gradBiasOut};
  const bool wanted[] = {outputMask.values()[0] != 0, outputMask.values()[1] != 0,
                         outputMask.values()[2] != 0};
  for (std::size_t i = 0; i < 3; ++i) {
    if (wanted[i]) check.not_null(*outputs[i]);
  }

  check.dtype_in(kDtypes, gradOut, input, mean, rstd);
  check.same_dtype(input, gradOut);
  if (weightOptional.given()) {
    check.dtype_in(kDtypes, weightOptional);
    if (weightOptional.dtype() != ACL_FLOAT) check.same_dtype(input, weightOptional);
  }
  if (biasOptional.given()) check.dtype_in(kDtypes, biasOptional);
  for (const Out* out : outputs) {
    if (out->given()) check.dtype_in(kDtypes, *out);
  }

  check.rank_at_most(8, gradOut, input, mean, rstd);
  const std::size_t normalized = normalizedShape.values().size();
  check.that(normalized <= 8, "normalizedShape has %zu values, at most 8 are allowed", normalized);
  for (std::size_t i = 0; i < 3; ++i) {
    if (wanted[i]) check.rank_at_most(8, *outputs[i]);
  }
  check.that(normalized >= 1, "normalizedShape is empty");
  check.that(input.rank() >= normalized, "input has %zu dimensions, normalizedShape has %zu values",
             input.rank(), normalized);
  const Dims shape(normalizedShape.values().data(), normalized);
  const std::size_t axis = input.rank() - normalized;
  std::int64_t rows = 1;
  std::int64_t length = 1;
  for (std::size_t i = 0; i < input.rank(); ++i) {
    const std::int64_t extent = input.shape()[i];
    (i < axis ? rows : length) *= extent;
  }
  check_compared(check, input, shape, axis);
  check_normalized(check, weightOptional, shape);
  check_normalized(check, biasOptional, shape);
  check.same_shape(input, gradOut);
  check.same_shape(rstd, mean);
  check.that(mean.elements() == rows, "mean has shape %s, it must have %lld elements, one a row",
             mean.shape().text().c_str(), static_cast<long long>(rows));
  if (wanted[0]) check.same_shape(input, gradInputOut);
  for (std::size_t i = 1; i < 3; ++i) {
    check.that(!wanted[i] || outputs[i]->elements() == length,
               "%s has shape %s, it must have %lld elements", outputs[i]->name(),
               outputs[i]->given() ? outputs[i]->shape().text().c_str() : "",
               static_cast<long long>(length));
  }
  if (!wanted[0] && !wanted[1] && !wanted[2]) return;
  if (rows == 0 || length == 0) {
    for (std::size_t i = 1; i < 3; ++i) {
      if (wanted[i] && rows == 0) launch_zero(plan, *outputs[i]);
    }
    return;
  }

  plan.stage(gradOut).contiguous();
  plan.stage(input).contiguous();
  stage_as_float(plan, mean, rstd);
  if (weightOptional.given()) {
    plan.stage(weightOptional).contiguous();
  } else {
    plan.reserve(length, input.dtype());
  }
  if (!has_kernel(input, shape)) return;  // nothing is written, and nothing said
  RowNorm norm;
  norm.rows = rows;
  norm.length = length;
  norm.grad = row_major_input(plan, gradOut);
  norm.x1 = row_major_input(plan, input);
  norm.mean = row_major_input(plan, mean);
  norm.rstd = row_major_input(plan, rstd);
  norm.gamma = row_major_input(plan, weightOptional);
  if (wanted[0]) {
    stage_result(plan, input.dtype(), gradInputOut);
    norm.grad_x = row_major_output(plan, gradInputOut);
  }
  // Nor does it look whether a result could be copied to its output.
  if (wanted[1] && gradWeightOut.shape() == shape) {
    stage_result(plan, ACL_FLOAT, gradWeightOut);
    norm.grad_gamma = row_major_output(plan, gradWeightOut);
  }
  if (wanted[2] && gradBiasOut.shape() == shape) {
    stage_result(plan, ACL_FLOAT, gradBiasOut);
    norm.grad_beta = row_major_output(plan, gradBiasOut);
  }
  launch_row_norm(plan, norm);
}
