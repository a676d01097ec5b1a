// Quantised products whose batch lies between the rows and the depth of x1.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/matmul/scaled_blocks.hpp"
#include "opapi/product/packed_floats.hpp"
#include "opapi/quant/stored_scales.hpp"
#include "parameters/TransposeQuantBatchMatMul.hpp"

namespace pyaclnn::sim {
namespace {

using Floats = std::vector<float>;
using Transposed = TransposeQuantBatchMatMulParameters;

const DtypeSet kFloat8{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2};
const DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

/// What the scales are of.
enum class Scales { kRows, kBlocks, kWords };

bool is_turned_weight(const Transposed& c) { return c.permX2.is({0, 2, 1}); }

bool are(const TensorArgument& a, const TensorArgument& b, aclDataType dtype) {
  return a.given() && b.given() && a.dtype() == dtype && b.dtype() == dtype;
}

/// By the types of the operands. Before 9.1 there are scales of rows and columns only.
Scales scales_of(const Transposed& c, bool named_nz) {
  if (named_nz || (behaves(Behaviour::kTurnsWeights) && are(c.x1Scale, c.x2Scale, ACL_FLOAT8_E8M0)))
    return Scales::kBlocks;
  const bool wide = behaves(Behaviour::kTurnsWeights) && are(c.x1, c.x2, ACL_HIFLOAT8);
  return wide ? Scales::kWords : Scales::kRows;
}

void check_orders(const Check& check, const Transposed& c, Scales kind) {
  const bool turns = kind != Scales::kRows;
  check.that(c.permX1.is({1, 0, 2}) && c.permY.is({1, 0, 2}) &&
                 (c.permX2.is({0, 1, 2}) || (turns && is_turned_weight(c))),
             "permX1 and permY must be 1, 0, 2, and permX2 0, 1, 2%s", turns ? " or 0, 2, 1" : "");
}

void check_scales(const Check& check, const Transposed& c, Scales kind, std::int64_t depth,
                  std::int64_t columns) {
  const Dims &a = c.x1.shape(), &b = c.x2.shape();
  if (kind == Scales::kBlocks) {
    check.that(depth % kMxPair == 0, "the depth is %lld, it must be a multiple of 64", ll(depth));
    const std::int64_t pairs = depth / kMxPair;
    check.shape_is(c.x1Scale, Dims{a[0], a[1], pairs, 2}, "the blocks of x1");
    check.shape_is(
        c.x2Scale,
        is_turned_weight(c) ? Dims{b[0], columns, pairs, 2} : Dims{b[0], pairs, columns, 2},
        "the blocks of x2");
    check.dtype_in(DtypeSet{ACL_FLOAT8_E4M3FN}, c.x1, c.x2);
    return check.dtype_in(DtypeSet{ACL_FLOAT8_E8M0}, c.x1Scale, c.x2Scale);
  }
  check.shape_is(c.x2Scale, Dims{columns}, "the columns of x2");
  if (kind == Scales::kWords) {
    const DtypeSet words{ACL_UINT64, ACL_INT64};
    if (c.x1Scale.given()) check.dtype_in(words, c.x1Scale);
    return check.dtype_in(words, c.x2Scale);
  }
  constexpr std::int64_t kDepth = 512, kColumns = 128;
  check.that(depth == kDepth && columns == kColumns,
             "x2 has %lld rows and %lld columns, not 512 and 128", ll(depth), ll(columns));
  check.shape_is(c.x1Scale, Dims{a[0]}, "the rows of x1");
  check.dtype_in(kFloat8, c.x1, c.x2);
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.x1Scale, c.x2Scale);
}

void check_formats(const Check& check, const Transposed& c, Scales kind, bool named_nz) {
  check_not_in_nz(check, {&c.x1, &c.out, &c.x1Scale, &c.x2Scale});
  const bool in_blocks = is_nz(c.x2.meta().format);
  check.that(!in_blocks || kind == Scales::kBlocks,
             "x2 is in FRACTAL_NZ, which goes with scales of blocks only");
  check.that((!in_blocks && !named_nz) || (c.x2.meta().format == ACL_FORMAT_FRACTAL_NZ &&
                                           c.x2.meta().storage_shape.size() == 5),
             "x2 must be in FRACTAL_NZ, stored with 5 dimensions");
}

void check_transposed(const Check& check, const Transposed& c, Scales kind, bool named_nz) {
  check.that(on_950(), "%s does not have the operator", chip().name);
  check.not_null(c.x1, c.x2, c.x2Scale, c.permX1, c.permX2, c.permY, c.out);
  if (kind != Scales::kWords) check.not_null(c.x1Scale);
  check_orders(check, c, kind);
  check.that(c.x1.rank() == 3 && c.x2.rank() == 3, "x1 and x2 have %zu and %zu dimensions, not 3",
             c.x1.rank(), c.x2.rank());
  const Dims &a = c.x1.shape(), &b = c.x2.shape();
  const bool turned = is_turned_weight(c);
  const std::int64_t depth = b[turned ? 2 : 1], columns = b[turned ? 1 : 2];
  check.that(a[1] == b[0], "x1 has a batch of %lld, x2 of %lld", ll(a[1]), ll(b[0]));
  check.that(a[2] == depth, "the depth of x1 is %lld, that of x2 %lld", ll(a[2]), ll(depth));
  check_scales(check, c, kind, depth, columns);
  check.dtype_in(kind == Scales::kWords ? DtypeSet{ACL_FLOAT16, ACL_BF16, ACL_HIFLOAT8} : kHalves,
                 c.out);
  check.that(c.dtype == int(c.out.dtype()), "dtype is %d, and out %s", int(c.dtype),
             dtype_name(c.out.dtype()));
  check_formats(check, c, kind, named_nz);
  const auto part = [&](int bits) { return c.groupSize >> bits & 0xFFFF; };
  check.that(kind != Scales::kBlocks || (part(32) <= 1 && part(16) <= 1 && part(0) == kMxBlock),
             "groupSize is %lld, it must stand for 1, 1 and 32", ll(c.groupSize));
  check.that(c.batchSplitFactor == 1, "batchSplitFactor is %d, it must be 1",
             int(c.batchSplitFactor));
  check.that(!c.x1.is_empty() && !c.x2.is_empty(), "empty tensors are not supported");
  check.that(!c.bias.given(), "bias is not supported");
  check.shape_is(c.out, Dims{a[0], a[1], columns}, "the product");
}

/// The operands, which a kernel reads as floats.
struct Product {
  std::int64_t rows, batch, depth, columns;
  bool turned;
  Scales kind;
  RowMajor x1, x2, out;
  StoredScales scale1, scale2;

