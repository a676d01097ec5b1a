// SPDX-License-Identifier: MIT
#include "opapi/matmul/fused.hpp"

#include <cctype>
#include <map>
#include <string>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "core/checked.hpp"
#include "core/release.hpp"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/common/result_types.hpp"
#include "opapi/matmul/matmul.hpp"
#include "opapi/matmul/outer.hpp"
#include "opapi/matmul/quantised_result.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "opapi/product/gemm.hpp"
#include "parameters/TransposeBatchMatMul.hpp"

namespace pyaclnn::sim {
namespace {

using Transposed = TransposeBatchMatMulParameters;

constexpr std::int64_t kMostInside = 65536;  // of an axis that lies inside, on chips before the 950
constexpr std::int64_t kCubeSize = 16;

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

/// What the kernels of A2 and A3 take, of which those before 9.1 take less.
void check_extents(const Check& check, const Transposed& c, std::int64_t batch, std::int64_t depth,
                   std::int64_t columns) {
  const bool swapped = c.permX1.is({1, 0, 2}), turned = c.permX2.is({0, 2, 1});
  const bool alone = !c.scale.given() && c.batchSplitFactor == 1,
             newer = behaves(Behaviour::kTurnsWeights);
  check.that(columns < kMostInside && batch < kMostInside && (swapped || depth < kMostInside),
             "axes that lie inside must be shorter than 65536");
  // Nothing overflows: the batch is short.
  check.that(!swapped || (newer && alone) || (depth < kMostInside && batch * depth < kMostInside),
             "a depth of %lld times a batch of %lld is more than 65535",
             static_cast<long long>(depth), static_cast<long long>(batch));
  check.that(!turned || (newer && alone && swapped), "permX2 must be 0, 1, 2");
  check.that(newer || (depth % kCubeSize == 0 && columns % kCubeSize == 0),
             "%s of shape %s: the extents of its matrices must be multiples of 16", c.x2.name(),
             c.x2.shape().text().c_str());
}

/// Whole results, which words of 64 bits make of float16.
void check_scale(const Check& check, const Transposed& c, std::int64_t batch,
                 std::int64_t columns) {
  if (!c.scale.given()) return;
  check.dtype_in(DtypeSet{ACL_INT64, ACL_UINT64}, c.scale);
  check.dtype_in(DtypeSet{ACL_FLOAT16}, c.x1, c.x2);
  check.that(c.scale.rank() == 1 && c.scale.elements() == Checked(batch) * columns &&
                 (on_950() || c.scale.elements() < kMostInside),
             "scale has shape %s, it must have one for each column of the batch",
             c.scale.shape().text().c_str());
}

void check_transposed(const Check& check, const Transposed& c) {
  check.that(c.x1.rank() == 3 && c.x2.rank() == 3, "%s and %s must have 3 dimensions", c.x1.name(),
             c.x2.name());
  for (const IntArrayIn* order : {&c.permX1, &c.permX2, &c.permY})
    check.that(order->values().size() == 3, "the orders of axes must name 3 axes each");
  check.that(!on_950() || c.cubeMathType != -1, "cubeMathType is -1");
  check_math_type(check, c.x1, c.x2, c.cubeMathType);
  check.that(!c.scale.given() || c.batchSplitFactor == 1,
             "batchSplitFactor must be 1 beside scale");
  const bool in_blocks = is_nz(c.x2.meta().format);
  check.that(!is_nz(c.x1.meta().format) && !is_nz(c.out.meta().format),
             "x1 or out is in FRACTAL_NZ");
  const DtypeSet halves{ACL_FLOAT16, ACL_BF16}, whole{ACL_INT8};
  const DtypeSet types = in_blocks ? halves : halves | DtypeSet{ACL_FLOAT};
  check.same_dtype(c.x1, c.x2);
  check.dtype_in(types, c.x1, c.x2);
  check.dtype_in(types | whole, c.out);
  check.that(!in_blocks || on_950() || c.x1.dtype() == c.out.dtype(), "x1 is %s, and out %s",
             dtype_name(c.x1.dtype()), dtype_name(c.out.dtype()));
  const bool swapped = c.permX1.is({1, 0, 2}), turned = c.permX2.is({0, 2, 1});
  check.that(swapped || c.permX1.is({0, 1, 2}), "permX1 must be 0, 1, 2 or 1, 0, 2");
  check.that(turned || c.permX2.is({0, 1, 2}), "permX2 must be 0, 1, 2 or 0, 2, 1");
  check.that(c.permY.is({1, 0, 2}), "permY must be 1, 0, 2");
  const Dims &a = c.x1.shape(), &b = c.x2.shape();
  const std::int64_t batch = b[0], depth = a[2], columns = b[turned ? 1 : 2];
  check.that(depth == b[turned ? 2 : 1] && batch == a[swapped ? 1 : 0],
             "%s of shape %s and %s of shape %s do not go together", c.x1.name(), a.text().c_str(),
             c.x2.name(), b.text().c_str());
  if (!on_950()) check_extents(check, c, batch, depth, columns);
  check_scale(check, c, batch, columns);
  check.that(c.batchSplitFactor > 0 && batch % c.batchSplitFactor == 0,
             "batchSplitFactor is %d beside a batch of %lld", int(c.batchSplitFactor),
             static_cast<long long>(batch));
  check.that(!in_blocks || (depth != 1 && columns != 1), "x2 in FRACTAL_NZ has an axis of 1");
  const std::size_t stored = c.x2.meta().storage_shape.size();
  check.that(!in_blocks || stored == 5, "x2's storage has %zu dimensions, not 5", stored);
  check.that(!c.x1.is_empty() && !c.x2.is_empty(), "empty tensors are not allowed");
  check.that(!c.bias.given(), "bias is not supported");
  check.that(!c.scale.given() || !in_blocks, "there is no kernel for scale beside FRACTAL_NZ");
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

/// out[part, m, b n] = the products of x1[b, m, k] and x2[b, k, n], their axes in those orders; the
/// batch is in so many parts. With a scale they become int8.
void transposed_product(const Check& check, Plan& plan, const Transposed& c) {
  check_transposed(check, c);
  const std::int32_t parts = c.batchSplitFactor;
  const aclDataType type = c.x1.dtype();
  plan.stage(c.x1).contiguous();
  if (!is_nz(c.x2.meta().format)) plan.stage(c.x2).contiguous();
  const PlainOperand weight(plan, c.x2);
  Gemm gemm;
  gemm.a = in_parts(ordered(plan.reads(c.x1), c.permX1), parts);
  gemm.b = in_parts(ordered(weight.view(), c.permX2), parts);
  const std::int64_t batch = gemm.a.shape[1];
  const std::int64_t rows = gemm.a.shape[2];
  const std::int64_t columns = gemm.b.shape[3];
  const bool narrow = c.scale.given(), joined = narrow || parts > 1;
  const Dims shape = narrow   ? Dims{rows, 1, batch * columns}
                     : joined ? Dims{parts, rows, batch * columns}
                              : Dims{rows, batch, columns};
  check.shape_is(c.out, shape, "the product");
  gemm.product = narrow ? ACL_FLOAT : product_type(type, c.cubeMathType);
  plan.result(narrow ? ACL_INT8 : gemm.product, shape).cast_to(c.out.dtype()).copy_to(c.out);
  const TensorArgument sums =
      narrow ? plan.scratch("product", ACL_FLOAT, shape) : same_view(plan, c.out);
  gemm.out = plan.writes(narrow ? sums : c.out);
  const Dims steps = gemm.out.strides;
  gemm.out.shape = Dims{parts, batch, rows, columns};
  gemm.out.strides = narrow   ? Dims{0, columns * steps[2], steps[0], steps[2]}
                     : joined ? Dims{steps[0], columns * steps[2], steps[1], steps[2]}
                              : Dims{0, steps[1], steps[0], steps[2]};
  set_math_type(gemm, type, c.cubeMathType);
  launch_gemm(plan, std::move(gemm), weight);
  if (!narrow) return;
  plan.stage(c.scale).contiguous();
  quantise_result(plan, sums, c.scale, c.out);
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
