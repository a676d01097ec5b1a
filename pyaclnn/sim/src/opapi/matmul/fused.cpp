// SPDX-License-Identifier: MIT
#include "opapi/matmul/fused.hpp"
#include "opapi/common/chip_family.hpp"

#include <cctype>
#include <map>
#include <string>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/common/result_types.hpp"
#include "opapi/matmul/gemm.hpp"
#include "opapi/matmul/matmul.hpp"
#include "opapi/matmul/outer.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kMostInside = 65536;  // of an axis that lies inside, on chips before the 950
constexpr std::int64_t kCubeSize = 16;

bool is_order(const IntArrayIn& order, std::int64_t a, std::int64_t b, std::int64_t c) {
  return order.values() == std::vector<std::int64_t>{a, b, c};
}

View ordered(const View& view, const IntArrayIn& order) {
  View result = view;
  for (std::size_t i = 0; i < 3; ++i) {
    result.shape.set(i, view.shape[std::size_t(order.values()[i])]);
    result.strides.set(i, view.strides[std::size_t(order.values()[i])]);
  }
  return result;
}

/// A batch of matrices as parts of batches.
View in_parts(const View& view, std::int64_t parts) {
  const std::int64_t batch = view.shape[0] / parts;
  View result = view;
  result.shape = Dims{parts, batch, view.shape[1], view.shape[2]};
  result.strides = Dims{view.strides[0] * batch, view.strides[0], view.strides[1], view.strides[2]};
  return result;
}

/// Letters in the order in which they come, so that names do not matter.
std::string renamed(const std::string& equation) {
  std::map<char, char> names;
  std::string result;
  for (char letter : equation) {
    if (std::isalpha(static_cast<unsigned char>(letter)) == 0) {
      result += letter;
      continue;
    }
    const auto name = static_cast<char>('a' + names.size());
    result += names.emplace(letter, name).first->second;
  }
  return result;
}

void check_contraction(const Check& check, const TensorArgument& a, const TensorArgument& b,
                       const TensorArgument& out) {
  check.that(a.rank() == 4 && b.rank() == 5 && out.rank() == 4,
             "abcd,abced->abce goes with 4, 5 and 4 dimensions, there are %zu, %zu and %zu",
             a.rank(), b.rank(), out.rank());
  const Dims& x = a.shape();
  const Dims& y = b.shape();
  check.that(x[0] == y[0] && x[1] == y[1] && x[2] == y[2] && x[3] == y[4],
             "%s of shape %s and %s of shape %s do not go together", a.name(), x.text().c_str(),
             b.name(), y.text().c_str());
  check.that(!a.is_empty() && y[3] != 0, "empty tensors are not allowed");
  check.shape_is(out, Dims{x[0], x[1], x[2], y[3]}, "the sum of products");
}

/// out[a, b, c, e] = sum over d of x[a, b, c, d] y[a, b, c, e, d]
void contract(Plan& plan, const TensorArgument& a, const TensorArgument& b,
              const TensorArgument& out) {
  const aclDataType own = a.dtype();
  const bool is_cube = own == ACL_FLOAT || own == ACL_FLOAT16;
  const bool keeps = chip().has_bf16() && !on_950() && is_cube;
  const aclDataType type = is_cube ? own : ACL_FLOAT16;
  plan.stage(a).contiguous().cast_to(type);
  plan.stage(b).contiguous().cast_to(type);
  const aclDataType product = keeps ? own : ACL_FLOAT16;
  plan.result(product, out.shape()).cast_to(out.dtype()).copy_to(out);
  const auto with_last = [](View view) {
    view.shape.push_back(1);
    view.strides.push_back(0);
    return view;
  };
  Gemm gemm;
  gemm.a = plan.reads(b);
  gemm.b = with_last(plan.reads(a));
  gemm.out = with_last(plan.writes(out));
  gemm.product = product;
  gemm.through = product == ACL_FLOAT16 ? ACL_FLOAT16 : ACL_FLOAT;
  launch_gemm(plan, std::move(gemm));
}

}  // namespace

Fused fused_of(const Check& check, const ConstText& type) {
  static const std::map<std::string, Fused> kNames = {
      {"", Fused::kNothing}, {"relu", Fused::kRelu},        {"add", Fused::kAdd},
      {"mul", Fused::kMul},  {"gelu_erf", Fused::kGeluErf}, {"gelu_tanh", Fused::kGeluTanh}};
  const auto found = kNames.find(type.text);
  check.that(found != kNames.end(),
             "fusedOpType is \"%s\"; it must be add, mul, relu, gelu_erf, gelu_tanh or empty",
             type.text.c_str());
  return found->second;
}

