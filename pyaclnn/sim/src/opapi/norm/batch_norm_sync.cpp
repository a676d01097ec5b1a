// The backward pass of batch normalisation over several devices: each sums its part, then all
// apply the common sums.
// SPDX-License-Identifier: MIT
#include <memory>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_batch_norm_backward_reduce.h"
#include "aclnnop/aclnn_batch_norm_elemt_backward.h"
#include "core/status.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/norm/channel_pass.hpp"
#include "opapi/norm/norm.hpp"

using namespace pyaclnn::sim;

namespace {

std::vector<double> values(const RowMajor& operand, const KernelMemory& memory) {
  const std::vector<float> read = RowMajorAccess(operand, memory).values();
  return {read.begin(), read.end()};
}

void check_rank(const Check& check, const TensorArgument& tensor) {
  check.that(tensor.rank() >= 2, "%s has %zu dimensions, it must have 2 at least", tensor.name(),
             tensor.rank());
  check.rank_at_most(8, tensor);
}

void check_channels(const Check& check, const TensorArgument& input) {
  check.that(input.shape()[1] != 0, "input has no channels: %s", input.shape().text().c_str());
}

/// Inputs that CANN does not look at before its kernels do.
void require_shape(const Plan& plan, const TensorArgument& tensor, const Dims& shape) {
  if (tensor.shape() != shape)
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: %s has shape %s, it must be %s", plan.api(), tensor.name(),
         tensor.shape().text().c_str(), shape.text().c_str());
}

struct ReduceKernel {
  ChannelShape shape;
  RowMajor grad;
  RowMajor input;
  RowMajor mean;
  RowMajor invstd;
  RowMajor sum_dy;
  RowMajor sum_dy_xmu;
  RowMajor grad_weight;
  RowMajor grad_bias;

  void run(const KernelMemory& memory) const {
    const ChannelSums sums = channel_sums(shape, RowMajorAccess(grad, memory),
                                          RowMajorAccess(input, memory), values(mean, memory));
    const std::vector<double> scale = values(invstd, memory);
    std::vector<double> scaled(sums.grad_centered);
    for (std::size_t c = 0; c < scaled.size(); ++c) scaled[c] *= scale[c];
    write(sum_dy, memory, sums.grad);
    write(sum_dy_xmu, memory, sums.grad_centered);
    write(grad_weight, memory, scaled);
    write(grad_bias, memory, sums.grad);
  }

  static void write(const RowMajor& out, const KernelMemory& memory,
                    const std::vector<double>& sums) {
    if (!out.given()) return;
    const std::vector<float> result(sums.begin(), sums.end());
    RowMajorAccess(out, memory).write(0, out.count(), result.data());
  }
};

struct ElemtKernel {
  ChannelShape shape;
  RowMajor grad;
  RowMajor input;
  RowMajor mean;
  RowMajor invstd;
  RowMajor weight;
  RowMajor sum_dy;
  RowMajor sum_dy_xmu;
  RowMajor counter;
  RowMajor grad_input;

  void run(const KernelMemory& memory) const {
    const auto channels = static_cast<std::size_t>(shape.channels);
    const std::vector<double> counts = values(counter, memory);
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    ChannelMap map(channels);
    map.mean = values(mean, memory);
    const std::vector<double> scale = values(invstd, memory);
    const std::vector<double> dy = values(sum_dy, memory);
    const std::vector<double> dy_xmu = values(sum_dy_xmu, memory);
    const std::vector<double> weights =
        weight.given() ? values(weight, memory) : std::vector<double>(channels, 1.0);
    for (std::size_t c = 0; c < channels; ++c) {
      map.grad_factor[c] = scale[c] * weights[c];
      map.x_factor[c] = -map.grad_factor[c] * (scale[c] * scale[c] * (dy_xmu[c] / total));
      map.constant[c] = -map.grad_factor[c] * (dy[c] / total);
    }
    channel_apply(shape, RowMajorAccess(grad, memory), RowMajorAccess(input, memory), map,
                  RowMajorAccess(grad_input, memory));
  }
};

}  // namespace

