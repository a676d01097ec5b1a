// SPDX-License-Identifier: MIT
#include "opapi/norm/group_norm_forward.hpp"

#include <limits>

#include "core/checked.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/norm/norm.hpp"
#include "opapi/norm/row_norm_forward.hpp"

namespace pyaclnn::sim {
namespace {

void check_groups(const Check& check, std::int64_t channels, std::int64_t groups, double eps) {
  check.that(groups > 0, "group is %lld, it must be positive", ll(groups));
  check.that(channels % groups == 0, "self has %lld channels, which make no %lld groups",
             ll(channels), ll(groups));
  check.that(eps > 0, "eps is %g, it must be positive", eps);
}

void check_shapes(const Check& check, const GroupNormTensors& t, std::int64_t samples,
                  std::int64_t groups) {
  check.that(t.self.rank() >= 2, "self has %zu dimensions, it must have at least 2", t.self.rank());
  check.rank_at_most(8, t.self);
  check.same_shape(t.self, t.out);
  const Dims statistics{samples, groups};
  check.shape_is(t.mean, statistics, "samples and groups");
  check.shape_is(t.rstd, statistics, "samples and groups");
}

void check_parameters(const Check& check, const GroupNormTensors& t) {
  const Dims channels{t.self.shape()[1]};
  for (const TensorArgument* parameter : {&t.gamma, &t.beta}) {
    if (parameter->given()) check.shape_is(*parameter, channels, "the channels of self");
  }
}

/// The type of the statistics; on the 950 that of gamma and beta, where they differ from self.
aclDataType statistic_type(const GroupNormTensors& t) {
  if (on_950()) {
    for (const TensorArgument* parameter : {&t.gamma, &t.beta}) {
      if (parameter->given() && parameter->dtype() != t.self.dtype()) return ACL_FLOAT;
    }
  }
  return t.self.dtype();
}

void launch(Plan& plan, const GroupNormTensors& t, std::int64_t groups, double eps, bool silu) {
  if (t.self.is_empty()) {
    launch_fill(plan, t.mean, 0.0f);
    launch_fill(plan, t.rstd, std::numeric_limits<float>::quiet_NaN());
    return;
  }
  const std::int64_t channels = t.self.shape()[1];
  plan.stage(t.self).contiguous();
  for (const TensorArgument* parameter : {&t.gamma, &t.beta}) {
    if (parameter->given()) {
      plan.stage(*parameter).contiguous();
    } else if (!on_950()) {
      plan.reserve(channels, t.self.dtype());
    }
  }
  plan.result(t.self.dtype(), t.self.shape()).copy_to(t.out);
  for (const TensorArgument* out : {&t.mean, &t.rstd})
    plan.result(statistic_type(t), t.mean.shape()).copy_to(*out);
  RowNormForward norm;
  norm.rows = t.self.shape()[0] * groups;
  norm.length = t.self.elements() / norm.rows;
  norm.sections = groups;
  norm.fold = norm.length / (channels / groups);
  norm.eps = static_cast<float>(eps);
  norm.has_silu = silu;
  set_input(norm, plan, t.self);
  norm.gamma = row_major_input(plan, t.gamma);
  norm.beta = row_major_input(plan, t.beta);
  set_result(norm, plan, t.out);
  norm.mean = row_major_output(plan, t.mean);
  norm.rstd = row_major_output(plan, t.rstd);
  launch_row_norm_forward(plan, norm);
}

}  // namespace

void check_group_norm(const Check& check, const GroupNormTensors& t, const GroupNormSizes& sizes,
                      std::int64_t groups, double eps) {
  check.dtype_in(norm_dtypes(), t.self);
  for (const TensorArgument* parameter : {&t.gamma, &t.beta}) {
    if (parameter->given()) check.same_dtype(t.self, *parameter);
  }
  check.same_dtype(t.self, t.out, t.mean, t.rstd);
  check_groups(check, sizes.channels, groups, eps);
  check_shapes(check, t, sizes.samples, groups);
  const Dims& shape = t.self.shape();
  Checked<std::int64_t> plane = 1;
  for (std::size_t i = 2; i < shape.size(); ++i) plane = plane * shape[i];
  check.that(shape[0] == sizes.samples && shape[1] == sizes.channels && plane == sizes.plane,
             "self has shape %s, it must have N = %lld, C = %lld and HxW = %lld",
             shape.text().c_str(), ll(sizes.samples), ll(sizes.channels), ll(sizes.plane));
  check_parameters(check, t);
  check_formats(check, t.self, t.out);
}

void check_group_norm_silu(const Check& check, const GroupNormTensors& t, std::int64_t groups,
                           double eps) {
  const DtypeSet dtypes = norm_dtypes();
  check.dtype_in(dtypes, t.self);
  for (const TensorArgument* parameter : {&t.gamma, &t.beta}) {
    if (parameter->given()) check.dtype_in(dtypes, *parameter);
  }
  if (t.gamma.given() && t.beta.given()) {
    check.same_dtype(t.beta, t.gamma);
    if (t.gamma.dtype() != ACL_FLOAT) check.same_dtype(t.self, t.gamma);
  }
  check.same_dtype(t.self, t.out);
  for (const TensorArgument* parameter : {&t.gamma, &t.beta}) {
    if (!parameter->given()) continue;
    if (!on_950()) {
      if (t.self.dtype() == ACL_FLOAT) check.same_dtype(t.self, *parameter);
    } else if (parameter->dtype() != t.self.dtype()) {
      check.dtype_in(DtypeSet{ACL_FLOAT}, *parameter, t.mean, t.rstd);
    }
  }
  if (!on_950()) check.same_dtype(t.self, t.mean, t.rstd);
  check.that(t.self.rank() >= 2, "self has %zu dimensions, it must have at least 2", t.self.rank());
  check_shapes(check, t, t.self.shape()[0], groups);
  check_parameters(check, t);
  if (!on_950())
    check.that(t.self.shape()[0] > 0 && t.self.shape()[1] > 0,
               "self has shape %s: there must be samples and channels",
               t.self.shape().text().c_str());
  check_groups(check, t.self.shape()[1], groups, eps);
}

void group_norm(Plan& plan, const GroupNormTensors& t, std::int64_t groups, double eps) {
  launch(plan, t, groups, eps, false);
}

void group_norm_silu(Plan& plan, const GroupNormTensors& t, std::int64_t groups, double eps,
                     bool with_silu) {
  if (on_950() && t.self.shape()[0] == 0) return;
  if (!t.self.is_empty()) needs_kernel(plan, chip().soc != Soc::kAscend910);
  launch(plan, t, groups, eps, with_silu);
}

}  // namespace pyaclnn::sim