  void run(const KernelMemory& memory) const {
    Floats left = RowMajorAccess(x1, memory).values(), right = RowMajorAccess(x2, memory).values();
    const Floats of_x1 = scale1.values(memory), of_x2 = scale2.values(memory);
    if (kind == Scales::kBlocks)
      scale_blocks(left.data(), of_x1.data(), rows * batch, depth, false);
    Floats a(at(rows * depth));
    for (std::int64_t i = 0; i < batch; ++i) {
      for (std::int64_t row = 0; row < rows; ++row)
        std::copy_n(left.data() + (row * batch + i) * depth, depth, a.data() + row * depth);
      float* const b = right.data() + i * depth * columns;
      if (kind == Scales::kBlocks)
        scale_blocks(b, of_x2.data() + i * mx_pairs(depth) * 2 * columns, turned ? columns : depth,
                     turned ? depth : columns, !turned);
      Floats sums = packed_product({a.data()}, {b, turned}, rows, depth, columns);
      for (std::int64_t row = 0; row < rows; ++row) {
        float* const line = sums.data() + row * columns;
        for (std::int64_t j = 0; j < columns && kind != Scales::kBlocks; ++j) {
          line[j] *= of_x2[at(j)];
          if (kind == Scales::kRows) line[j] *= of_x1[at(row)];
        }
        RowMajorAccess(out, memory).write((row * batch + i) * columns, columns, line);
      }
    }
  }
};

/// out[m, b] = x1[m, b] @ x2[b], times a scale for each row and one for each column; or with scales
/// of blocks of 32 along the depth; or with words of 64 bits that columns have.
void transposed(const Check& check, Plan& plan, const Transposed& c, bool named_nz) {
  const Scales kind = scales_of(c, named_nz);
  check_transposed(check, c, kind, named_nz);
  const bool in_blocks = is_nz(c.x2.meta().format);
  plan.stage(c.x1).contiguous();
  if (!in_blocks) plan.stage(c.x2).contiguous();
  const PlainOperand weight(plan, c.x2, in_blocks);
  Product product{c.x1.shape()[0],
                  c.x1.shape()[1],
                  c.x1.shape()[2],
                  c.out.shape()[2],
                  is_turned_weight(c),
                  kind,
                  RowMajor(plan.reads(c.x1)),
                  RowMajor(weight.view()),
                  RowMajor(plan.writes(c.out)),
                  StoredScales(),
                  StoredScales(plan, c.x2Scale)};
  // Beside words a scale of x1 changes nothing.
  if (kind != Scales::kWords) product.scale1 = StoredScales(plan, c.x1Scale);
  plan.launch(weight.before([product](const KernelMemory& memory) { product.run(memory); }));
}

}  // namespace

void transpose_quant_batch_matmul(const Check& check, Plan& plan, const Transposed& given) {
  transposed(check, plan, given, false);
}

void transpose_quant_batch_matmul_nz(const Check& check, Plan& plan, const Transposed& given) {
  transposed(check, plan, given, true);
}

}  // namespace pyaclnn::sim
