// SPDX-License-Identifier: MIT
#include "opapi/matmul/outer.hpp"
#include "opapi/common/chip_family.hpp"

#include "objects/dtype.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/common/result_types.hpp"
#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim {

namespace formulas {

FORMULA(add_product, kReals, SIM_5(a, b, c, beta, alpha), 3,
        m::add(m::mul(beta, a), m::mul(alpha, m::mul(b, c))))
FORMULA(scaled_product, kReals, SIM_3(a, b, alpha), 2, m::mul(alpha, m::mul(a, b)))

}  // namespace formulas

namespace {

View as_column(View view) {
  view.shape.push_back(1);
  view.strides.push_back(0);
  return view;
}

Number factor_of(const ScalarIn& scalar) {
  return scalar.given() ? Number(scalar) : Number(std::int64_t(1));
}

bool is_whole(aclDataType dtype) {
  return can_cast(dtype, ACL_INT64);  // integers and bool
}

}  // namespace

void outer_product(Plan& plan, const TensorArgument& column, const TensorArgument& row,
                   aclDataType type, const TensorArgument& out) {
  plan.stage(column).contiguous().cast_to(type);
  plan.stage(row).contiguous().cast_to(type);
  plan.result(type, out.shape()).cast_to(out.dtype()).copy_to(out);
  launch_pointwise(plan, formulas::mul, type, type, plan.writes(out),
                   {as_column(plan.reads(column)), plan.reads(row)}, {});
}

void check_outer_scalars(const Check& check, const ScalarIn& beta, const ScalarIn& alpha,
                         aclDataType type) {
  for (const ScalarIn* scalar : {&beta, &alpha}) {
    if (!scalar->given()) continue;
    const aclDataType own = (*scalar)->dtype();
    check.that(type == ACL_BOOL || own != ACL_BOOL,
               "%s is a bool, which goes with results of bool only", scalar->name());
    check.that(!is_whole(type) || is_whole(own),
               "%s is %s; beside integer tensors it must be an integer", scalar->name(),
               dtype_name(own));
  }
}

void add_outer_product(Plan& plan, const TensorArgument& added, const TensorArgument& column,
                       const TensorArgument& row, const ScalarIn& beta, const ScalarIn& alpha,
                       aclDataType type, const TensorArgument& out) {
  plan.stage(added).contiguous().cast_to(type);
  plan.stage(column).contiguous().cast_to(type);
  plan.stage(row).contiguous().cast_to(type);
  plan.reserve(out.elements(), type);
  plan.result(type, out.shape()).cast_to(out.dtype()).copy_to(out);
  const View left = as_column(plan.reads(column));
  const View right = plan.reads(row);
  const View sums = plan.reads(added);
  const Number factor = factor_of(beta);
  if (beta.given() && factor.value == 0.0 && !on_950()) {
    // What is multiplied by zero is not read: NaN there does not count.
    launch_pointwise(plan, formulas::scaled_product, type, type, plan.writes(out), {left, right},
                     {factor_of(alpha)});
    return;
  }
  launch_pointwise(plan, formulas::add_product, type, type, plan.writes(out), {sums, left, right},
                   {factor, factor_of(alpha)});
}

}  // namespace pyaclnn::sim
