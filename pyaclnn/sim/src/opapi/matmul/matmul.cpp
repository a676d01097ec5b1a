// SPDX-License-Identifier: MIT
#include "opapi/matmul/matmul.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/checked.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/product/gemm.hpp"

namespace pyaclnn::sim {
namespace {

/// A vector as a matrix of one row (on the left) or one column (on the right).
View as_matrix(View view, bool left) {
  if (view.shape.size() != 1) return view;
  const std::int64_t extent = view.shape[0];
  const std::int64_t stride = view.strides[0];
  view.shape = left ? Dims{1, extent} : Dims{extent, 1};
  view.strides = left ? Dims{0, stride} : Dims{stride, 0};
  return view;
}

/// The result with the axes of extent 1 that vectors stand for.
View result_view(const View& out, bool left_is_vector, bool right_is_vector) {
  View view = out;
  Dims shape;
  Dims strides;
  const std::size_t rank = out.shape.size();
  const std::size_t kept = (left_is_vector ? 0 : 1) + (right_is_vector ? 0 : 1);
  const std::size_t batch = rank - std::min(rank, kept);
  for (std::size_t i = 0; i < batch; ++i) {
    shape.push_back(out.shape[i]);
    strides.push_back(out.strides[i]);
  }
  std::size_t next = batch;
  for (bool vector : {left_is_vector, right_is_vector}) {
    shape.push_back(vector ? 1 : out.shape[next]);
    strides.push_back(vector ? 0 : out.strides[next]);
    if (!vector) ++next;
  }
  view.shape = shape;
  view.strides = strides;
  return view;
}

aclDataType operand_type(const TensorArgument& a, const TensorArgument& b) {
  return promote(a.dtype(), b.dtype());
}

/// Whether the last two axes of a contiguous tensor were exchanged, which the cube unit reads as it
/// is.
bool lies_transposed(const TensorArgument& tensor) {
  const std::size_t rank = tensor.rank();
  if (rank < 2 || rank > 6) return false;
  const Dims& shape = tensor.shape();
  const Dims& strides = tensor.meta().strides;
  const std::int64_t rows = shape[rank - 2];
  const std::int64_t columns = shape[rank - 1];
  if (strides[rank - 2] != 1 || strides[rank - 1] != rows || (rows == 1 && columns == 1))
    return false;
  using Extent = Checked<std::int64_t>;
  Extent step = Extent(rows) * Extent(columns);
  for (std::size_t i = rank - 2; i-- > 0; step = step * Extent(shape[i]))
    if (step != Extent(strides[i])) return false;
  return true;
}

void stage_matrix(Plan& plan, const TensorArgument& tensor, aclDataType type) {
  StagedInput staged = plan.stage(tensor);
  if (!is_nz(tensor.meta().format) && !lies_transposed(tensor)) staged.contiguous();
  staged.cast_to(type);
}

/// A product, and its second operand, which may lie in blocks.
struct Product : Gemm {
  PlainOperand weight;
};

constexpr char kMathTypes[] = "cubeMathType is %d, which this release does not have";
constexpr char kNoFloats[] = "cubeMathType is %d; %s does not compute matrix products in float32";

bool is_math_type(std::int8_t type) {
  return type >= -1 && type <= (behaves(Behaviour::kMultipliesPrecisely) ? 5 : 4);
}

/// Whether the chip has products of these operands with that mode.
bool has_product(bool is_float, std::int8_t type) {
  return chip().has_bf16() || !is_float || type == kAllowDownPrecision || type == kUseFloat16;
}

/// What older chips notice behind the checks of a product that is not empty.
void check_late_math_type(const Plan& plan, aclDataType operands, std::int8_t type) {
  check_inside(plan, chip().has_bf16() || is_math_type(type), kMathTypes, int(type));
  check_inside(plan, has_product(operands == ACL_FLOAT, type), kNoFloats, int(type), chip().name);
}

/// The operands of a product, and what they and it are rounded to.
Product operands(Plan& plan, const TensorArgument& a, const TensorArgument& b,
                 std::int8_t cube_math_type, bool multiplies = true) {
  const aclDataType type = operand_type(a, b);
  if (multiplies) check_late_math_type(plan, type, cube_math_type);
  stage_matrix(plan, a, type);
  stage_matrix(plan, b, type);
  Product gemm;
  gemm.weight = PlainOperand(plan, b);
  gemm.a = plan.reads(a);
  gemm.b = gemm.weight.view();
  gemm.product = product_type(type, cube_math_type);
  set_math_type(gemm, type, cube_math_type);
  return gemm;
}

bool has_16_bits(const TensorArgument& tensor) { return is_16_bit_float(tensor.dtype()); }

/// Whether the cube unit writes products of 16 bits as float32, for a result of that type.
bool writes_floats(const TensorArgument& a, const TensorArgument& b, const TensorArgument& out) {
  return behaves(Behaviour::kWritesFloats) && (on_a2_or_a3() || on_950()) && has_16_bits(a) &&
         a.dtype() == b.dtype() && out.dtype() == ACL_FLOAT;
}

Product product(Plan& plan, const TensorArgument& a, const TensorArgument& b,
                const TensorArgument& out, std::int8_t cube_math_type) {
  Product gemm = operands(plan, a, b, cube_math_type);
  if (writes_floats(a, b, out)) gemm.product = ACL_FLOAT;
  gemm.a = as_matrix(gemm.a, true);
  gemm.b = as_matrix(gemm.b, false);
  gemm.out = result_view(plan.writes(out), a.rank() == 1, b.rank() == 1);
  return gemm;
}

View transposed(View view) {
  view.shape = Dims{view.shape[1], view.shape[0]};
  view.strides = Dims{view.strides[1], view.strides[0]};
  return view;
}

/// The first matrix of a batch.
View without_batch(View view) {
  view.shape = Dims{view.shape[1], view.shape[2]};
  view.strides = Dims{view.strides[1], view.strides[2]};
  return view;
}

/// A vector beside a result that has got axes of extent 1 for the vectors of its product.
View beside(View addend, const View& out, const TensorArgument& whole) {
  if (out.shape.size() == whole.rank()) return addend;
  addend = broadcast_view(addend, whole.shape());
  addend.shape = out.shape;
  addend.strides = Dims{addend.strides[0], 0};
  return addend;
}

/// Whether the addend is a row that the cube unit's sums begin with.
bool is_bias(const TensorArgument& addend, const TensorArgument& a, const TensorArgument& b,
             const Number& beta, const Number& alpha) {
  const Dims& shape = addend.shape();
  const bool row = shape.size() == 1 || (shape.size() == 2 && shape[0] == 1);
  const bool fits = a.dtype() != ACL_BF16 || addend.dtype() != ACL_FLOAT16;
  return row && fits && shape.back() == b.shape().back() && is_nearly(beta, 1) &&
         is_nearly(alpha, 1);
}

/// Whether nothing is rounded before the addend is added to a product of 16 bits.
bool adds_in_float(Sum sum, const TensorArgument& addend, const TensorArgument& a,
                   const TensorArgument& b, const Number& beta, const Number& alpha,
                   std::int8_t cube_math_type) {
  if (sum == Sum::kOfRounded || !has_16_bits(a) || a.dtype() != b.dtype()) return false;
  if (is_bias(addend, a, b, beta, alpha)) return true;
  return sum == Sum::kInFloat && on_a2_or_a3() && behaves(Behaviour::kWritesFloats) &&
         cube_math_type != kAllowDownPrecision && cube_math_type != kUseFloat16;
}

/// Plans beta * addend + alpha * product; an addend that is multiplied by zero is not read.
void launch_sum(Plan& plan, Product gemm, const TensorArgument& addend, Number beta, Number alpha,
                const TensorArgument& out) {
  plan.stage(addend).contiguous();
  plan.result(promote(gemm.product, addend.dtype()), out.shape()).cast_to(out.dtype()).copy_to(out);
  gemm.alpha = static_cast<float>(alpha.value.real());
  gemm.beta = static_cast<float>(beta.value.real());
  const View added = plan.reads(addend);
  if (gemm.beta != 0.0f) gemm.addend = beside(added, gemm.out, out);
  launch_gemm(plan, gemm, gemm.weight);
}

}  // namespace

bool is_nearly(const Number& factor, float value) {
  constexpr float kNearly = std::numeric_limits<float>::epsilon();
  return std::abs(static_cast<float>(factor.value.real()) - value) <= kNearly;
}

std::int64_t stored_in_blocks(const TensorArgument& matrix) {
  Dims shape = matrix.shape();
  if (is_turned(matrix)) shape = Dims{shape[1], shape[0]};
  const std::int64_t width = nz_width(ACL_FORMAT_FRACTAL_NZ, matrix.dtype());
  const auto blocks = blocks_of(ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_ND, shape, width);
  return blocks ? blocks->elements : -1;
}

Dims product_shape(const Check& check, const TensorArgument& a, const TensorArgument& b) {
  check.that(a.rank() > 0 && b.rank() > 0, "%s and %s must have at least one dimension", a.name(),
             b.name());
  const std::int64_t left = a.shape().back();
  const std::int64_t right = b.shape()[b.rank() == 1 ? 0 : b.rank() - 2];
  check.that(left == right, "%s of shape %s and %s of shape %s: the depths %lld and %lld differ",
             a.name(), a.shape().text().c_str(), b.name(), b.shape().text().c_str(),
             static_cast<long long>(left), static_cast<long long>(right));
  const std::size_t a_batch = a.rank() < 2 ? 0 : a.rank() - 2;
  const std::size_t b_batch = b.rank() < 2 ? 0 : b.rank() - 2;
  const std::size_t rank = std::max(a_batch, b_batch);
  Dims shape;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t x = i + a_batch < rank ? 1 : a.shape()[i + a_batch - rank];
    const std::int64_t y = i + b_batch < rank ? 1 : b.shape()[i + b_batch - rank];
    check.that(x == y || x == 1 || y == 1, "the batches of %s %s and %s %s do not broadcast",
               a.name(), a.shape().text().c_str(), b.name(), b.shape().text().c_str());
    shape.push_back(x == 1 ? y : x);
  }
  if (a.rank() > 1) shape.push_back(a.shape()[a.rank() - 2]);
  if (b.rank() > 1) shape.push_back(b.shape().back());
  return shape;
}