void check_fused(const Check& check, Fused fused, const TensorArgument& a, const TensorArgument& b,
                 const TensorArgument& bias, const TensorArgument& other, const TensorArgument& out,
                 std::int8_t cube_math_type) {
  const bool is_gelu = fused == Fused::kGeluErf || fused == Fused::kGeluTanh;
  const bool reads = fused == Fused::kAdd || fused == Fused::kMul;
  if (is_gelu && bias.given())
    fail(ACLNN_ERR_PARAM_NULLPTR, "FusedMatmul: gelu goes without a bias; leave it out");
  if (reads) check.not_null(other);
  for (const TensorArgument* tensor : {&a, &b, &out})
    check.that(tensor->rank() == 2 || tensor->rank() == 3, "%s has %zu dimensions, it has 2 or 3",
               tensor->name(), tensor->rank());
  check.that(a.rank() == b.rank() && a.rank() == out.rank(), "%s, %s and %s differ in rank",
             a.name(), b.name(), out.name());
  if (other.given()) check.shape_is(other, out.shape(), out.name());
  const DtypeSet cube{ACL_FLOAT16, ACL_BF16};
  check.dtype_in(is_gelu ? cube : cube | DtypeSet{ACL_FLOAT}, a, b, out);
  check.same_dtype(a, b, out);
  if (bias.given()) check.dtype_in(DtypeSet{a.dtype(), ACL_FLOAT}, bias);
  if (other.given()) check.same_dtype(a, other);
  check_formats(check, a, b, out, bias, other);
  check.that(a.dtype() != ACL_FLOAT || cube_math_type == kUseHfloat32,
             "cubeMathType is %d; float32 operands are taken as hfloat32 only, which is 3",
             int(cube_math_type));
  check_math_type(check, a, b, cube_math_type);
  check.shape_is(out, product_shape(check, a, b), "the product");
  if (bias.given()) check_broadcasts_to(check, bias, out.shape());
}

void fused_matmul(Plan& plan, Fused fused, const TensorArgument& a, const TensorArgument& b,
                  const TensorArgument& bias, const TensorArgument& other,
                  const TensorArgument& out, std::int8_t cube_math_type) {
  if (bias.given()) {
    const Number one(std::int64_t(1));
    addmm(plan, bias, a, b, one, one, out, cube_math_type);
  } else {
    matmul(plan, a, b, out, cube_math_type);
  }
  const aclDataType type = out.dtype();
  const View result = plan.writes(out);
  const auto apply = [&](const PointwiseFormula& formula) {
    launch_pointwise(plan, formula, type, type, result, {result}, {});
  };
  const auto combine = [&](const PointwiseFormula& formula, bool scaled) {
    plan.stage(other).contiguous();
    const std::vector<View> inputs{result, plan.reads(other)};
    if (scaled) {
      launch_pointwise(plan, formula, type, type, result, inputs, {Number(std::int64_t(1))});
    } else {
      launch_pointwise(plan, formula, type, type, result, inputs, {});
    }
  };
  switch (fused) {
    case Fused::kNothing:
      return;
    case Fused::kRelu:
      return apply(formulas::relu);
    case Fused::kGeluErf:
      return apply(formulas::gelu);
    case Fused::kGeluTanh:
      return apply(formulas::gelu_tanh);
    case Fused::kAdd:
      return combine(formulas::add, true);
    case Fused::kMul:
      return combine(formulas::mul, false);
  }
}

