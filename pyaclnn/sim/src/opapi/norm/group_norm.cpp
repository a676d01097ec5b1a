// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>

#include "aclnnop/aclnn_group_norm_backward.h"
#include "aclnnop/aclnn_group_norm_swish_grad.h"
#include "core/checked.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/norm/group_norm_kernel.hpp"
#include "opapi/norm/norm.hpp"

using namespace pyaclnn::sim;

namespace {

void check_numel(const Check& check, const TensorArgument& tensor, Checked<std::int64_t> count,
                 const char* what) {
  check.that(tensor.elements() == count, "%s has shape %s, it must have %lld elements (%s)",
             tensor.name(), tensor.shape().text().c_str(),
             static_cast<long long>(count.saturated()), what);
}

/// Every operand has the type of gradOut; on the 950 the statistics and gamma may be float32.
void check_dtypes(const Check& check, const In& grad, const In& input, const In& mean,
                  const In& rstd, const In& gamma, const Out* const (&outputs)[3],
                  const bool (&wanted)[3]) {
  check.dtype_in(norm_dtypes(), grad);
  const bool mixed = on_950();
  if (mixed) check.dtype_in(norm_dtypes(), mean);
  check.same_dtype(grad, input);
  if (mixed) {
    if (wanted[0]) check.same_dtype(grad, *outputs[0]);
    if (mean.dtype() != ACL_FLOAT) check.same_dtype(grad, mean);
    check.same_dtype(mean, rstd);
    if (gamma.given()) check.same_dtype(mean, gamma);
    if (wanted[1]) check.same_dtype(mean, *outputs[1]);
    if (wanted[2]) check.same_dtype(mean, *outputs[2]);
    return;
  }
  check.same_dtype(grad, mean, rstd);
  if (gamma.given()) check.same_dtype(grad, gamma);
  for (std::size_t i = 0; i < 3; ++i) {
    if (wanted[i]) check.same_dtype(grad, *outputs[i]);
  }
}

}  // namespace

// With groups of C / group channels, xhat = (input - mean) rstd and g = gradOut gamma:
//   gradInput = rstd (g - mean(g) - xhat mean(g xhat)) over each group of each sample;
//   gradGammaOut = sum(gradOut xhat) and gradBetaOut = sum(gradOut) over each channel.
OPERATOR(GroupNormBackward, (In, gradOut), (In, input), (In, mean), (In, rstd), (In, gamma),
         (Int, N), (Int, C), (Int, HxW), (Int, group), (BoolArrayIn, outputMask), (Out, gradInput),
         (Out, gradGammaOut), (Out, gradBetaOut)) {
  check.not_null(gradOut, input, mean, rstd);
  // CANN answers a missing mask or output with the code for an invalid argument.
  check.that(outputMask.given(), "outputMask is null");
  check.that(outputMask.values().size() == 3, "outputMask has %zu elements, it must have 3",
             outputMask.values().size());
  const Out* const outputs[] = {&gradInput, &gradGammaOut, &gradBetaOut};
  const bool wanted[] = {outputMask.values()[0] != 0, outputMask.values()[1] != 0,
                         outputMask.values()[2] != 0};
  for (std::size_t i = 0; i < 3; ++i)
    check.that(!wanted[i] || outputs[i]->given(), "%s is null, outputMask asks for it",
               outputs[i]->name());
  check_dtypes(check, gradOut, input, mean, rstd, gamma, outputs, wanted);

  check.that(group > 0, "group is %lld, it must be positive", static_cast<long long>(group));
  check.that(C % group == 0, "C is %lld, it must be a multiple of group, %lld",
             static_cast<long long>(C), static_cast<long long>(group));
  if (on_a2_or_a3()) {
    check.that(C / group <= 8000, "C / group is %lld, at most 8000 are allowed",
               static_cast<long long>(C / group));
    check.that(C <= 240000, "C is %lld, at most 240000 are allowed", static_cast<long long>(C));
  }
  check.rank_at_most(8, gradOut);
  const Checked<std::int64_t> samples = N.value;
  check_numel(check, gradOut, samples * C.value * HxW.value, "N C HxW");
  check_numel(check, input, samples * C.value * HxW.value, "N C HxW");
  check_numel(check, mean, samples * group.value, "N group");
  check_numel(check, rstd, samples * group.value, "N group");
  if (gamma.given()) check_numel(check, gamma, C.value, "C");
  if (wanted[0]) check.same_shape(input, gradInput);
  const Dims shape = gamma.given() ? gamma.shape() : Dims{C};
  if (wanted[1]) check.shape_is(gradGammaOut, shape, "the shape of gamma");
  if (wanted[2]) check.shape_is(gradBetaOut, shape, "the shape of gamma");
  if (gradOut.is_empty() || input.is_empty()) {
    // The sums of nothing are written on the 950 only.
    if (!on_950() || C == 0) return;
    if (wanted[1]) launch_zero(plan, gradGammaOut);
    if (wanted[2]) launch_zero(plan, gradBetaOut);
    return;
  }

  for (const In* tensor : {&gradOut, &input, &mean, &rstd, &gamma}) {
    if (tensor->given()) plan.stage(*tensor).contiguous();
  }
  if (!gamma.given()) plan.reserve(C, gradOut.dtype());
  GroupNorm norm;
  norm.samples = N;
  norm.channels = C;
  norm.plane = HxW;
  norm.groups = group;
  norm.grad = row_major_input(plan, gradOut);
  norm.x = row_major_input(plan, input);
  norm.mean = row_major_input(plan, mean);
  norm.rstd = row_major_input(plan, rstd);
  norm.gamma = row_major_input(plan, gamma);
  RowMajor* const results[] = {&norm.grad_x, &norm.grad_gamma, &norm.grad_beta};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!wanted[i]) continue;
    plan.result(outputs[i]->dtype(), outputs[i]->shape()).copy_to(*outputs[i]);
    *results[i] = row_major_output(plan, *outputs[i]);
  }
  launch_group_norm(plan, norm);
}