void check_math_type(const Check& check, const TensorArgument& a, const TensorArgument& b,
                     std::int8_t cube_math_type) {
  check.that(is_math_type(cube_math_type), kMathTypes, int(cube_math_type));
  check.that(has_product(a.dtype() == ACL_FLOAT || b.dtype() == ACL_FLOAT, cube_math_type),
             kNoFloats, int(cube_math_type), chip().name);
}

void check_known_math_type(const Check& check, const TensorArgument& a, const TensorArgument& b,
                           std::int8_t cube_math_type) {
  const bool looks = cube_math_type == -1 || cube_math_type == 0 || cube_math_type == kUseHfloat32;
  const bool is_float = a.dtype() == ACL_FLOAT || b.dtype() == ACL_FLOAT;
  if (chip().has_bf16() || (looks && is_float)) check_math_type(check, a, b, cube_math_type);
}

void check_sum_math_type(const Check& check, const TensorArgument& addend, const Dims& product,
                         std::int8_t cube_math_type) {
  constexpr std::int8_t kAddInFloat = 4;
  check.that(cube_math_type <= kAddInFloat, "cubeMathType is %d; it must be from 0 to 4",
             int(cube_math_type));
  if (cube_math_type != kAddInFloat) return;
  check.that(chip().has_bf16(), "cubeMathType is 4; %s does not add in float32", chip().name);
  check.that(!on_a2_or_a3() || addend.shape() == product,
             "cubeMathType is 4; %s of shape %s does not broadcast then", addend.name(),
             addend.shape().text().c_str());
}

