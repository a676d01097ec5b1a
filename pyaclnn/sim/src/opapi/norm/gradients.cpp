// What CANN prepares for the kernels of the gradients, in its order, and their operands.
// SPDX-License-Identifier: MIT
#include <memory>

#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/norm/batch_norm_gradient.hpp"
#include "opapi/norm/fused_checks.hpp"
#include "opapi/norm/group_norm_kernel.hpp"
#include "opapi/norm/layer_norm_forward.hpp"
#include "opapi/norm/norm.hpp"
#include "opapi/norm/row_norm.hpp"
#include "parameters/AddLayerNormGrad.hpp"

#include "parameters/BatchNormElemtBackward.hpp"
#include "parameters/BatchNormReduceBackward.hpp"
#include "parameters/DeepNormGrad.hpp"
#include "parameters/FastBatchNormBackward.hpp"
#include "parameters/GroupNormBackward.hpp"
#include "parameters/GroupNormSwishGrad.hpp"
#include "parameters/LayerNormBackward.hpp"
#include "parameters/RmsNormGrad.hpp"

namespace pyaclnn::sim {
namespace {

bool wanted(const BoolArrayIn& mask, std::size_t output) { return mask.values()[output] != 0; }

RowMajor result(Plan& plan, const TensorArgument& out) {
  stage_results(plan, out);
  return row_major_output(plan, out);
}

RowMajor result(Plan& plan, aclDataType dtype, const TensorArgument& out) {
  stage_result(plan, dtype, out);
  return row_major_output(plan, out);
}

/// The rows of a gradient over the axes of gamma.
template <class Given>
RowNorm rows_of_gamma(Plan& plan, const Given& given) {
  RowNorm norm = rows_of(given.dy.shape(), given.dy.rank() - given.gamma.rank());
  norm.grad = row_major_input(plan, given.dy);
  norm.rstd = row_major_input(plan, given.rstd);
  norm.gamma = row_major_input(plan, given.gamma);
  norm.grad_x = row_major_output(plan, given.dxOut);
  norm.grad_gamma = row_major_output(plan, given.dgammaOut);
  return norm;
}

}  // namespace

void layer_norm_backward(const Check&, Plan& plan, const LayerNormBackwardParameters& given) {
  const std::vector<std::int64_t>& extents = given.normalizedShape.values();
  const Dims shape(extents.data(), extents.size());
  RowNorm norm = rows_of(given.input.shape(), given.input.rank() - extents.size());
  stage_contiguous(plan, given.gradOut, given.input);
  stage_as_float(plan, given.mean, given.rstd);
  stage_contiguous(plan, given.weightOptional);
  if (!given.weightOptional.given()) plan.reserve(norm.length, given.input.dtype());
  // Nothing is written, and nothing said.
  if (!has_layer_norm_kernel(given.input, shape)) return;
  norm.grad = row_major_input(plan, given.gradOut);
  norm.x1 = row_major_input(plan, given.input);
  norm.mean = row_major_input(plan, given.mean);
  norm.rstd = row_major_input(plan, given.rstd);
  norm.gamma = row_major_input(plan, given.weightOptional);
  if (wanted(given.outputMask, 0)) {
    norm.grad_x = result(plan, given.input.dtype(), given.gradInputOut);
  }
  // Nor does it look whether a result could be copied to its output.
  if (wanted(given.outputMask, 1) && given.gradWeightOut.shape() == shape) {
    norm.grad_gamma = result(plan, ACL_FLOAT, given.gradWeightOut);
  }
  if (wanted(given.outputMask, 2) && given.gradBiasOut.shape() == shape) {
    norm.grad_beta = result(plan, ACL_FLOAT, given.gradBiasOut);
  }
  launch_row_norm(plan, norm);
}

void add_layer_norm_grad(const Check&, Plan& plan, const AddLayerNormGradParameters& given) {
  stage_contiguous(plan, given.dy, given.x1, given.x2, given.rstd, given.mean, given.gamma,
                   given.dsumOptional);
  stage_results(plan, given.dxOut, given.dgammaOut, given.dbetaOut);
  RowNorm norm = rows_of_gamma(plan, given);
  norm.x1 = row_major_input(plan, given.x1);
  norm.x2 = row_major_input(plan, given.x2);
  norm.mean = row_major_input(plan, given.mean);
  norm.add = row_major_input(plan, given.dsumOptional);
  norm.grad_beta = row_major_output(plan, given.dbetaOut);
  launch_row_norm(plan, norm);
}

void deep_norm_grad(const Check&, Plan& plan, const DeepNormGradParameters& given) {
  stage_contiguous(plan, given.dy, given.x, given.gx, given.gamma, given.mean, given.rstd);
  stage_results(plan, given.dxOut, given.dgxOut, given.dbetaOut, given.dgammaOut);
  RowNorm norm = rows_of_gamma(plan, given);
  norm.x_factor = float(given.alpha);
  norm.x1 = row_major_input(plan, given.x);
  norm.x2 = row_major_input(plan, given.gx);
  norm.mean = row_major_input(plan, given.mean);
  norm.grad_x1 = row_major_output(plan, given.dxOut);
  norm.grad_x = row_major_output(plan, given.dgxOut);
  norm.grad_beta = row_major_output(plan, given.dbetaOut);
  launch_row_norm(plan, norm);
}

void rms_norm_grad(const Check&, Plan& plan, const RmsNormGradParameters& given) {
  stage_contiguous(plan, given.dy, given.x, given.rstd, given.gamma);
  stage_results(plan, given.dxOut, given.dgammaOut);
  RowNorm norm = rows_of_gamma(plan, given);
  norm.has_mean = false;
  norm.x1 = row_major_input(plan, given.x);
  launch_row_norm(plan, norm);
}

void group_norm_backward(const Check&, Plan& plan, const GroupNormBackwardParameters& given) {
  stage_contiguous(plan, given.gradOut, given.input, given.mean, given.rstd, given.gamma);
  if (!given.gamma.given()) plan.reserve(given.C, given.gradOut.dtype());
  GroupNorm norm;
  norm.samples = given.N;
  norm.channels = given.C;
  norm.plane = given.HxW;
  norm.groups = given.group;
  norm.grad = row_major_input(plan, given.gradOut);
  norm.x = row_major_input(plan, given.input);
  norm.mean = row_major_input(plan, given.mean);
  norm.rstd = row_major_input(plan, given.rstd);
  norm.gamma = row_major_input(plan, given.gamma);
  if (wanted(given.outputMask, 0)) norm.grad_x = result(plan, given.gradInput);
  if (wanted(given.outputMask, 1)) norm.grad_gamma = result(plan, given.gradGammaOut);
  if (wanted(given.outputMask, 2)) norm.grad_beta = result(plan, given.gradBetaOut);
  launch_group_norm(plan, norm);
}

void group_norm_swish_grad(const Check&, Plan& plan, const GroupNormSwishGradParameters& given) {
  stage_contiguous(plan, given.dy, given.mean, given.rstd, given.x, given.gamma, given.beta);
  const std::int64_t elements = given.dy.elements();
  plan.reserve(elements, ACL_FLOAT);
  GroupNorm norm;
  norm.samples = given.dy.shape()[0];
  norm.channels = given.dy.shape()[1];
  norm.plane = elements / (norm.samples * norm.channels);
  norm.groups = given.numGroups;
  norm.has_swish = true;
  norm.swish_scale = float(given.swishScale);
  norm.grad = row_major_input(plan, given.dy);
  norm.x = row_major_input(plan, given.x);
  norm.mean = row_major_input(plan, given.mean);
  norm.rstd = row_major_input(plan, given.rstd);
  norm.gamma = row_major_input(plan, given.gamma);
  norm.beta = row_major_input(plan, given.beta);
  norm.grad_x = result(plan, given.dxOut);
  if (given.dgammaIsRequire) norm.grad_gamma = result(plan, given.dgammaOut);
  if (given.dbetaIsRequire) norm.grad_beta = result(plan, given.dbetaOut);
  launch_group_norm(plan, norm);
}

namespace {

void prepare_batch_norm(Plan& plan, const FastBatchNormBackwardParameters& given, std::size_t axis,
                        bool spread_is_invstd) {
  stage_contiguous(plan, given.input, given.gradOut);
  const auto kernel = std::make_shared<BatchNormGradient>();
  BatchNormGradient& norm = *kernel;
  norm.shape = channel_shape(given.input.shape(), axis);
  norm.grad = row_major_input(plan, given.gradOut);
  norm.input = row_major_input(plan, given.input);
  const std::int64_t channels = norm.shape.channels;
  const TensorArgument& spread = given.training ? given.saveInvstd : given.runningVar;
  norm.weight = channel_input(plan, given.weight, channels);
  norm.mean = channel_input(plan, given.training ? given.saveMean : given.runningMean, channels);
  norm.spread = channel_input(plan, spread, channels);
  norm.training = given.training;
  norm.eps = float(given.eps);
  norm.spread_is_invstd = spread_is_invstd;
  if (!spread.given()) plan.reserve(channels, ACL_FLOAT);
  if (wanted(given.outputMask, 0)) {
    plan.result(given.gradOut.dtype(), given.input.shape()).copy_to(given.gradInput);
    norm.grad_input = row_major_output(plan, given.gradInput);
  }
  const auto of_channels = [&](const TensorArgument& out) {
    plan.result(ACL_FLOAT, Dims{channels}).cast_to(out.dtype()).copy_to(out);
    return row_major_output(plan, out);
  };
  if (wanted(given.outputMask, 1)) norm.grad_weight = of_channels(given.gradWeight);
  if (wanted(given.outputMask, 2)) norm.grad_bias = of_channels(given.gradBias);
  launch_shared(plan, kernel);
}

}  // namespace

void batch_norm_backward(const Check&, Plan& plan, const FastBatchNormBackwardParameters& given) {
  // The 950 checks it before; others spread one dimension over those of input.
  for (const TensorArgument* tensor : {&given.saveMean, &given.saveInvstd})
    if (given.training && tensor->given())
      check_inside(plan, tensor->rank() == 1, "%s has shape %s, it must have one dimension",
                   tensor->name(), tensor->shape().text().c_str());
  prepare_batch_norm(plan, given, batch_norm_axis(given.input), on_950() && given.training);
}

void fast_batch_norm_backward(const Check&, Plan& plan,
                              const FastBatchNormBackwardParameters& given) {
  prepare_batch_norm(plan, given, 1, false);
}

void batch_norm_reduce_backward(const Check&, Plan& plan,
                                const BatchNormReduceBackwardParameters& given) {
  stage_as_float(plan, given.gradOut, given.input, given.mean, given.invstd, given.weight);
  plan.reserve(given.input.elements(), ACL_FLOAT);
  const auto norm = std::make_shared<BatchNormSums>();
  norm->shape = channel_shape(given.input.shape(), 1);
  norm->grad = row_major_input(plan, given.gradOut);
  norm->input = row_major_input(plan, given.input);
  norm->mean = row_major_input(plan, given.mean);
  norm->invstd = row_major_input(plan, given.invstd);
  if (given.inputG) {
    norm->sum_dy = result(plan, ACL_FLOAT, given.sumDy);
    norm->sum_dy_xmu = result(plan, ACL_FLOAT, given.sumDyXmu);
  }
  if (given.weightG) norm->grad_weight = result(plan, ACL_FLOAT, given.gradWeight);
  if (given.biasG) norm->grad_bias = result(plan, ACL_FLOAT, given.gradBias);
  launch_shared(plan, norm);
}

void batch_norm_elemt_backward(const Check&, Plan& plan,
                               const BatchNormElemtBackwardParameters& given) {
  stage_as_float(plan, given.gradOut, given.input, given.mean, given.invstd, given.weight,
                 given.sumDy, given.sumDyXmu, given.counter);
  const auto norm = std::make_shared<BatchNormOfSums>();
  norm->shape = channel_shape(given.input.shape(), 1);
  norm->grad = row_major_input(plan, given.gradOut);
  norm->input = row_major_input(plan, given.input);
  norm->mean = row_major_input(plan, given.mean);
  norm->invstd = row_major_input(plan, given.invstd);
  norm->weight = row_major_input(plan, given.weight);
  norm->sum_dy = row_major_input(plan, given.sumDy);
  norm->sum_dy_xmu = row_major_input(plan, given.sumDyXmu);
  norm->counter = row_major_input(plan, given.counter);
  norm->grad_input = result(plan, ACL_FLOAT, given.gradInput);
  launch_shared(plan, norm);
}

}  // namespace pyaclnn::sim
