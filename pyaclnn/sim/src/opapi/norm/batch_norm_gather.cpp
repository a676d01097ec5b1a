// SPDX-License-Identifier: MIT
#include "opapi/norm/batch_norm_gather.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/norm/channel_pass.hpp"
#include "opapi/norm/norm.hpp"
#include "parameters/BatchNormGatherStatsWithCounts.hpp"
#include "parameters/SyncBatchNormGatherStats.hpp"

namespace pyaclnn::sim {
namespace {

void write(const RowMajor& out, const KernelMemory& memory, const std::vector<float>& values) {
  if (out.given()) RowMajorAccess(out, memory).write(0, std::int64_t(values.size()), values.data());
}

std::vector<float> rounded(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

/// The statistics of all devices, from those of each.
struct Gather {
  RowMajor first;   // means, or sums
  RowMajor second;  // 1 / sqrt(variance + eps), or sums of squares
  RowMajor counts;
  RowMajor running_mean;  // read and written
  RowMajor running_var;
  RowMajor mean;
  RowMajor invstd;
  std::int64_t devices = 0;
  std::int64_t channels = 0;
  bool takes_sums = false;
  float momentum = 0;
  float eps = 0;

  void run(const KernelMemory& memory) const {
    const std::vector<float> a = RowMajorAccess(first, memory).values();
    const std::vector<float> b = RowMajorAccess(second, memory).values();
    std::vector<float> n = RowMajorAccess(counts, memory).values();
    if (takes_sums)
      for (float& count : n) count = std::trunc(count);  // CANN casts them to int32
    double total = 0;
    for (float count : n) total += double(count);
    std::vector<float> means(std::size_t(channels), 0.0f);
    std::vector<float> roots(means);
    std::vector<float> next_mean = old(running_mean, memory);
    std::vector<float> next_var = old(running_var, memory);
    for (std::int64_t c = 0; c < channels; ++c) {
      const auto [average, squares] =
          takes_sums ? of_sums(a, b, c, total) : merged(a, b, n, c, total);
      const auto at = std::size_t(c);
      means[at] = float(average);
      roots[at] = float(1.0 / std::sqrt(squares / total + double(eps)));
      const double m = double(momentum);
      next_mean[at] = float((1 - m) * double(next_mean[at]) + m * average);
      next_var[at] = float((1 - m) * double(next_var[at]) + m * squares / (total - 1));
    }
    write(mean, memory, means);
    write(invstd, memory, roots);
    write(running_mean, memory, next_mean);
    write(running_var, memory, next_var);
  }

 private:
  using Moments = std::pair<double, double>;  // the mean, the sum of squares of the distances

  Moments of_sums(const std::vector<float>& sums, const std::vector<float>& squares, std::int64_t c,
                  double total) const {
    double sum = 0;
    double square_sum = 0;
    for (std::int64_t d = 0; d < devices; ++d) {
      sum += double(sums[std::size_t(d * channels + c)]);
      square_sum += double(squares[std::size_t(d * channels + c)]);
    }
    const double average = sum / total;
    return {average, square_sum - total * average * average};
  }

  Moments merged(const std::vector<float>& averages, const std::vector<float>& inverses,
                 const std::vector<float>& n, std::int64_t c, double total) const {
    double sum = 0;
    for (std::int64_t d = 0; d < devices; ++d)
      sum += double(n[std::size_t(d)]) * double(averages[std::size_t(d * channels + c)]);
    const double average = sum / total;
    double squares = 0;
    for (std::int64_t d = 0; d < devices; ++d) {
      const auto at = std::size_t(d * channels + c);
      const double inverse = double(inverses[at]);
      const double variance = 1.0 / (inverse * inverse) - double(eps);
      const double distance = double(averages[at]) - average;
      squares += double(n[std::size_t(d)]) * (variance + distance * distance);
    }
    return {average, squares};
  }

  std::vector<float> old(const RowMajor& values, const KernelMemory& memory) const {
    if (!values.given()) return std::vector<float>(std::size_t(channels), 0.0f);
    return RowMajorAccess(values, memory).values();
  }
};

void launch(Plan& plan, Gather kernel) {
  plan.launch([kernel = std::move(kernel)](const KernelMemory& memory) { kernel.run(memory); });
}

/// The plan of a tensor that is read, and of its results.
void stage_in_place(Plan& plan, const TensorArgument& tensor) {
  if (!tensor.given()) return;
  plan.stage(tensor).contiguous().cast_to(ACL_FLOAT);
  stage_result(plan, ACL_FLOAT, tensor);
}

}  // namespace

void batch_norm_reduce(const Check& check, Plan& plan, const TensorArgument& x,
                       const TensorArgument& sum, const TensorArgument& square_sum) {
  if (x.is_empty() || sum.is_empty() || square_sum.is_empty()) {
    launch_fill(plan, sum, 0.0f);
    launch_fill(plan, square_sum, 0.0f);
    return;
  }
  check.dtype_in({ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, x);
  check.dtype_in(DtypeSet{ACL_FLOAT}, sum, square_sum);
  check_formats(check, x, sum, square_sum);
  check.that(x.rank() == 4, "x has %zu dimensions, it must have 4", x.rank());
  const Dims channels{x.shape()[1]};
  check.shape_is(sum, channels, "the channels of x");
  check.shape_is(square_sum, channels, "the channels of x");
  needs_kernel(plan, on_a2_or_a3());
  plan.stage(x).contiguous();
  for (const TensorArgument* out : {&sum, &square_sum})
    plan.result(ACL_FLOAT, channels).copy_to(*out);
  const ChannelShape shape = channel_shape(x.shape());
  const RowMajor input = row_major_input(plan, x);
  const RowMajor first = row_major_output(plan, sum);
  const RowMajor second = row_major_output(plan, square_sum);
  plan.launch([=](const KernelMemory& memory) {
    const RowMajorAccess values(input, memory);
    const std::vector<double> zeros(std::size_t(shape.channels));
    const ChannelSums sums = channel_sums(shape, values, values, zeros);
    write(first, memory, rounded(sums.grad));
    write(second, memory, rounded(sums.grad_centered));
  });
}

/// Of what each device found, [devices, channels], and of how many elements, [devices]. Running
/// statistics are written in place.
void batch_norm_gather_stats(const Check& check, Plan& plan,
                             const BatchNormGatherStatsWithCountsParameters& call) {
  const DtypeSet dtypes = DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16();
  check.dtype_in(dtypes, call.input, call.mean, call.invstd);
  for (const TensorArgument* tensor : {&call.runningMean, &call.runningVar})
    if (tensor->given()) check.dtype_in(dtypes, *tensor);
  check.dtype_in(dtypes, call.counts, call.meanAll, call.invstdAll);
  check_formats(check, call.input, call.mean, call.invstd, call.counts);
  check.rank_at_most(8, call.input);
  check.that(call.input.rank() >= 2, "input has %zu dimensions, it must have at least 2",
             call.input.rank());
  const std::int64_t channels = call.input.shape()[1];
  check.that(call.mean.rank() == 2 && call.mean.shape()[1] == channels,
             "mean has shape %s, it must have devices and the %lld channels of input",
             call.mean.shape().text().c_str(), static_cast<long long>(channels));
  check.same_shape(call.mean, call.invstd);
  check.shape_is(call.counts, Dims{call.mean.shape()[0]}, "the devices of mean");
  for (const TensorArgument* tensor :
       {&call.runningMean, &call.runningVar, &call.meanAll, &call.invstdAll})
    if (tensor->given()) check.shape_is(*tensor, Dims{channels}, "the channels of input");
  // CANN would read what is not there.
  if (call.runningMean.given()) check.not_null(call.runningVar);
  if (call.mean.is_empty()) {
    launch_fill(plan, call.meanAll, 0.0f);
    launch_fill(plan, call.invstdAll, std::numeric_limits<float>::quiet_NaN());
    return;
  }
  check_kernel_exists(plan, !on_310p() && (!on_950() || on_late_950()));
  stage_as_float(plan, call.mean, call.invstd, call.counts);
  Gather kernel;
  if (call.runningMean.given()) {
    for (const TensorArgument* tensor : {&call.runningMean, &call.runningVar})
      stage_in_place(plan, *tensor);
    plan.reads(call.runningMean);
    plan.reads(call.runningVar);
    kernel.running_mean = row_major_output(plan, call.runningMean);
    kernel.running_var = row_major_output(plan, call.runningVar);
  }
  stage_result(plan, ACL_FLOAT, call.meanAll);
  stage_result(plan, ACL_FLOAT, call.invstdAll);
  kernel.first = row_major_input(plan, call.mean);
  kernel.second = row_major_input(plan, call.invstd);
  kernel.counts = row_major_input(plan, call.counts);
  kernel.mean = row_major_output(plan, call.meanAll);
  kernel.invstd = row_major_output(plan, call.invstdAll);
  kernel.devices = call.mean.shape()[0];
  kernel.channels = channels;
  kernel.momentum = static_cast<float>(call.momentum);
  kernel.eps = static_cast<float>(call.eps);
  launch(plan, std::move(kernel));
}

/// The same of sums and sums of squares.
void sync_batch_norm_gather_stats(const Check& check, Plan& plan,
                                  const SyncBatchNormGatherStatsParameters& call) {
  DtypeSet dtypes{ACL_FLOAT, ACL_FLOAT16};
  if (on_950()) dtypes = dtypes | DtypeSet{ACL_BF16};
  check.dtype_in(dtypes, call.totalSum, call.totalSquareSum);
  check.dtype_in(dtypes | DtypeSet{ACL_INT32}, call.sampleCount);
  check.dtype_in(dtypes, call.mean, call.variance, call.batchMean, call.batchInvstd);
  check.same_dtype(call.totalSum, call.totalSquareSum, call.mean, call.variance);
  check.same_dtype(call.batchMean, call.batchInvstd);
  check_formats(check, call.totalSum, call.totalSquareSum, call.sampleCount, call.mean,
                call.variance);
  check.that(call.totalSum.rank() == 2, "totalSum has %zu dimensions, it must have 2",
             call.totalSum.rank());
  check.same_shape(call.totalSum, call.totalSquareSum);
  const std::int64_t devices = call.totalSum.shape()[0];
  const std::int64_t channels = call.totalSum.shape()[1];
  check.shape_is(call.sampleCount, Dims{devices}, "the devices of totalSum");
  for (const TensorArgument* tensor :
       {&call.mean, &call.variance, &call.batchMean, &call.batchInvstd})
    check.shape_is(*tensor, Dims{channels}, "the channels of totalSum");
  check.that(devices != 0, "totalSum has shape %s: there are no devices",
             call.totalSum.shape().text().c_str());
  if (channels == 0) return;
  needs_kernel(plan, chip().has_bf16());
  for (const TensorArgument* tensor : {&call.totalSum, &call.totalSquareSum})
    plan.stage(*tensor).contiguous();
  plan.stage(call.sampleCount).contiguous().cast_to(ACL_INT32);
  for (const TensorArgument* tensor : {&call.mean, &call.variance}) {
    plan.stage(*tensor).contiguous();
    plan.result(tensor->dtype(), tensor->shape()).copy_to(*tensor);
    plan.reads(*tensor);
  }
  stage_result(plan, call.totalSum.dtype(), call.batchMean);
  stage_result(plan, call.totalSum.dtype(), call.batchInvstd);
  Gather kernel;
  kernel.takes_sums = true;
  kernel.first = row_major_input(plan, call.totalSum);
  kernel.second = row_major_input(plan, call.totalSquareSum);
  kernel.counts = row_major_input(plan, call.sampleCount);
  kernel.running_mean = row_major_output(plan, call.mean);
  kernel.running_var = row_major_output(plan, call.variance);
  kernel.mean = row_major_output(plan, call.batchMean);
  kernel.invstd = row_major_output(plan, call.batchInvstd);
  kernel.devices = devices;
  kernel.channels = channels;
  kernel.momentum = call.momentum;
  kernel.eps = call.eps;
  launch(plan, std::move(kernel));
}

}  // namespace pyaclnn::sim
