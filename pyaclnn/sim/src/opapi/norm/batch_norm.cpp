// SPDX-License-Identifier: MIT
#include <cmath>
#include <memory>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_batch_norm_backward.h"
#include "aclnnop/aclnn_fast_batch_norm_backward.h"
#include "core/status.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/norm/channel_pass.hpp"
#include "opapi/norm/norm.hpp"

using namespace pyaclnn::sim;

namespace {

struct Arguments {
  const In& grad;
  const In& input;
  const In& weight;
  const In& running_mean;
  const In& running_var;
  const In& save_mean;
  const In& save_invstd;
  bool training;
  double eps;
  const BoolArrayIn& mask;
  const Out& grad_input;
  const Out& grad_weight;
  const Out& grad_bias;
  // From the 950 on, the statistic saved beside the mean is 1 / sqrt(variance + eps). On the chips
  // before, and in the fast operator on all of them, it is the variance, whatever its name says:
  // that is what the forward operator writes there.
  bool saves_invstd;

  bool wants(std::size_t i) const { return mask.values()[i] != 0; }
};

void check_mask(const Check& check, const Arguments& a) {
  check.that_given(a.mask.given(), "outputMask");
  const std::size_t size = a.mask.values().size();
  // CANN answers both with the code for a null pointer.
  check.that_given(size != 0, "the first element of outputMask");
  check.that_given(!on_950() || !a.saves_invstd || size == 3, "one of outputMask's 3 elements");
  check.that(size >= 3, "outputMask has %zu elements, it must have 3", size);
  if (a.wants(0)) check.not_null(a.grad_input);
  if (a.wants(1)) check.not_null(a.grad_weight);
  if (a.wants(2)) check.not_null(a.grad_bias);
}

template <class Visit>
void for_each_wanted(const Arguments& a, Visit visit) {
  if (a.wants(0)) visit(a.grad_input);
  if (a.wants(1)) visit(a.grad_weight);
  if (a.wants(2)) visit(a.grad_bias);
}

void check_dtypes(const Check& check, const Arguments& a) {
  const DtypeSet dtypes = norm_dtypes();
  check.dtype_in(dtypes, a.grad, a.input);
  check.same_dtype(a.grad, a.input);
  for_each_wanted(a, [&](const TensorArgument& out) { check.dtype_in(dtypes, out); });
  for (const In* tensor :
       {&a.weight, &a.running_mean, &a.running_var, &a.save_mean, &a.save_invstd}) {
    if (tensor->given()) check.dtype_in(dtypes, *tensor);
  }
}

/// On the 950 the other operands have the type of the gradient, or float32.
void check_dtypes_950(const Check& check, const Arguments& a) {
  const auto like = [&](const TensorArgument& tensor, const TensorArgument& reference) {
    if (!tensor.given() || !reference.given() || tensor.dtype() == ACL_FLOAT) return;
    check.same_dtype(reference, tensor);
  };
  like(a.weight, a.grad);
  like(a.running_mean, a.grad);
  like(a.running_var, a.grad);
  if (a.running_mean.given() && a.running_var.given())
    check.same_dtype(a.running_var, a.running_mean);
  like(a.save_mean, a.grad);
  like(a.save_invstd, a.grad);
  if (a.save_mean.given() && a.save_invstd.given()) check.same_dtype(a.save_mean, a.save_invstd);
  if (a.wants(0)) check.same_dtype(a.grad, a.grad_input);
  if (a.wants(1)) like(a.grad_weight, a.weight);
  if (a.wants(2)) like(a.grad_bias, a.weight);
  if (a.grad_weight.given() && a.grad_bias.given()) check.same_dtype(a.grad_bias, a.grad_weight);
}

void check_format(const Check& check, const Arguments& a) {
  if (a.wants(0)) {
    check_formats(check, a.grad, a.input, a.grad_input);
  } else {
    check_formats(check, a.grad, a.input);
  }
}

void check_rank(const Check& check, const TensorArgument& tensor) {
  check.rank_at_most(8, tensor);
  check.that(tensor.rank() >= 2, "%s has %zu dimensions, it must have 2 at least", tensor.name(),
             tensor.rank());
}

void check_shape(const Check& check, const Arguments& a) {
  check_rank(check, a.input);
  check_rank(check, a.grad);
  check.same_shape(a.input, a.grad);
  if (!a.wants(0)) return;
  check_rank(check, a.grad_input);
  check.same_shape(a.grad, a.grad_input);
}

std::size_t channel_axis(const Arguments& a) {
  const aclFormat format = a.input.meta().format;
  const bool last = a.saves_invstd && (format == ACL_FORMAT_NHWC || format == ACL_FORMAT_NDHWC);
  return last ? a.input.rank() - 1 : 1;
}

void check_channels(const Check& check, const Arguments& a, std::int64_t channels) {
  for (const In* tensor : {&a.weight, &a.running_mean, &a.running_var}) {
    if (tensor->given()) check.shape_is(*tensor, Dims{channels}, "a value for each channel");
  }
  if (!on_950() || !a.saves_invstd) return;
  for (const In* tensor : {&a.save_mean, &a.save_invstd}) {
    const bool may_be_empty = !a.training && tensor->given() && tensor->shape() == Dims{0};
    if (tensor->given() && !may_be_empty)
      check.shape_is(*tensor, Dims{channels}, "a value for each channel");
  }
  if (a.wants(1)) check.shape_is(a.grad_weight, Dims{channels}, "a value for each channel");
  if (a.wants(2)) check.shape_is(a.grad_bias, Dims{channels}, "a value for each channel");
}

struct Kernel {
  ChannelShape shape;
  RowMajor grad;
  RowMajor input;
  RowMajor weight;
  RowMajor mean;
  RowMajor spread;  // a variance, or 1 / sqrt(variance + eps)
  RowMajor grad_input;
  RowMajor grad_weight;
  RowMajor grad_bias;
  bool training = false;
  bool spread_is_invstd = false;
  float eps = 0;