void check_transposed_product(const Check& check, const TensorArgument& a, const TensorArgument& b,
                              const IntArrayIn& order_a, const IntArrayIn& order_b,
                              const IntArrayIn& order_out, std::int32_t parts,
                              std::int8_t cube_math_type) {
  check.that(order_a.values().size() == 3 && order_b.values().size() == 3 &&
                 order_out.values().size() == 3,
             "the orders of axes must name 3 axes each");
  check_math_type(check, a, b, cube_math_type);
  check.that(parts > 0, "batchSplitFactor is %d, it must be 1 or more", int(parts));
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, a, b);
  check.that(a.dtype() == b.dtype() || (a.dtype() != ACL_BF16 && b.dtype() != ACL_BF16),
             "bfloat16 goes with bfloat16 only");
  check.that(a.rank() == 3 && b.rank() == 3, "%s and %s must have 3 dimensions", a.name(),
             b.name());
  const bool swapped = is_order(order_a, 1, 0, 2);
  check.that(swapped || is_order(order_a, 0, 1, 2), "permX1 must be 0, 1, 2 or 1, 0, 2");
  check.that(is_order(order_b, 0, 1, 2) || (on_950() && is_order(order_b, 0, 2, 1)),
             "permX2 must be 0, 1, 2%s", on_950() ? " or 0, 2, 1" : "");
  check.that(is_order(order_out, 1, 0, 2), "permY must be 1, 0, 2");
  const std::int64_t batch = a.shape()[swapped ? 1 : 0];
  const std::int64_t depth = a.shape()[2];
  const bool turned = is_order(order_b, 0, 2, 1);
  const std::int64_t columns = b.shape()[turned ? 1 : 2];
  check.that(depth == b.shape()[turned ? 2 : 1] && batch == b.shape()[0],
             "%s of shape %s and %s of shape %s do not go together", a.name(),
             a.shape().text().c_str(), b.name(), b.shape().text().c_str());
  check.that(batch % parts == 0, "batchSplitFactor is %d, which does not divide a batch of %lld",
             int(parts), static_cast<long long>(batch));
  if (!on_950()) {
    // In this order nothing overflows: extents are 65536 at most before they are multiplied.
    const bool inside = depth < kMostInside && columns < kMostInside && batch < kMostInside &&
                        (!swapped || batch * depth < kMostInside);
    check.that(inside, "axes that lie inside must be shorter than 65536");
    check.that(depth % kCubeSize == 0 && columns % kCubeSize == 0,
               "%s of shape %s: the extents of its matrices must be multiples of 16", b.name(),
               b.shape().text().c_str());
  }
  check.that(!a.is_empty() && !b.is_empty(), "empty tensors are not allowed");
}

void transposed_product(Plan& plan, const TensorArgument& a, const TensorArgument& b,
                        const IntArrayIn& order_a, const IntArrayIn& order_b, std::int32_t parts,
                        const TensorArgument& out, std::int8_t cube_math_type) {
  const aclDataType type = promote(a.dtype(), b.dtype());
  plan.stage(a).contiguous();
  if (!is_nz(b.meta().format)) plan.stage(b).contiguous();
  const PlainOperand weight(plan, b);
  Gemm gemm;
  gemm.a = in_parts(ordered(plan.reads(a), order_a), parts);
  gemm.b = in_parts(ordered(weight.view(), order_b), parts);
  const std::int64_t batch = gemm.a.shape[1];
  const std::int64_t rows = gemm.a.shape[2];
  const std::int64_t columns = gemm.b.shape[3];
  const Dims shape = parts == 1 ? Dims{rows, batch, columns} : Dims{parts, rows, batch * columns};
  gemm.product = product_type(type, cube_math_type);
  plan.result(gemm.product, shape).cast_to(out.dtype()).copy_to(out);
  gemm.out = plan.writes(out);
  const Dims steps = gemm.out.strides;
  gemm.out.shape = Dims{parts, batch, rows, columns};
  gemm.out.strides = parts == 1 ? Dims{0, steps[1], steps[0], steps[2]}
                                : Dims{steps[0], columns * steps[2], steps[1], steps[2]};
  set_math_type(gemm, type, cube_math_type);
  launch_gemm(plan, std::move(gemm), weight);
}

void einsum(const Check& check, Plan& plan, const TensorListIn& tensors, const ConstText& equation,
            const TensorArgument& out) {
  check.that(tensors.tensors.size() == 2, "there are %zu tensors, there must be 2",
             tensors.tensors.size());
  const TensorArgument& a = tensors.tensors[0];
  const TensorArgument& b = tensors.tensors[1];
  check.same_dtype(a, b, out);
  const std::string known = renamed(equation.text);
  if (known == "a,b->ab") {
    check.that(a.rank() == 1 && b.rank() == 1, "a,b->ab goes with tensors of one dimension");
    check.that(out.rank() == 2, "out has %zu dimensions, it must have 2", out.rank());
    // The copy to out refuses it.
    check_inside(plan, out.shape() == Dims{a.shape()[0], b.shape()[0]},
                 "out has shape %s, which is not that of the products", out.shape().text().c_str());
    if (out.is_empty()) return;
    return outer_product(plan, a, b, a.dtype(), out);
  }
  check.that(known == "abcd,abced->abce",
             "the equation is \"%s\"; CANN knows a,b->ab and abcd,abced->abce",
             equation.text.c_str());
  check_contraction(check, a, b, out);
  contract(plan, a, b, out);
}

}  // namespace pyaclnn::sim
