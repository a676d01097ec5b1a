// SPDX-License-Identifier: MIT
#include "opapi/norm/rms_norm_forward.hpp"

#include "core/release.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/norm/fused_checks.hpp"
#include "opapi/norm/norm.hpp"
#include "opapi/norm/row_norm_forward.hpp"
#include "parameters/AddRmsNormCast.hpp"
#include "parameters/GemmaRmsNorm.hpp"
#include "parameters/InplaceAddRmsNorm.hpp"
#include "parameters/RmsNorm.hpp"

namespace pyaclnn::sim {
namespace {

/// `x` without the axes that gamma covers, with 1 in their place.
Dims row_statistic(const Dims& x, std::size_t axis) {
  Dims shape = x;
  for (std::size_t i = axis; i < x.size(); ++i) shape.set(i, 1);
  return shape;
}

/// The last extents of x are those of gamma, and nothing is empty.
void check_rows(const Plan& plan, const TensorArgument& x, const TensorArgument& gamma) {
  check_tiling(plan, x.rank() >= 1 && x.rank() <= 8, "%s has %zu dimensions, it must have 1 to 8",
               x.name(), x.rank());
  check_tiling(plan, gamma.rank() >= 1 && gamma.rank() <= x.rank(),
               "gamma has %zu dimensions, %s has %zu", gamma.rank(), x.name(), x.rank());
  const Dims last(x.shape().begin() + (x.rank() - gamma.rank()), gamma.rank());
  check_tiling(plan, !gamma.is_empty() && gamma.shape() == last,
               "gamma has shape %s, it must be the last extents of %s, %s",
               gamma.shape().text().c_str(), x.name(), x.shape().text().c_str());
  check_tiling(plan, !x.is_empty(), "%s is empty: %s", x.name(), x.shape().text().c_str());
}

RowNormForward rows_of(const Dims& shape, std::size_t axis, double epsilon) {
  RowNormForward norm;
  norm.rows = shape.product(0, axis);
  norm.length = shape.product(axis);
  norm.eps = static_cast<float>(epsilon);
  norm.has_mean = false;
  return norm;
}

/// Shapes, staging and the kernel of what normalises a single tensor.
void normalise(Plan& plan, const TensorArgument& x, const TensorArgument& gamma, double epsilon,
               float gamma_summand, const TensorArgument& y, const TensorArgument& rstd) {
  check_rows(plan, x, gamma);
  check_tiling(plan, y.shape() == x.shape(), "yOut has shape %s, it must be %s as x has it",
               y.shape().text().c_str(), x.shape().text().c_str());
  const std::size_t axis = x.rank() - gamma.rank();
  for (std::size_t i = 0; i < rstd.rank(); ++i)
    check_tiling(plan, i < x.rank() && (rstd.shape()[i] == x.shape()[i] || rstd.shape()[i] == 1),
                 "rstdOut has shape %s, it must be the first %zu extents of x, %s",
                 rstd.shape().text().c_str(), axis, x.shape().text().c_str());
  RowNormForward norm = rows_of(x.shape(), axis, epsilon);
  // CANN's kernel would write as many, whatever there is room for.
  check_tiling(plan, rstd.elements() == norm.rows,
               "rstdOut has shape %s, it must have %lld elements", rstd.shape().text().c_str(),
               static_cast<long long>(norm.rows));
  plan.stage(x).contiguous();
  plan.stage(gamma).contiguous();
  plan.result(x.dtype(), x.shape()).copy_to(y);
  plan.result(ACL_FLOAT, rstd.shape()).copy_to(rstd);
  norm.gamma_summand = gamma_summand;
  norm.x1 = row_major_input(plan, x);
  norm.gamma = row_major_input(plan, gamma);
  set_result(norm, plan, y);
  norm.rstd = row_major_output(plan, rstd);
  launch_row_norm_forward(plan, norm);
}

/// The same of the sum of two tensors, of which `rstd` has a number for each row.
RowNormForward added(Plan& plan, const TensorArgument& x1, const TensorArgument& x2,
                     const TensorArgument& gamma, double epsilon, const TensorArgument& rstd) {
  check_rows(plan, x1, gamma);
  check_tiling(plan, x2.shape() == x1.shape(), "%s has shape %s, it must be %s as %s has it",
               x2.name(), x2.shape().text().c_str(), x1.shape().text().c_str(), x1.name());
  const std::size_t axis = x1.rank() - gamma.rank();
  const Dims statistics = row_statistic(x1.shape(), axis);
  check_tiling(plan, rstd.shape() == statistics, "rstdOut has shape %s, it must be %s",
               rstd.shape().text().c_str(), statistics.text().c_str());
  check_tiling(plan, !(epsilon < 0), "epsilon is %g, it must not be negative", epsilon);
  for (const TensorArgument* tensor : {&x1, &x2, &gamma}) plan.stage(*tensor).contiguous();
  plan.result(ACL_FLOAT, statistics).copy_to(rstd);
  RowNormForward norm = rows_of(x1.shape(), axis, epsilon);
  norm.x1 = row_major_input(plan, x1);
  norm.x2 = row_major_input(plan, x2);
  norm.gamma = row_major_input(plan, gamma);
  norm.rstd = row_major_output(plan, rstd);
  return norm;
}

}  // namespace

/// CANN generates this one from its kernel: shapes are refused where the work is divided.
void rms_norm(const Check& check, Plan& plan, const RmsNormParameters& given) {
  check.dtype_in(norm_dtypes(), given.x);
  const bool is_first = on_first_generation();
  if (given.gamma.dtype() != ACL_FLOAT || is_first) check.same_dtype(given.x, given.gamma);
  check.same_dtype(given.x, given.yOut);
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.rstdOut);
  check_formats(check, given.x, given.gamma, given.yOut, given.rstdOut);
  if (gives_nothing(given.yOut, given.rstdOut)) return;
  normalise(plan, given.x, given.gamma, given.epsilon, 0, given.yOut, given.rstdOut);
}

