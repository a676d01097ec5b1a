// Products of floats of one or two bytes, whose scales or whose other half make them precise.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/matmul/mx_products.hpp"
#include "opapi/product/gemm.hpp"
#include "opapi/product/packed_floats.hpp"
#include "parameters/MatmulEmuSplitWeight.hpp"
#include "parameters/TransposeQuantBatchMatMul.hpp"

namespace pyaclnn::sim {
namespace {

using Floats = std::vector<float>;

const DtypeSet kFloat8{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2};

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

RowMajor reads(Plan& plan, const TensorArgument& tensor) {
  plan.stage(tensor).contiguous();
  return RowMajor(plan.reads(tensor));
}

Floats values_of(const RowMajor& layout, const KernelMemory& memory) {
  return RowMajorAccess(layout, memory).values();
}

bool is_order(const IntArrayIn& order, std::int64_t a, std::int64_t b, std::int64_t c) {
  return order.values() == std::vector<std::int64_t>{a, b, c};
}

bool are(aclDataType dtype, const TensorArgument& a, const TensorArgument& b) {
  return a.given() && b.given() && a.dtype() == dtype && b.dtype() == dtype;
}

void check_transposed(const Check& check, const TransposeQuantBatchMatMulParameters& c) {
  check.not_null(c.x1, c.x2, c.x1Scale, c.x2Scale, c.out);
  check.not_null(c.permX1, c.permX2, c.permY);
  check.that(c.batchSplitFactor == 1, "batchSplitFactor is %d, it must be 1",
             int(c.batchSplitFactor));
  check.dtype_in(kFloat8, c.x1, c.x2);
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.x1Scale, c.x2Scale);
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, c.out);
  check.that(c.dtype == int(c.out.dtype()), "dtype is %d, and out %s", int(c.dtype),
             dtype_name(c.out.dtype()));
  check.that(
      is_order(c.permX1, 1, 0, 2) && is_order(c.permX2, 0, 1, 2) && is_order(c.permY, 1, 0, 2),
      "permX1 and permY must be 1, 0, 2, and permX2 0, 1, 2");
  check.that(c.x1.rank() == 3 && c.x2.rank() == 3, "x1 and x2 have %zu and %zu dimensions, not 3",
             c.x1.rank(), c.x2.rank());
  constexpr std::int64_t kDepth = 512, kColumns = 128;
  const Dims &a = c.x1.shape(), &b = c.x2.shape();
  check.that(a[2] == b[1], "the depth of x1 is %lld, that of x2 %lld", ll(a[2]), ll(b[1]));
  check.that(b[1] == kDepth && b[2] == kColumns,
             "x2 has %lld rows and %lld columns, not 512 and 128", ll(b[1]), ll(b[2]));
  check.shape_is(c.x1Scale, Dims{a[0]}, "the rows of x1");
  check.shape_is(c.x2Scale, Dims{b[2]}, "the columns of x2");
  for (const TensorArgument* tensor : {&c.x1, &c.x2, &c.x1Scale, &c.x2Scale, &c.out})
    check.that(!is_nz(tensor->meta().format), "%s is in FRACTAL_NZ", tensor->name());
  check.that(!c.x1.is_empty() && !c.x2.is_empty(), "empty tensors are not supported");
  check.that(!c.bias.given(), "bias is not supported");
  check.that(a[1] == b[0], "x1 has a batch of %lld, x2 of %lld", ll(a[1]), ll(b[0]));
  check.shape_is(c.out, Dims{a[0], a[1], b[2]}, "the product");
}

}  // namespace

