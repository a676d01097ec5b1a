// SPDX-License-Identifier: MIT
#include "opapi/collective/product.hpp"

#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "objects/dtype.hpp"
#include "objects/formats.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/matmul/matmul.hpp"
#include "opapi/matmul/scaled_blocks.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "opapi/pointwise/pointwise.hpp"
#include "opapi/product/gemm.hpp"
#include "opapi/product/tiled_product.hpp"
#include "parameters/QuantMatmulV5.hpp"

namespace pyaclnn::sim {

void product(Plan& plan, const TensorArgument& a, const TensorArgument& b,
             const TensorArgument& bias, const TensorArgument& out) {
  if (!bias.given()) return matmul(plan, a, b, out, kKeepDtype);
  const Number one(std::int64_t(1));
  addmm(plan, bias, a, b, one, one, out, kKeepDtype);
}

void add_to(Plan& plan, const TensorArgument& other, const TensorArgument& out) {
  const View result = plan.writes(out);
  const std::vector<View> inputs{result, plan.reads(other)};
  launch_pointwise(plan, formulas::add, out.dtype(), out.dtype(), result, inputs,
                   {Number(std::int64_t(1))});
}

void quant_product(const Check& check, Plan& plan, const TensorArgument& x1,
                   const TensorArgument& x2, const TensorArgument& x1_scale,
                   const TensorArgument& x2_scale, const TensorArgument& bias,
                   const TensorArgument& out) {
  const TensorArgument none{Absent()};
  const TensorArgument scale =
      reshaped(plan, without_gaps(plan, x2_scale), Dims{x2_scale.elements()});
  quant_matmul(check, plan,
               {x1, x2, x1_scale, scale, none, none, none, none, bias, false, false, 0, out});
}

Check kernel_tiling(const Plan& plan) { return Check(plan.api(), ACLNN_ERR_INNER_TILING_ERROR); }

void check_grouped_scales(const Plan& plan, const TensorArgument& x1, const TensorArgument& x2,
                          const TensorArgument& x1_scale, const TensorArgument& bias,
                          std::int64_t group_size, bool mx) {
  if (mx) return check_tiling(plan, is_transposed(x2), "x2 is not transposed beside float8_e8m0");
  check_tiling(plan, !bias.given(), "%s is given beside scales of tiles", bias.name());
  check_tiling(plan, x1_scale.rank() == x1.rank(), "%s has %zu dimensions, x1 %zu", x1_scale.name(),
               x1_scale.rank(), x1.rank());
  const std::int64_t rows = group_of(kernel_tiling(plan), group_size, 32, x1.shape().end()[-2],
                                     x1_scale.shape().end()[-2]);
  check_tiling(plan, rows == kTile, "groupSize stands for %lld rows, it must for 128", ll(rows));
}

void float_product(const Check& check, Plan& plan, const TensorArgument& x1,
                   const TensorArgument& x2, const TensorArgument& x1_scale,
                   const TensorArgument& x2_scale, const TensorArgument& bias,
                   std::int64_t group_size, const TensorArgument& out, BiasPlace place) {
  const TensorArgument none{Absent()};
  quant_matmul_floats(
      check, plan,
      {x1, x2, x1_scale, x2_scale, none, none, none, none, bias, false, false, group_size, out},
      false, place);
}

void check_no_blocks(const Check& check, const TensorArgument& matrix) {
  check.that(!kPrivateFormats.contains(matrix.meta().format), "%s has a private format, %d",
             matrix.name(), int(matrix.meta().format));
}

bool is_first(const Text& comm_mode) { return *comm_mode.name() == 0; }

void check_result(const Plan& plan, const TensorArgument& result, const Dims& shape) {
  check_tiling(plan, result.shape() == shape, "%s has shape %s, it must be %s", result.name(),
               result.shape().text().c_str(), shape.text().c_str());
}

void check_scales(const Plan& plan, const TensorArgument& rows, const TensorArgument& columns,
                  std::int64_t row_count, std::int64_t column_count, aclDataType result) {
  check_tiling(plan, columns.given(), "x2Scale is null");
  const bool packed = columns.dtype() == ACL_INT64 && result == ACL_FLOAT16;
  check_tiling(plan, columns.dtype() == ACL_FLOAT || packed, "x2Scale is %s",
               dtype_name(columns.dtype()));
  check_tiling(plan, columns.elements() == column_count, "x2Scale has shape %s beside %lld columns",
               columns.shape().text().c_str(), ll(column_count));
  if (!rows.given()) return;
  check_tiling(plan, rows.dtype() == ACL_FLOAT && rows.elements() == row_count,
               "x1Scale is %s of shape %s beside %lld rows", dtype_name(rows.dtype()),
               rows.shape().text().c_str(), ll(row_count));
}

TensorArgument as_line(Plan& plan, const TensorArgument& tensor, bool used) {
  if (!used || !tensor.given()) return TensorArgument(Absent());
  return reshaped(plan, without_gaps(plan, tensor), Dims{tensor.elements()});
}

TensorArgument in_storage_order(Plan& plan, const TensorArgument& matrix) {
  return is_transposed(matrix) ? exchanged_axes(plan, matrix, 0) : same_view(plan, matrix);
}

}  // namespace pyaclnn::sim