/// The same with 1 + gamma for gamma.
void gemma_rms_norm(const Check& check, Plan& plan, const GemmaRmsNormParameters& given) {
  needs_kernel(plan, on_a2_or_a3());
  check.dtype_in(norm_dtypes(), given.x);
  check.same_dtype(given.x, given.gamma, given.yOut);
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.rstdOut);
  if (gives_nothing(given.yOut, given.rstdOut)) return;
  normalise(plan, given.x, given.gamma, given.epsilon, 1, given.yOut, given.rstdOut);
}

/// x1 = normalised x1 + x2, and x2 = x1 + x2, in their places.
void inplace_add_rms_norm(const Check& check, Plan& plan,
                          const InplaceAddRmsNormParameters& given) {
  needs_kernel(plan, chip().soc != Soc::kAscend910);
  check.dtype_in(norm_dtypes(), given.x1Ref);
  check.same_dtype(given.x1Ref, given.x2Ref, given.gamma);
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.rstdOut);
  if (gives_nothing(given.x1Ref, given.rstdOut, given.x2Ref)) return;
  RowNormForward norm =
      added(plan, given.x1Ref, given.x2Ref, given.gamma, given.epsilon, given.rstdOut);
  for (const TensorArgument* tensor : {&given.x1Ref, &given.x2Ref})
    plan.result(given.x1Ref.dtype(), given.x1Ref.shape()).copy_to(*tensor);
  set_result(norm, plan, given.x1Ref);
  norm.x = row_major_output(plan, given.x2Ref);
  launch_row_norm_forward(plan, norm);
}

/// y1 is y2 as float32.
void add_rms_norm_cast(const Check& check, Plan& plan, const AddRmsNormCastParameters& given) {
  needs_kernel(plan, chip().has_bf16());
  check.dtype_in({ACL_FLOAT16, ACL_BF16}, given.x1);
  check.same_dtype(given.x1, given.x2, given.gamma, given.y2Out, given.xOut);
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.y1Out, given.rstdOut);
  if (gives_nothing(given.y1Out, given.y2Out, given.rstdOut, given.xOut)) return;
  RowNormForward norm = added(plan, given.x1, given.x2, given.gamma, given.epsilon, given.rstdOut);
  for (const TensorArgument* tensor : {&given.y1Out, &given.y2Out, &given.xOut}) {
    check_tiling(plan, tensor->shape() == given.x1.shape(), "%s has shape %s, it must be %s",
                 tensor->name(), tensor->shape().text().c_str(), given.x1.shape().text().c_str());
    plan.result(tensor->dtype(), given.x1.shape()).copy_to(*tensor);
  }
  norm.gives = given.x1.dtype();
  set_result(norm, plan, given.y1Out);
  norm.y_too = row_major_output(plan, given.y2Out);
  norm.x = row_major_output(plan, given.xOut);
  launch_row_norm_forward(plan, norm);
}

