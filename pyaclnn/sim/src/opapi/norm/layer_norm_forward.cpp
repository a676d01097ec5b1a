// SPDX-License-Identifier: MIT
#include "opapi/norm/layer_norm_forward.hpp"

#include <initializer_list>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/one_element.hpp"
#include "opapi/norm/norm.hpp"
#include "opapi/norm/row_norm_forward.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::size_t kMostDimensions = 8;

void check_parameter(const Check& check, const TensorArgument& parameter,
                     const TensorArgument& input, const DtypeSet& dtypes) {
  if (!parameter.given()) return;
  check.dtype_in(dtypes, parameter);
  if (parameter.dtype() != ACL_FLOAT) check.same_dtype(input, parameter);
}

/// The shape of a value for each row.
Dims statistics_of(const TensorArgument& input, std::size_t normalized) {
  Dims shape = input.shape();
  for (std::size_t i = input.rank() - normalized; i < input.rank(); ++i) shape.set(i, 1);
  return shape;
}

}  // namespace

void check_layer_norm(const Check& check, const LayerNormTensors& t,
                      const std::vector<std::int64_t>& shape, const DtypeSet& dtypes) {
  check.dtype_in(dtypes, t.input);
  check_parameter(check, t.weight, t.input, dtypes);
  check_parameter(check, t.bias, t.input, dtypes);
  if (t.weight.given() && t.bias.given()) check.same_dtype(t.weight, t.bias);
  const std::initializer_list<const TensorArgument*> outputs{&t.out, &t.mean, &t.rstd};
  for (const TensorArgument* out : outputs) {
    if (out->given()) check.dtype_in(dtypes, *out);
  }
  for (const TensorArgument* tensor : {&t.input, &t.out, &t.weight, &t.bias, &t.mean, &t.rstd}) {
    if (tensor->given()) check.rank_at_most(kMostDimensions, *tensor);
  }
  check.that(shape.size() >= 1 && shape.size() <= kMostDimensions,
             "normalizedShape has %zu values, it must have 1 to 8", shape.size());
  check.that(t.input.rank() >= shape.size(),
             "input has %zu dimensions, normalizedShape has %zu values", t.input.rank(),
             shape.size());
  const Dims normalized(shape.data(), shape.size());
  const std::size_t axis = t.input.rank() - shape.size();
  const Dims last(t.input.shape().begin() + axis, shape.size());
  check.that(normalized == last, "normalizedShape is %s, it must be the last extents of input, %s",
             normalized.text().c_str(), t.input.shape().text().c_str());
  for (const TensorArgument* parameter : {&t.weight, &t.bias}) {
    if (parameter->given()) check.shape_is(*parameter, normalized, "normalizedShape");
  }
  check.same_shape(t.input, t.out);
}

void check_statistics(const Check& check, const LayerNormTensors& t, std::size_t normalized) {
  const Dims statistics = statistics_of(t.input, normalized);
  for (const TensorArgument* out : {&t.mean, &t.rstd})
    if (out->given() && !out->is_empty())
      check.shape_is(*out, statistics, "a value for each row of input");
  if (t.mean.given() && t.rstd.given()) check.same_shape(t.mean, t.rstd);
}

void check_impl_mode(const Check& check, const LayerNormTensors& t, std::int32_t mode) {
  enum Mode : std::int32_t { kHighPrecision, kHighPerformance, kKeepFloat16 };
  check.that(mode >= kHighPrecision && mode <= kKeepFloat16, "implMode is %d, it must be 0, 1 or 2",
             int(mode));
  if (mode != kKeepFloat16) return;
  for (const TensorArgument* tensor : {&t.input, &t.weight, &t.bias})
    check.that(!tensor->given() || tensor->dtype() == ACL_FLOAT16,
               "implMode is 2, %s must be float16", tensor->name());
}

void layer_norm(Plan& plan, const LayerNormTensors& t, std::size_t normalized, double eps,
                bool is_fast) {
  const std::size_t axis = t.input.rank() - normalized;
  RowNormForward norm;
  norm.rows = t.input.shape().product(0, axis);
  norm.length = t.input.shape().product(axis);
  const Dims statistics = statistics_of(t.input, normalized);
  if (norm.rows == 0) return;
  if (norm.length == 0) {
    launch_fill(plan, t.mean, 0.0f);
    launch_fill(plan, t.rstd, std::numeric_limits<float>::quiet_NaN());
    return;
  }
  if (is_fast && chip().soc != Soc::kAscend910B && chip().soc != Soc::kAscend910_93)
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: there is no kernel for %s", plan.api(), chip().name);
  plan.stage(t.input).contiguous();
  for (const TensorArgument* parameter : {&t.weight, &t.bias}) {
    if (parameter->given()) {
      plan.stage(*parameter).contiguous();
    } else {
      plan.reserve(norm.length, t.input.dtype());
    }
  }
  auto result = plan.result(t.input.dtype(), t.input.shape());
  if (!is_fast) result.cast_to(t.out.dtype());
  result.copy_to(t.out);
  for (const TensorArgument* out : {&t.mean, &t.rstd}) {
    if (!out->given()) continue;
    // A copy does not mind the dimensions of one element.
    plan.result(ACL_FLOAT, copied_shape(statistics, *out)).cast_to(out->dtype()).copy_to(*out);
  }
  norm.eps = static_cast<float>(eps);
  norm.gives = t.input.dtype();
  set_input(norm, plan, t.input);
  norm.gamma = row_major_input(plan, t.weight);
  norm.beta = row_major_input(plan, t.bias);
  set_result(norm, plan, t.out);
  norm.mean = row_major_output(plan, t.mean);
  norm.rstd = row_major_output(plan, t.rstd);
  launch_row_norm_forward(plan, norm);
}

void check_normalized_loosely(const Check& check, const TensorArgument& input, const Dims& shape) {
  const std::size_t axis = input.rank() - shape.size();
  for (std::size_t i = axis; i < shape.size(); ++i)
    check.that(shape[i] == input.shape()[i + axis],
               "normalizedShape is %s, it must be the last extents of input, %s",
               shape.text().c_str(), input.shape().text().c_str());
}

bool has_layer_norm_kernel(const TensorArgument& input, const Dims& shape) {
  const std::size_t axis = input.rank() - shape.size();
  return std::equal(shape.begin(), shape.end(), input.shape().begin() + axis) &&
         norm_dtypes().contains(input.dtype());
}

}  // namespace pyaclnn::sim