/// out[m, b] = x1[m, b] @ x2[b], times a scale for each row and one for each column.
void transpose_quant_batch_matmul(const Check& check, Plan& plan,
                                  const TransposeQuantBatchMatMulParameters& c) {
  check.that(on_950(), "%s does not have the operator", chip().name);
  if (are(ACL_FLOAT8_E8M0, c.x1Scale, c.x2Scale)) return transpose_mx(check, plan, c, false);
  if (are(ACL_HIFLOAT8, c.x1, c.x2)) {
    check.not_null(c.x2Scale, c.permX1, c.permX2, c.permY, c.out);
    fail_not_simulated(plan, "the product of hifloat8");
  }
  check_transposed(check, c);
  const std::int64_t rows = c.x1.shape()[0], batch = c.x1.shape()[1], depth = c.x1.shape()[2];
  const std::int64_t columns = c.x2.shape()[2];
  const RowMajor x1 = reads(plan, c.x1), x2 = reads(plan, c.x2);
  const RowMajor scale1 = reads(plan, c.x1Scale), scale2 = reads(plan, c.x2Scale);
  const RowMajor out(plan.writes(c.out));
  plan.launch([=](const KernelMemory& memory) {
    const Floats of_rows = values_of(scale1, memory), of_columns = values_of(scale2, memory);
    const Floats left = values_of(x1, memory), right = values_of(x2, memory);
    Floats a(at(rows * depth));
    for (std::int64_t i = 0; i < batch; ++i) {
      for (std::int64_t row = 0; row < rows; ++row)
        std::copy_n(left.data() + (row * batch + i) * depth, depth, a.data() + row * depth);
      Floats sums =
          packed_product({a.data()}, {right.data() + i * depth * columns}, rows, depth, columns);
      for (std::int64_t row = 0; row < rows; ++row) {
        float* const line = sums.data() + row * columns;
        for (std::int64_t j = 0; j < columns; ++j)
          line[j] = line[j] * of_columns[at(j)] * of_rows[at(row)];
        RowMajorAccess(out, memory).write((row * batch + i) * columns, columns, line);
      }
    }
  });
}

/// y = x @ high + scale * (x @ low): a weight of float32 in two of bfloat16.
void matmul_split_weight(const Check& check, Plan& plan, const MatmulEmuSplitWeightParameters& c) {
  check.not_null(c.x, c.wHigh, c.wLow, c.y);
  check.dtype_in(DtypeSet{ACL_BF16}, c.x, c.wHigh, c.wLow);
  check.that(c.yDtype == 0, "yDtype is %d, it must be 0", int(c.yDtype));
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.y);
  for (const TensorArgument* tensor : {&c.x, &c.wHigh, &c.wLow, &c.y})
    check.that(tensor->meta().format == ACL_FORMAT_ND, "%s must be in the format ND",
               tensor->name());
  constexpr float kScale = 1.0f / 256, kNear = 1e-7f;
  check.that(std::fabs(c.wLowScale - kScale) <= kNear, "wLowScale is %g, it must be 1 / 256",
             double(c.wLowScale));
  for (const TensorArgument* tensor : {&c.x, &c.wHigh, &c.wLow, &c.y})
    check.that(tensor->rank() == 2, "%s has %zu dimensions, not 2", tensor->name(), tensor->rank());
  const std::int64_t m = c.x.shape()[0], k = c.x.shape()[1], n = c.wHigh.shape()[1];
  constexpr std::int64_t kMost = 0x7FFFFFFF;
  for (const std::int64_t extent : {m, k, n})
    check.that(extent > 0 && extent <= kMost, "an axis has %lld elements", ll(extent));
  check.shape_is(c.wHigh, Dims{k, n}, "the depth of x");
  check.shape_is(c.wLow, Dims{k, n}, "wHigh");
  check.shape_is(c.y, Dims{m, n}, "the product");
  needs_kernel(plan, on_950());
  for (const TensorArgument* tensor : {&c.x, &c.wHigh, &c.wLow}) plan.stage(*tensor).contiguous();
  const TensorArgument first = plan.scratch("high", ACL_FLOAT, c.y.shape());
  Gemm high, low;
  high.a = low.a = plan.reads(c.x);
  high.b = plan.reads(c.wHigh);
  high.out = plan.writes(first);
  launch_gemm(plan, std::move(high));
  low.b = plan.reads(c.wLow);
  low.alpha = c.wLowScale;
  low.addend = plan.reads(first);
  low.out = plan.writes(c.y);
  launch_gemm(plan, std::move(low));
}

}  // namespace pyaclnn::sim