void check_add_rms_norm(const Check& check, const TensorArgument& x1, const TensorArgument& x2,
                        const TensorArgument& gamma, const TensorArgument& y,
                        const TensorArgument& rstd, const TensorArgument& x) {
  // Without rstd CANN 9.0 takes float16 and bfloat16 only; x may be left out then, too.
  const bool needs_all = rstd.given() || !behaves(Behaviour::kMayLackRstd);
  check.not_null(x2, y);
  if (needs_all) check.not_null(rstd, x);
  const bool is_310p = on_310p();
  DtypeSet dtypes{ACL_FLOAT16};
  if (needs_all) dtypes = dtypes | DtypeSet{ACL_FLOAT};
  if (!is_310p) dtypes = dtypes | DtypeSet{ACL_BF16};
  check.dtype_in(dtypes, x1, x2, gamma);
  check.same_dtype(x1, x2, gamma, y);
  if (x.given()) check.same_dtype(y, x);
  if (rstd.given()) check.dtype_in(DtypeSet{ACL_FLOAT}, rstd);
  for (const TensorArgument* tensor : {&x1, &x2, &gamma}) {
    check.rank_at_most(8, *tensor);
    check.that(tensor->rank() >= 1, "%s has no dimension", tensor->name());
  }
  check.same_shape(x1, x2, y);
  if (rstd.given()) check.rank_at_most(8, rstd);
  if (x.given()) check.same_shape(x1, x);
  if (!needs_all) check.rank_at_most(2, gamma);
}

void add_rms_norm(Plan& plan, const TensorArgument& x1, const TensorArgument& x2,
                  const TensorArgument& gamma, double epsilon, const TensorArgument& y,
                  const TensorArgument& rstd, const TensorArgument& x) {
  const Soc soc = chip().soc;
  check_kernel_exists(
      plan, soc != Soc::kAscend910 && (soc != Soc::kAscend310P || x1.dtype() != ACL_BF16));
  std::size_t covered = gamma.rank();
  if (rstd.given()) {
    check_rows(plan, x1, gamma);
  } else {
    // A row, as [1, length].
    check_tiling(
        plan, gamma.rank() == 2 && gamma.shape()[0] == 1 && gamma.shape()[1] == x1.shape().back(),
        "gamma has shape %s, it must be 1 and the last extent of x1, %s",
        gamma.shape().text().c_str(), x1.shape().text().c_str());
    covered = 1;
  }
  const std::size_t axis = x1.rank() - covered;
  const Dims statistics = row_statistic(x1.shape(), axis);
  check_tiling(plan, !rstd.given() || rstd.shape() == statistics,
               "rstdOut has shape %s, it must be %s",
               rstd.given() ? rstd.shape().text().c_str() : "", statistics.text().c_str());
  check_tiling(plan, !(epsilon < 0), "epsilon is %g, it must not be negative", epsilon);
  for (const TensorArgument* tensor : {&x1, &x2, &gamma}) plan.stage(*tensor).contiguous();
  plan.result(x1.dtype(), x1.shape()).copy_to(y);
  if (rstd.given()) plan.result(ACL_FLOAT, statistics).copy_to(rstd);
  if (x.given()) plan.result(x1.dtype(), x1.shape()).copy_to(x);
  RowNormForward norm = rows_of(x1.shape(), axis, epsilon);
  norm.x1 = row_major_input(plan, x1);
  norm.x2 = row_major_input(plan, x2);
  norm.gamma = row_major_input(plan, gamma);
  set_result(norm, plan, y);
  norm.rstd = row_major_output(plan, rstd);
  norm.x = row_major_output(plan, x);
  launch_row_norm_forward(plan, norm);
}

}  // namespace pyaclnn::sim