void check_left_format(const Plan& plan, const TensorArgument& a, const TensorArgument& b,
                       std::int8_t cube_math_type) {
  const auto& meta = a.meta();
  if (meta.format == ACL_FORMAT_ND || is_nz(meta.format)) return;
  if (a.rank() != 2 || b.rank() != 2 || a.is_empty()) return;
  Gemm gemm;
  const aclDataType type = operand_type(a, b);
  set_math_type(gemm, type, cube_math_type);
  const bool as_it_lies = meta.is_contiguous() && meta.storage_shape == a.shape() &&
                          a.dtype() == (gemm.through == ACL_FLOAT16 ? ACL_FLOAT16 : type);
  check_inside(plan, as_it_lies, "%s of format %d is copied or converted, it must be ND (2) then",
               a.name(), int(meta.format));
}

void matmul(Plan& plan, const TensorArgument& a, const TensorArgument& b, const TensorArgument& out,
            std::int8_t cube_math_type) {
  Product gemm = product(plan, a, b, out, cube_math_type);
  plan.result(gemm.product, out.shape()).cast_to(out.dtype()).copy_to(out);
  launch_gemm(plan, gemm, gemm.weight);
}

void addmm(Plan& plan, const TensorArgument& addend, const TensorArgument& a,
           const TensorArgument& b, Number beta, Number alpha, const TensorArgument& out,
           std::int8_t cube_math_type, Sum sum) {
  Product gemm = product(plan, a, b, out, cube_math_type);
  if (adds_in_float(sum, addend, a, b, beta, alpha, cube_math_type)) gemm.product = ACL_FLOAT;
  launch_sum(plan, std::move(gemm), addend, beta, alpha, out);
}

