// SPDX-License-Identifier: MIT
#include "opapi/norm/batch_norm_forward.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/norm/channel_forward.hpp"
#include "opapi/norm/norm.hpp"
#include "parameters/BatchNormElemt.hpp"
#include "parameters/BatchNormStats.hpp"

namespace pyaclnn::sim {
namespace {

using Values = std::vector<double>;

void check_image(const Check& check, const TensorArgument& input, const TensorArgument& output) {
  for (const TensorArgument* tensor : {&input, &output}) {
    check.rank_at_most(8, *tensor);
    check.that(tensor->rank() >= 2, "%s has %zu dimensions, it must have at least 2",
               tensor->name(), tensor->rank());
  }
  check.same_shape(input, output);
}

void check_channels(const Check& check, const TensorArgument& input,
                    std::initializer_list<const TensorArgument*> tensors) {
  const Dims channels{input.shape()[1]};
  for (const TensorArgument* tensor : tensors) {
    if (tensor->given()) check.shape_is(*tensor, channels, "the channels of input");
  }
}

/// One number for each channel.
Values read(const RowMajor& layout, const KernelMemory& memory, std::int64_t count,
            double otherwise) {
  if (!layout.given()) return Values(std::size_t(count), otherwise);
  const std::vector<float> values = RowMajorAccess(layout, memory).values();
  return {values.begin(), values.end()};
}

void write(const RowMajor& layout, const KernelMemory& memory, const Values& values) {
  if (!layout.given()) return;
  const std::vector<float> rounded(values.begin(), values.end());
  RowMajorAccess(layout, memory).write(0, std::int64_t(rounded.size()), rounded.data());
}

struct Kernel {
  ChannelShape shape;
  RowMajor input, weight, bias, running_mean, running_var, output, save_mean, save_second;
  bool training = false;
  bool saves_invstd = false;
  float momentum = 0;
  float eps = 0;
  RowMajor invstd;         // given in place of running_var
  bool of_halves = false;  // input is of float16 or bfloat16

  void run(const KernelMemory& memory) const {
    const std::int64_t channels = shape.channels;
    Values mean = read(running_mean, memory, channels, 0);
    Values variance = read(running_var, memory, channels, 1);
    if (training) {
      ChannelMoments moments = channel_moments(shape, RowMajorAccess(input, memory));
      const Values old_mean = std::exchange(mean, std::move(moments.mean));
      const Values old_variance = std::exchange(variance, std::move(moments.variance));
      const double count = double(shape.per_channel());
      const double unbiased = count > 1 ? count / (count - 1) : 0.0;
      Values next_mean(mean.size());
      Values next_variance(mean.size());
      for (std::size_t c = 0; c < mean.size(); ++c) {
        const double m = double(momentum);
        next_mean[c] = (1 - m) * old_mean[c] + m * mean[c];
        next_variance[c] = (1 - m) * old_variance[c] + m * variance[c] * unbiased;
      }
      write(running_mean, memory, next_mean);
      write(running_var, memory, next_variance);
      write(save_mean, memory, mean);
    }
    Values factor(mean.size());
    for (std::size_t c = 0; c < mean.size(); ++c)
      factor[c] = 1.0 / std::sqrt(variance[c] + double(eps));
    if (invstd.given()) {
      factor = read(invstd, memory, channels, 1);
      for (double& value : factor) value = std::abs(value);  // CANN takes the root of its square
    }
    if (training) write(save_second, memory, saves_invstd ? factor : variance);
    if (output.given()) apply(memory, std::move(mean), std::move(factor));
  }