  std::vector<double> values(const RowMajor& operand, const KernelMemory& memory,
                             double otherwise) const {
    const auto channels = static_cast<std::size_t>(shape.channels);
    if (!operand.given()) return std::vector<double>(channels, otherwise);
    const std::vector<float> values = RowMajorAccess(operand, memory).values();
    return {values.begin(), values.end()};
  }

  void run(const KernelMemory& memory) const {
    const auto channels = static_cast<std::size_t>(shape.channels);
    const std::vector<double> means = values(mean, memory, 0.0);
    std::vector<double> invstd = values(spread, memory, 1.0);
    if (!spread_is_invstd) {
      for (double& value : invstd) value = 1.0 / std::sqrt(value + double(eps));
    }
    const std::vector<double> weights = values(weight, memory, 1.0);
    const RowMajorAccess grads(grad, memory);
    const RowMajorAccess inputs(input, memory);

    const bool needs_sums = grad_weight.given() || grad_bias.given() || training;
    ChannelSums sums;
    if (needs_sums) sums = channel_sums(shape, grads, inputs, means);
    if (grad_input.given()) {
      ChannelMap map(channels);
      map.uses_x = training;
      const auto count = double(shape.per_channel());
      for (std::size_t c = 0; c < channels; ++c) {
        map.grad_factor[c] = weights[c] * invstd[c];
        if (!training) continue;
        map.mean[c] = means[c];
        map.x_factor[c] =
            -map.grad_factor[c] * (invstd[c] * invstd[c]) * (sums.grad_centered[c] / count);
        map.constant[c] = -map.grad_factor[c] * (sums.grad[c] / count);
      }
      channel_apply(shape, grads, inputs, map, RowMajorAccess(grad_input, memory));
    }
    std::vector<float> result(channels);
    if (grad_weight.given()) {
      for (std::size_t c = 0; c < channels; ++c)
        result[c] = static_cast<float>(sums.grad_centered[c] * invstd[c]);
      RowMajorAccess(grad_weight, memory).write(0, shape.channels, result.data());
    }
    if (grad_bias.given()) {
      result.assign(sums.grad.begin(), sums.grad.end());
      RowMajorAccess(grad_bias, memory).write(0, shape.channels, result.data());
    }
  }
};

/// An operand with a value for each channel; CANN resizes it, which fails for another length.
RowMajor channel_input(Plan& plan, const TensorArgument& tensor, std::int64_t channels) {
  if (tensor.given() && tensor.elements() != channels)
    fail(ACLNN_ERR_INNER_NULLPTR,
         "%s: %s has shape %s, it must have a value for each channel: %lld", plan.api(),
         tensor.name(), tensor.shape().text().c_str(), static_cast<long long>(channels));
  stage_as_float(plan, tensor);
  return row_major_input(plan, tensor);
}

void plan_kernel(Plan& plan, const Arguments& a) {
  const std::size_t axis = channel_axis(a);
  auto kernel = std::make_shared<Kernel>();
  ChannelShape& shape = kernel->shape;
  const Dims& dims = a.input.shape();
  for (std::size_t i = 0; i < dims.size(); ++i) {
    std::int64_t& part = i < axis ? shape.outer : i == axis ? shape.channels : shape.inner;
    part *= dims[i];
  }
  plan.stage(a.input).contiguous();
  plan.stage(a.grad).contiguous();
  kernel->grad = row_major_input(plan, a.grad);
  kernel->input = row_major_input(plan, a.input);
  kernel->weight = channel_input(plan, a.weight, shape.channels);
  kernel->mean = channel_input(plan, a.training ? a.save_mean : a.running_mean, shape.channels);
  kernel->spread = channel_input(plan, a.training ? a.save_invstd : a.running_var, shape.channels);
  const In& spread = a.training ? a.save_invstd : a.running_var;
  kernel->spread_is_invstd = a.training && on_950() && a.saves_invstd;
  kernel->training = a.training;
  kernel->eps = static_cast<float>(a.eps);
  if (!spread.given()) plan.reserve(shape.channels, ACL_FLOAT);
  if (a.wants(0)) {
    plan.result(a.grad.dtype(), dims).copy_to(a.grad_input);
    kernel->grad_input = row_major_output(plan, a.grad_input);
  }
  const Dims per_channel{shape.channels};
  if (a.wants(1)) {
    plan.result(ACL_FLOAT, per_channel).cast_to(a.grad_weight.dtype()).copy_to(a.grad_weight);
    kernel->grad_weight = row_major_output(plan, a.grad_weight);
  }
  if (a.wants(2)) {
    plan.result(ACL_FLOAT, per_channel).cast_to(a.grad_bias.dtype()).copy_to(a.grad_bias);
    kernel->grad_bias = row_major_output(plan, a.grad_bias);
  }
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

void plan_batch_norm(const Check& check, Plan& plan, const Arguments& a) {
  check.not_null(a.grad, a.input);
  // Empty tensors are not looked at any further.
  if (a.input.is_empty() || a.grad.is_empty()) return;
  check_mask(check, a);
  check_dtypes(check, a);
  if (on_950() && a.saves_invstd) check_dtypes_950(check, a);
  check_format(check, a);
  check_shape(check, a);
  check_channels(check, a, a.input.shape()[channel_axis(a)]);
  // Other chips, and the fast operator, prepare the kernel also where nothing is wanted.
  const bool may_stop = on_950() && a.saves_invstd;
  if (may_stop && !a.wants(0) && !a.wants(1) && !a.wants(2)) return;
  plan_kernel(plan, a);
}

}  // namespace

// With n elements in a channel, d = gradOut, c = input - mean and invstd = 1 / sqrt(var + eps):
//   gradBias = sum(d), gradWeight = invstd sum(d c),
//   gradInput = weight invstd (d - sum(d) / n - c invstd^2 sum(d c) / n) in training, where mean
//   and var are those saved; weight invstd d otherwise, with the running ones.
OPERATOR(BatchNormBackward, (In, gradOut), (In, input), (In, weight), (In, runningMean),
         (In, runningVar), (In, saveMean), (In, saveInvstd), (Flag, training), (Double, eps),
         (BoolArrayIn, outputMask), (Out, gradInput), (Out, gradWeight), (Out, gradBias)) {
  plan_batch_norm(check, plan,
                  {gradOut, input, weight, runningMean, runningVar, saveMean, saveInvstd, training,
                   eps, outputMask, gradInput, gradWeight, gradBias, on_950()});
}

// The same; version is not used.
OPERATOR(FastBatchNormBackward, (In, gradOut), (In, input), (In, weight), (In, runningMean),
         (In, runningVar), (In, saveMean), (In, saveInvstd), (Flag, training), (Double, eps),
         (BoolArrayIn, outputMask), (Int32, version), (Out, gradInput), (Out, gradWeight),
         (Out, gradBias)) {
  check.since_cann_9_0();
  plan_batch_norm(check, plan,
                  {gradOut, input, weight, runningMean, runningVar, saveMean, saveInvstd, training,
                   eps, outputMask, gradInput, gradWeight, gradBias, false});
}