void addbmm(Plan& plan, const TensorArgument& addend, const TensorArgument& a,
            const TensorArgument& b, Number beta, Number alpha, const TensorArgument& out,
            std::int8_t cube_math_type) {
  const bool multiplies = !a.is_empty() && !b.is_empty() && alpha.value.real() != 0;
  Product gemm = operands(plan, a, b, cube_math_type, multiplies);
  const bool one_product = a.shape()[0] == 1 && b.shape()[0] == 1;
  if (one_product && adds_in_float(Sum::kBiased, addend, a, b, beta, alpha, cube_math_type))
    gemm.product = ACL_FLOAT;
  gemm.terms = std::max(a.shape()[0], b.shape()[0]);
  gemm.a_term_step = a.shape()[0] == 1 ? 0 : gemm.a.strides[0];
  gemm.b_term_step = b.shape()[0] == 1 ? 0 : gemm.b.strides[0];
  gemm.a = without_batch(gemm.a);
  gemm.b = without_batch(gemm.b);
  gemm.out = plan.writes(out);
  if (a.is_empty() || b.is_empty()) gemm.terms = 0;
  plan.reserve(gemm.terms * out.elements(), gemm.product);
  launch_sum(plan, std::move(gemm), addend, beta, alpha, out);
}

Dims gemm_shape(const Check& check, const TensorArgument& a, const TensorArgument& b,
                bool transpose_a, bool transpose_b) {
  const std::int64_t left = a.shape()[transpose_a ? 0 : 1];
  const std::int64_t right = b.shape()[transpose_b ? 1 : 0];
  check.that(left == right, "%s of shape %s and %s of shape %s: the depths %lld and %lld differ",
             a.name(), a.shape().text().c_str(), b.name(), b.shape().text().c_str(),
             static_cast<long long>(left), static_cast<long long>(right));
  return {a.shape()[transpose_a ? 1 : 0], b.shape()[transpose_b ? 0 : 1]};
}

void gemm(Plan& plan, const TensorArgument& a, const TensorArgument& b, const TensorArgument& c,
          Number alpha, Number beta, bool transpose_a, bool transpose_b, const TensorArgument& out,
          std::int8_t cube_math_type) {
  Product gemm = operands(plan, a, b, cube_math_type);
  if (transpose_a) gemm.a = transposed(gemm.a);
  if (transpose_b) gemm.b = transposed(gemm.b);
  gemm.out = plan.writes(out);
  launch_sum(plan, std::move(gemm), c, beta, alpha, out);
}

}  // namespace pyaclnn::sim