 private:
  void apply(const KernelMemory& memory, Values mean, Values factor) const {
    const Values gamma = read(weight, memory, shape.channels, 1);
    for (std::size_t c = 0; c < factor.size(); ++c) factor[c] *= gamma[c];
    const ChannelScale scale{std::move(mean), std::move(factor),
                             read(bias, memory, shape.channels, 0), of_halves};
    channel_scale(shape, RowMajorAccess(input, memory), scale, RowMajorAccess(output, memory));
  }
};

void launch(Plan& plan, Kernel kernel) {
  plan.launch([kernel = std::move(kernel)](const KernelMemory& memory) { kernel.run(memory); });
}

}  // namespace

void check_batch_norm(const Check& check, const BatchNormTensors& t, bool training) {
  const DtypeSet dtypes = norm_dtypes();
  check.dtype_in(dtypes, t.input, t.output);
  if (training) check.dtype_in(dtypes, t.save_mean, t.save_invstd);
  for (const TensorArgument* tensor : {&t.weight, &t.bias, &t.running_mean, &t.running_var}) {
    if (tensor->given()) check.dtype_in(dtypes, *tensor);
  }
  check_formats(check, t.input, t.output);
  check_image(check, t.input, t.output);
  check_channels(check, t.input, {&t.weight, &t.bias, &t.running_mean, &t.running_var});
  if (training) check_channels(check, t.input, {&t.save_mean, &t.save_invstd});
}

void batch_norm_of_nothing(Plan& plan, const BatchNormTensors& t) {
  launch_fill(plan, t.save_mean, 0.0f);
  launch_fill(plan, t.save_invstd, std::numeric_limits<float>::quiet_NaN());
}

void batch_norm(Plan& plan, const BatchNormTensors& t, bool training, double momentum, double eps) {
  Kernel kernel;
  kernel.shape = channel_shape(t.input.shape());
  kernel.training = training;
  kernel.saves_invstd = on_950();
  kernel.momentum = static_cast<float>(momentum);
  kernel.eps = static_cast<float>(eps);
  plan.stage(t.input).contiguous();
  for (const TensorArgument* tensor : {&t.weight, &t.bias, &t.running_mean, &t.running_var}) {
    if (tensor->given()) {
      plan.stage(*tensor).contiguous().cast_to(ACL_FLOAT);
    } else {
      plan.reserve(kernel.shape.channels, ACL_FLOAT);
    }
  }
  plan.result(t.input.dtype(), t.input.shape()).copy_to(t.output);
  kernel.input = row_major_input(plan, t.input);
  kernel.weight = row_major_input(plan, t.weight);
  kernel.bias = row_major_input(plan, t.bias);
  kernel.output = row_major_output(plan, t.output);
  kernel.of_halves = t.input.dtype() != ACL_FLOAT;
  kernel.running_mean = row_major_input(plan, t.running_mean);
  kernel.running_var = row_major_input(plan, t.running_var);
  if (training) {
    for (const TensorArgument* out :
         {&t.running_mean, &t.running_var, &t.save_mean, &t.save_invstd}) {
      if (out->given()) plan.result(ACL_FLOAT, out->shape()).cast_to(out->dtype()).copy_to(*out);
    }
    kernel.running_mean = row_major_output(plan, t.running_mean);
    kernel.running_var = row_major_output(plan, t.running_var);
    kernel.save_mean = row_major_output(plan, t.save_mean);
    kernel.save_second = row_major_output(plan, t.save_invstd);
  }
  launch(plan, std::move(kernel));
}

/// mean and 1 / sqrt(variance + eps) of each channel.
void batch_norm_stats(const Check& check, Plan& plan, const BatchNormStatsParameters& given) {
  const DtypeSet halves{ACL_FLOAT, ACL_FLOAT16};
  check.dtype_in(on_950() ? halves | DtypeSet{ACL_BF16} : halves, given.input);
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.mean, given.invstd);
  check_formats(check, given.input, given.mean, given.invstd);
  check.rank_at_most(8, given.input);
  check.that(given.input.rank() >= 2, "input has %zu dimensions, it must have at least 2",
             given.input.rank());
  check.that(given.input.shape()[1] != 0, "input has no channels");
  check_channels(check, given.input, {&given.mean, &given.invstd});
  if (given.input.is_empty()) {
    launch_fill(plan, given.mean, 0.0f);
    launch_fill(plan, given.invstd, std::numeric_limits<float>::quiet_NaN());
    return;
  }
  needs_kernel(plan, !on_310p());
  plan.stage(given.input).contiguous().cast_to(ACL_FLOAT);
  for (const TensorArgument* out : {&given.mean, &given.invstd})
    plan.result(ACL_FLOAT, out->shape()).copy_to(*out);
  Kernel kernel;
  kernel.shape = channel_shape(given.input.shape());
  kernel.training = true;
  kernel.saves_invstd = true;
  kernel.eps = static_cast<float>(given.eps);
  kernel.input = row_major_input(plan, given.input);
  kernel.save_mean = row_major_output(plan, given.mean);
  kernel.save_second = row_major_output(plan, given.invstd);
  launch(plan, std::move(kernel));
}

void check_batch_norm_elemt(const Check& check, const TensorArgument& input,
                            const TensorArgument& weight, const TensorArgument& bias,
                            const TensorArgument& mean, const TensorArgument& invstd,
                            const TensorArgument& output) {
  // CANN answers null with the code for an invalid argument here.
  for (const TensorArgument* tensor : {&input, &mean, &invstd, &output})
    check.that(tensor->given(), "%s is null", tensor->name());
  for (const TensorArgument* tensor : {&input, &weight, &bias, &mean, &invstd, &output}) {
    if (tensor->given()) check.dtype_in(norm_dtypes(), *tensor);
  }
  check_formats(check, input, output);
  check_image(check, input, output);
  check.that(input.shape()[1] != 0, "input has no channels");
  check_channels(check, input, {&weight, &bias, &mean, &invstd});
}

void batch_norm_elemt(const Check&, Plan& plan, const BatchNormElemtParameters& given) {
  Kernel kernel;
  kernel.shape = channel_shape(given.input.shape());
  plan.stage(given.input).contiguous();
  for (const TensorArgument* tensor : {&given.weight, &given.bias, &given.mean, &given.invstd}) {
    if (tensor->given()) plan.stage(*tensor).contiguous();
    plan.reserve(kernel.shape.channels, ACL_FLOAT);
  }
  plan.result(given.input.dtype(), given.input.shape()).copy_to(given.output);
  kernel.input = row_major_input(plan, given.input);
  kernel.weight = row_major_input(plan, given.weight);
  kernel.bias = row_major_input(plan, given.bias);
  kernel.running_mean = row_major_input(plan, given.mean);
  kernel.invstd = row_major_input(plan, given.invstd);
  kernel.output = row_major_output(plan, given.output);
  kernel.of_halves = given.input.dtype() != ACL_FLOAT;
  launch(plan, std::move(kernel));
}

}  // namespace pyaclnn::sim