// The same behind y = xhat gamma + beta and out = y sigmoid(swishScale y).
OPERATOR(GroupNormSwishGrad, (In, dy), (In, mean), (In, rstd), (In, x), (In, gamma), (In, beta),
         (Int, numGroups), (Text, dataFormatOptional), (Double, swishScale),
         (Flag, dgammaIsRequire), (Flag, dbetaIsRequire), (ConstOut, dxOut), (ConstOut, dgammaOut),
         (ConstOut, dbetaOut)) {
  check.not_null(dy, mean, rstd, x, gamma, beta, dxOut, dgammaOut, dbetaOut);
  check_kernel_exists(plan, on_a2_or_a3());
  check.dtype_in(norm_dtypes(), dy);
  check.same_dtype(dy, mean, rstd, x, gamma, beta, dxOut, dgammaOut, dbetaOut);
  check_formats(check, dy, mean, rstd, x, gamma, beta, dxOut, dgammaOut, dbetaOut);
  check_tiling(plan, dy.rank() >= 2 && dy.rank() <= 8, "dy has %zu dimensions, it must have 2 to 8",
               dy.rank());
  check_tiling(plan, !dy.is_empty(), "dy is empty: %s", dy.shape().text().c_str());
  const std::int64_t samples = dy.shape()[0];
  const std::int64_t channels = dy.shape()[1];
  check_tiling(plan, numGroups > 0, "numGroups is %lld, it must be positive",
               static_cast<long long>(numGroups));
  check_tiling(plan, channels % numGroups == 0, "%lld channels do not make %lld groups",
               static_cast<long long>(channels), static_cast<long long>(numGroups));
  check_tiling(plan, channels / numGroups <= 4000, "groups have %lld channels, at most 4000",
               static_cast<long long>(channels / numGroups));
  const auto has_elements = [&](const TensorArgument& tensor, Checked<std::int64_t> count) {
    check_tiling(plan, tensor.elements() == count, "%s has shape %s, it must have %lld elements",
                 tensor.name(), tensor.shape().text().c_str(),
                 static_cast<long long>(count.saturated()));
  };
  has_elements(mean, Checked(samples) * numGroups.value);
  has_elements(rstd, Checked(samples) * numGroups.value);
  has_elements(x, dy.elements());
  has_elements(gamma, channels);
  has_elements(beta, channels);
  has_elements(dxOut, dy.elements());
  has_elements(dgammaOut, channels);
  has_elements(dbetaOut, channels);

  for (const In* tensor : {&dy, &mean, &rstd, &x, &gamma, &beta}) plan.stage(*tensor).contiguous();
  plan.reserve(dy.elements(), ACL_FLOAT);
  GroupNorm norm;
  norm.samples = samples;
  norm.channels = channels;
  norm.plane = dy.elements() / (samples * channels);
  norm.groups = numGroups;
  norm.has_swish = true;
  norm.swish_scale = static_cast<float>(swishScale);
  norm.grad = row_major_input(plan, dy);
  norm.x = row_major_input(plan, x);
  norm.mean = row_major_input(plan, mean);
  norm.rstd = row_major_input(plan, rstd);
  norm.gamma = row_major_input(plan, gamma);
  norm.beta = row_major_input(plan, beta);
  plan.result(dxOut.dtype(), dxOut.shape()).copy_to(dxOut);
  norm.grad_x = row_major_output(plan, dxOut);
  if (dgammaIsRequire) {
    plan.result(dgammaOut.dtype(), dgammaOut.shape()).copy_to(dgammaOut);
    norm.grad_gamma = row_major_output(plan, dgammaOut);
  }
  if (dbetaIsRequire) {
    plan.result(dbetaOut.dtype(), dbetaOut.shape()).copy_to(dbetaOut);
    norm.grad_beta = row_major_output(plan, dbetaOut);
  }
  launch_group_norm(plan, norm);
}