// Sums over all but the channels: sumDy and gradBias of gradOut, sumDyXmu of
// gradOut (input - mean); gradWeight = sumDyXmu invstd. The flags say which are wanted.
OPERATOR(BatchNormReduceBackward, (In, gradOut), (In, input), (In, mean), (In, invstd),
         (In, weight), (Flag, inputG), (Flag, weightG), (Flag, biasG), (Out, sumDy),
         (Out, sumDyXmu), (Out, gradWeight), (Out, gradBias)) {
  check.not_null(gradOut, input, mean, invstd);
  if (inputG) check.not_null(sumDy, sumDyXmu);
  if (weightG) check.not_null(gradWeight);
  if (biasG) check.not_null(gradBias);
  const std::pair<const Out*, bool> outputs[] = {
      {&sumDy, inputG}, {&sumDyXmu, inputG}, {&gradWeight, weightG}, {&gradBias, biasG}};
  const auto for_each_output = [&](auto visit) {
    for (const auto& [out, wanted] : outputs) {
      if (wanted) visit(*out);
    }
  };
  const DtypeSet dtypes = norm_dtypes();
  check.dtype_in(dtypes, gradOut, input, mean, invstd);
  check.same_dtype(input, gradOut);
  for_each_output([&](const Out& out) { check.dtype_in(dtypes, out); });
  check_formats(check, gradOut, input, mean, invstd);
  for_each_output([&](const Out& out) { check_formats(check, out); });
  check_rank(check, gradOut);
  check_rank(check, input);
  check_channels(check, input);
  const Dims per_channel{input.shape()[1]};
  for_each_output(
      [&](const Out& out) { check.shape_is(out, per_channel, "a value for each channel"); });
  if (gradOut.is_empty() || input.is_empty() || mean.is_empty() || invstd.is_empty()) {
    // Only the 950 writes the sums of nothing.
    if (!on_950()) return;
    for_each_output([&](const Out& out) {
      stage_result(plan, ACL_FLOAT, out);
      launch_zero(plan, out);
    });
    return;
  }

  require_shape(plan, gradOut, input.shape());
  require_shape(plan, mean, per_channel);
  require_shape(plan, invstd, per_channel);
  stage_as_float(plan, gradOut, input, mean, invstd, weight);
  plan.reserve(input.elements(), ACL_FLOAT);
  auto kernel = std::make_shared<ReduceKernel>();
  kernel->shape = channel_shape(input.shape());
  kernel->grad = row_major_input(plan, gradOut);
  kernel->input = row_major_input(plan, input);
  kernel->mean = row_major_input(plan, mean);
  kernel->invstd = row_major_input(plan, invstd);
  for_each_output([&](const Out& out) { stage_result(plan, ACL_FLOAT, out); });
  if (inputG) kernel->sum_dy = row_major_output(plan, sumDy);
  if (inputG) kernel->sum_dy_xmu = row_major_output(plan, sumDyXmu);
  if (weightG) kernel->grad_weight = row_major_output(plan, gradWeight);
  if (biasG) kernel->grad_bias = row_major_output(plan, gradBias);
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

// With n the sum of counter:
// gradInput = weight invstd (gradOut - sumDy / n - (input - mean) invstd^2 sumDyXmu / n).
OPERATOR(BatchNormElemtBackward, (In, gradOut), (In, input), (In, mean), (In, invstd), (In, weight),
         (In, sumDy), (In, sumDyXmu), (Out, counter), (Out, gradInput)) {
  check.not_null(gradOut, input, mean, invstd, sumDy, sumDyXmu, counter, gradInput);
  const DtypeSet dtypes = norm_dtypes();
  check.dtype_in(dtypes, gradOut, input, mean, invstd);
  if (weight.given()) check.dtype_in(dtypes, weight);
  check.dtype_in(dtypes, sumDy, sumDyXmu);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_INT32}, counter);
  check.dtype_in(dtypes, gradInput);
  check_formats(check, gradOut, input, gradInput);
  check_rank(check, input);
  check.rank_at_most(8, gradOut, gradInput, counter);
  check_channels(check, input);
  check.same_shape(input, gradOut, gradInput);
  const Dims per_channel{input.shape()[1]};
  for (const In* tensor : {&mean, &invstd, &weight, &sumDy, &sumDyXmu}) {
    if (tensor->given()) check.shape_is(*tensor, per_channel, "a value for each channel");
  }
  if (input.is_empty()) return;

  stage_as_float(plan, gradOut, input, mean, invstd, weight, sumDy, sumDyXmu, counter);
  auto kernel = std::make_shared<ElemtKernel>();
  kernel->shape = channel_shape(input.shape());
  kernel->grad = row_major_input(plan, gradOut);
  kernel->input = row_major_input(plan, input);
  kernel->mean = row_major_input(plan, mean);
  kernel->invstd = row_major_input(plan, invstd);
  kernel->weight = row_major_input(plan, weight);
  kernel->sum_dy = row_major_input(plan, sumDy);
  kernel->sum_dy_xmu = row_major_input(plan, sumDyXmu);
  kernel->counter = row_major_input(plan, counter);
  stage_result(plan, ACL_FLOAT, gradInput);
  kernel->grad_input = row_major_output(plan, gradInput);
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}
