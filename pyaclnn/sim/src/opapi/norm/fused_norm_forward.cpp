// SPDX-License-Identifier: MIT
#include "opapi/norm/fused_norm_forward.hpp"

#include <initializer_list>

#include "opapi/common/chip_family.hpp"
#include "opapi/norm/fused_checks.hpp"
#include "opapi/norm/norm.hpp"
#include "opapi/norm/row_norm_forward.hpp"
#include "parameters/AddLayerNorm.hpp"
#include "parameters/DeepNorm.hpp"
#include "parameters/GroupNormSwish.hpp"
#include "parameters/InstanceNorm.hpp"

namespace pyaclnn::sim {
namespace {

constexpr DtypeSet kFloat{ACL_FLOAT};

RowNormForward rows_of(const Dims& shape, std::size_t axis, double epsilon) {
  RowNormForward norm;
  norm.rows = shape.product(0, axis);
  norm.length = shape.product(axis);
  norm.eps = static_cast<float>(epsilon);
  return norm;
}

/// The element type of the sum of x1 and x2 that CANN has a kernel for: theirs, or float32 where
/// one of them is of it.
aclDataType sum_dtype(const Check& check, const TensorArgument& x1, const TensorArgument& x2) {
  if (x1.dtype() == x2.dtype()) return x1.dtype();
  check.that(!on_310p() && (x1.dtype() == ACL_FLOAT || x2.dtype() == ACL_FLOAT),
             "x1 and x2 have element types that no kernel adds");
  return ACL_FLOAT;
}

void has_dtype(const Check& check, const TensorArgument& tensor, aclDataType dtype) {
  check.dtype_in(DtypeSet{dtype}, tensor);
}

}  // namespace

void add_layer_norm(const Check& check, Plan& plan, const AddLayerNormParameters& given) {
  const auto& [x1, x2, gamma, beta, bias, epsilon, gives_x, y, mean, rstd, x] = given;
  needs_kernel(plan, chip().soc != Soc::kAscend910);
  check.dtype_in(norm_dtypes(), x1, x2);
  const aclDataType sum = sum_dtype(check, x1, x2);
  if (gamma.dtype() != ACL_FLOAT || on_310p()) has_dtype(check, gamma, sum);
  check.same_dtype(gamma, beta);
  if (bias.given()) has_dtype(check, bias, sum);
  has_dtype(check, y, sum);
  check.dtype_in(kFloat, mean, rstd);
  has_dtype(check, x, sum);
  if (gives_nothing(y, mean, rstd, x)) return;

  rank_in(plan, x1, 1, 8);
  rank_in(plan, gamma, 1, x1.rank());
  for (const TensorArgument* tensor : {&x2, &y, &x}) same_shape(plan, x1, *tensor);
  for (const TensorArgument* tensor : {&mean, &rstd}) rank_in(plan, *tensor, x1.rank(), x1.rank());
  same_shape(plan, gamma, beta);
  const std::size_t axis = x1.rank() - gamma.rank();
  ends_with(plan, x1, gamma);
  is_row_statistic(plan, x1, mean, axis);
  is_row_statistic(plan, x1, rstd, axis);
  not_empty(plan, x1);
  if (bias.given())
    check_tiling(plan, bias.shape() == x1.shape() || bias.shape() == gamma.shape(),
                 "biasOptional has shape %s, it must be that of x1 or gamma",
                 bias.shape().text().c_str());

  stage_contiguous(plan, x1, x2, gamma, beta, bias);
  stage_results(plan, y, mean, rstd, x);
  RowNormForward norm = rows_of(x1.shape(), axis, epsilon);
  norm.x1 = row_major_input(plan, x1);
  norm.x2 = row_major_input(plan, x2);
  norm.bias = row_major_input(plan, bias);
  norm.gamma = row_major_input(plan, gamma);
  norm.beta = row_major_input(plan, beta);
  set_result(norm, plan, y);
  norm.mean = row_major_output(plan, mean);
  norm.rstd = row_major_output(plan, rstd);
  if (gives_x) norm.x = row_major_output(plan, x);
  launch_row_norm_forward(plan, norm);
}

void deep_norm(const Check& check, Plan& plan, const DeepNormParameters& given) {
  const auto& [x, gx, beta, gamma, alpha, epsilon, mean, rstd, y] = given;
  check_kernel_exists(plan, chip().soc != Soc::kAscend910 && !on_950());
  check.dtype_in(norm_dtypes(), x);
  check.same_dtype(x, gx, beta, gamma);
  check.dtype_in(kFloat, mean, rstd);
  check.same_dtype(x, y);
  if (gives_nothing(mean, rstd, y)) return;

  rank_in(plan, x, 2, 8);
  rank_in(plan, gamma, 1, x.rank() - 1);
  for (const TensorArgument* tensor : {&gx, &y}) same_shape(plan, x, *tensor);
  for (const TensorArgument* tensor : {&mean, &rstd}) rank_in(plan, *tensor, x.rank(), x.rank());
  same_shape(plan, gamma, beta);
  not_empty(plan, x);
  const std::size_t axis = x.rank() - gamma.rank();
  is_row_statistic(plan, x, mean, axis);
  is_row_statistic(plan, x, rstd, axis);
  ends_with(plan, x, gamma);

  stage_contiguous(plan, x, gx, beta, gamma);
  stage_results(plan, mean, rstd, y);
  RowNormForward norm = rows_of(x.shape(), axis, epsilon);
  norm.x_factor = static_cast<float>(alpha);
  norm.x1 = row_major_input(plan, x);
  norm.x2 = row_major_input(plan, gx);
  norm.gamma = row_major_input(plan, gamma);
  norm.beta = row_major_input(plan, beta);
  set_result(norm, plan, y);
  norm.mean = row_major_output(plan, mean);
  norm.rstd = row_major_output(plan, rstd);
  launch_row_norm_forward(plan, norm);
}

void group_norm_swish(const Check& check, Plan& plan, const GroupNormSwishParameters& given) {
  const auto& [x, gamma, beta, groups, format, eps, has_swish, swish_scale, y, mean, rstd] = given;
  needs_kernel(plan, on_a2_or_late_950());
  check.dtype_in(norm_dtypes(), x);
  if (gamma.dtype() != ACL_FLOAT) check.same_dtype(x, gamma);
  check.same_dtype(gamma, beta, mean, rstd);
  check.same_dtype(x, y);
  if (gives_nothing(y, mean, rstd)) return;

  rank_in(plan, x, 2, 8);
  not_empty(plan, x);
  const std::int64_t samples = x.shape()[0];
  const std::int64_t channels = x.shape()[1];
  const auto is_per_channel = [&](const TensorArgument& tensor) {
    check_tiling(plan, tensor.rank() == 1 && tensor.shape()[0] == channels,
                 "%s has shape %s, it must be [%lld], a number for each channel", tensor.name(),
                 tensor.shape().text().c_str(), static_cast<long long>(channels));
  };
  is_per_channel(gamma);
  is_per_channel(beta);
  check_tiling(plan, groups > 0 && channels % groups == 0,
               "numGroups is %lld, it must divide the %lld channels",
               static_cast<long long>(groups), static_cast<long long>(channels));
  same_shape(plan, x, y);
  for (const TensorArgument* tensor : {&mean, &rstd})
    check_tiling(plan, tensor->shape() == Dims({samples, groups}),
                 "%s has shape %s, it must be samples and groups", tensor->name(),
                 tensor->shape().text().c_str());

  stage_contiguous(plan, x, gamma, beta);
  stage_results(plan, y, mean, rstd);
  RowNormForward norm;
  norm.rows = samples * groups;
  norm.length = x.elements() / norm.rows;
  norm.sections = groups;
  norm.fold = norm.length / (channels / groups);
  norm.eps = static_cast<float>(eps);
  norm.has_silu = has_swish;
  norm.silu_scale = static_cast<float>(swish_scale);
  norm.x1 = row_major_input(plan, x);
  norm.gamma = row_major_input(plan, gamma);
  norm.beta = row_major_input(plan, beta);
  set_result(norm, plan, y);
  norm.mean = row_major_output(plan, mean);
  norm.rstd = row_major_output(plan, rstd);
  launch_row_norm_forward(plan, norm);
}

void ada_layer_norm(const Check& check, Plan& plan, const AdaLayerNorm& call) {
  const TensorArgument& x = call.x;
  const bool is_second = call.mean != nullptr;
  check.dtype_in({ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, x);
  check.same_dtype(x, call.scale, call.shift);
  if (call.weight.given() && call.bias.given()) check.same_dtype(call.weight, call.bias);
  for (const TensorArgument* tensor : {&call.weight, &call.bias}) {
    if (tensor->given() && !(is_second && tensor->dtype() == ACL_FLOAT))
      check.same_dtype(x, *tensor);
  }
  check.same_dtype(x, call.out);
  std::vector<const TensorArgument*> statistics;
  for (const TensorArgument* tensor : {call.mean, call.rstd}) {
    if (tensor == nullptr || !tensor->given()) continue;
    check.same_dtype(x, *tensor);
    statistics.push_back(tensor);
  }

  check.that(x.rank() >= 2 && x.rank() <= 8, "x has %zu dimensions, it must have 2 to 8", x.rank());
  check.that(!x.is_empty(), "x has no elements: %s", x.shape().text().c_str());
  const std::size_t last = x.rank() - 1;
  const std::int64_t width = x.shape()[last];
  // One row for all rows of the axis before the last, which may be left out.
  Dims with_one = x.shape();
  with_one.set(last - 1, 1);
  Dims without(x.shape().begin(), last - 1);
  without.push_back(width);
  for (const TensorArgument* tensor : {&call.scale, &call.shift})
    check.that(tensor->shape() == with_one || tensor->shape() == without,
               "%s has shape %s, it must be %s or %s", tensor->name(),
               tensor->shape().text().c_str(), with_one.text().c_str(), without.text().c_str());
  for (const TensorArgument* tensor : {&call.weight, &call.bias})
    if (tensor->given()) check.shape_is(*tensor, Dims{width}, "the last extent of x");
  check.same_shape(x, call.out);
  Dims statistic = x.shape();
  statistic.set(last, 1);
  for (const TensorArgument* tensor : statistics)
    check.shape_is(*tensor, statistic, "the rows of x");

  check_kernel_exists(plan, on_a2_or_a3() || (is_second && on_950()));
  stage_contiguous(plan, x, call.scale, call.shift, call.weight, call.bias);
  stage_results(plan, call.out);
  for (const TensorArgument* tensor : statistics) stage_results(plan, *tensor);
  RowNormForward norm = rows_of(x.shape(), last, call.epsilon);
  norm.section_rows = x.shape()[last - 1];
  norm.x1 = row_major_input(plan, x);
  norm.scale = row_major_input(plan, call.scale);
  norm.shift = row_major_input(plan, call.shift);
  norm.gamma = row_major_input(plan, call.weight);
  norm.beta = row_major_input(plan, call.bias);
  set_result(norm, plan, call.out);
  if (is_second) {
    norm.mean = row_major_output(plan, *call.mean);
    norm.rstd = row_major_output(plan, *call.rstd);
  }
  launch_row_norm_forward(plan, norm);
}

/// `dataFormat` says where channels are: NCHW or NHWC.
void instance_norm(const Check& check, Plan& plan, const InstanceNormParameters& call) {
  const std::string& format = call.dataFormat.text;
  const bool channels_last = format.rfind("NHWC", 0) == 0;
  check.that(channels_last || format.rfind("NCHW", 0) == 0,
             "dataFormat is %s, it must be NCHW or NHWC", format.c_str());
  check.dtype_in({ACL_FLOAT, ACL_FLOAT16}, call.x);
  check.same_dtype(call.x, call.gamma, call.beta, call.y, call.mean, call.variance);
  check.that(on_310p(), "%s has no such kernel", chip().name);
  check.that(call.x.rank() == 4 && call.gamma.rank() == 1 && call.beta.rank() == 1,
             "x has %zu dimensions, gamma %zu and beta %zu; they must have 4, 1 and 1",
             call.x.rank(), call.gamma.rank(), call.beta.rank());
  const std::int64_t channels = call.x.shape()[channels_last ? 3 : 1];
  check.that(call.gamma.shape()[0] == channels && call.beta.shape()[0] == channels,
             "gamma has %lld values and beta %lld, x has %lld channels",
             static_cast<long long>(call.gamma.shape()[0]),
             static_cast<long long>(call.beta.shape()[0]), static_cast<long long>(channels));
  for (const TensorArgument* tensor :
       {&call.x, &call.gamma, &call.beta, &call.y, &call.mean, &call.variance})
    if (tensor->is_empty()) return;
  const std::int64_t samples = call.x.shape()[0];
  const Dims statistic =
      channels_last ? Dims{samples, 1, 1, channels} : Dims{samples, channels, 1, 1};
  stage_contiguous(plan, call.x, call.gamma, call.beta);
  plan.result(call.x.dtype(), call.x.shape()).copy_to(call.y);
  for (const TensorArgument* tensor : {&call.mean, &call.variance})
    plan.result(call.x.dtype(), statistic).copy_to(*tensor);

  // BatchedView are rows, wherever channels are.
  View x = plan.reads(call.x);
  View y = plan.writes(call.y);
  if (channels_last) {
    for (View* view : {&x, &y}) {
      view->shape = Dims{view->shape[0], view->shape[3], view->shape[1], view->shape[2]};
      view->strides = Dims{view->strides[0], view->strides[3], view->strides[1], view->strides[2]};
    }
  }
  RowNormForward norm;
  norm.rows = samples * channels;
  norm.length = call.x.elements() / norm.rows;
  norm.sections = channels;
  norm.fold = norm.length;
  norm.eps = static_cast<float>(call.eps);
  norm.x1 = RowMajor(x);
  norm.y = RowMajor(y);
  norm.of_halves = call.x.dtype() != ACL_FLOAT;
  norm.gamma = row_major_input(plan, call.gamma);
  norm.beta = row_major_input(plan, call.beta);
  norm.mean = row_major_output(plan, call.mean);
  norm.variance = row_major_output(plan, call.variance);
  launch_row_norm_forward(plan, norm);
}

}  // namespace pyaclnn::sim
