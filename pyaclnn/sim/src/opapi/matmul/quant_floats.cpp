// SPDX-License-Identifier: MIT
#include "opapi/matmul/quant_floats.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/checked.hpp"
#include "core/release.hpp"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/matmul/batches.hpp"
#include "opapi/matmul/scaled_blocks.hpp"
#include "opapi/product/packed_floats.hpp"
#include "opapi/product/tiled_product.hpp"
#include "opapi/quant/rows.hpp"
#include "opapi/quant/stored_scales.hpp"

namespace pyaclnn::sim {
namespace {

using Floats = std::vector<float>;
using Size = Checked<std::int64_t>;

constexpr std::size_t kMostRank = 6, kScaleRank = 3;
const DtypeSet kFloat8{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2}, kHalves{ACL_FLOAT16, ACL_BF16};

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

bool are(const DtypeSet& types, const QuantMatmulV5Parameters& c) {
  return types.contains(c.x1.dtype()) && types.contains(c.x2.dtype());
}

bool is_mx(const QuantMatmulV5Parameters& c) {
  return c.x1Scale.given() && c.x1Scale.dtype() == ACL_FLOAT8_E8M0 &&
         c.x2Scale.dtype() == ACL_FLOAT8_E8M0;
}

/// Whether scales are those of tiles: 128 of the depth by 128 columns of x2, and by 1 or 128 rows.
bool is_in_tiles(const QuantMatmulV5Parameters& c) {
  const auto holds = [](const TensorArgument& scale) {
    return scale.dtype() == ACL_FLOAT && scale.rank() > 1;
  };
  return c.x1Scale.given() && holds(c.x1Scale) && holds(c.x2Scale);
}

/// A weight of float4 beside x of float8, on its own terms.
bool is_mixed(const QuantMatmulV5Parameters& c) {
  return c.x1.dtype() == ACL_FLOAT8_E4M3FN && c.x2.dtype() == ACL_FLOAT4_E2M1;
}

/// Bytes, which have such scales here; without, they are multiplied in whole.
bool is_of_bytes(const QuantMatmulV5Parameters& c) { return are(DtypeSet{ACL_INT8}, c); }

/// 161001 where one of these is given, and not empty.
void refuse_given(const Plan& plan, std::initializer_list<const TensorArgument*> reserved) {
  for (const TensorArgument* tensor : reserved) {
    if (tensor->given() && !tensor->is_empty())
      fail(ACLNN_ERR_PARAM_NULLPTR, "%s: %s is not supported, it must be null", plan.api(),
           tensor->name());
  }
}

/// A matrix, or a batch of them, once a transposed view is taken for what it is.
TensorArgument matrices_of(Plan& plan, const TensorArgument& tensor) {
  return is_turned(tensor) ? exchanged_axes(plan, tensor, tensor.rank() - 2)
                           : same_view(plan, tensor);
}

/// The scales of blocks, whose first two axes are exchanged where they were after they were stored.
TensorArgument scales_of(Plan& plan, const TensorArgument& scales) {
  const Dims &shape = scales.shape(), &strides = scales.meta().strides;
  const bool turned = (shape[0] != 1 || shape[1] != 1) && strides[0] == shape[2] &&
                      Size(strides[1]) == Size(shape[2]) * Size(shape[0]);
  return turned ? exchanged_axes(plan, scales, 0) : same_view(plan, scales);
}

/// The shape of such matrices, and whether they are transposed.
struct Matrices {
  Dims shape;
  bool turned = false;

  std::int64_t lines() const { return shape.end()[-2]; }
  std::int64_t length() const { return shape.end()[-1]; }

  /// Where the matrix of a batch begins; axes of 1 stand still.
  std::int64_t first(const Batch& index) const {
    std::int64_t matrix = 0;
    for (std::size_t i = 0; i + 2 < shape.size(); ++i)
      matrix = matrix * shape[i] + (shape[i] == 1 ? 0 : index[index.size() + 2 - shape.size() + i]);
    return matrix * lines() * length();
  }
};

struct Product {
  Matrices a, b;
  Batch batch;

  std::int64_t rows() const { return a.turned ? a.length() : a.lines(); }
  std::int64_t depth() const { return a.turned ? a.lines() : a.length(); }
  std::int64_t depth_of_b() const { return b.turned ? b.length() : b.lines(); }
  std::int64_t columns() const { return b.turned ? b.lines() : b.length(); }
};

/// Blocks of 32 beside a bias of the result's type, or a scale for 32 of the depth in each column
/// beside a word for the column.
void check_mixed(const Check& check, const Plan& plan, const QuantMatmulV5Parameters& c,
                 const Product& product, bool in_blocks) {
  constexpr std::int64_t kStep = 8, kDepthBits = 0xFFFF;
  const std::int64_t rows = product.rows(), depth = product.depth(), columns = product.columns();
  const bool mx = is_mx(c);
  refuse_given(plan, {&c.x1Offset, &c.yOffset});
  if (c.x2Offset.given() && !in_blocks)
    fail(ACLNN_ERR_PARAM_NULLPTR, "%s: x2Offset must be null", plan.api());
  check.that(mx || (!c.x1Scale.given() && kHalves.contains(c.x2Scale.dtype())),
             "the scales must be float8_e8m0, or x2Scale alone, of 16 bits");
  check.that(!product.a.turned && product.b.turned == (mx || !in_blocks),
             "x1 is transposed, or x2 otherwise than scales ask for");
  const std::int64_t group = c.groupSize & kDepthBits, n = c.groupSize >> 16 & kDepthBits;
  check.that(group == kMxBlock && n < 2 && n == (c.groupSize >> 32 & kDepthBits),
             "groupSize is %lld, it must stand for 32 of the depth", ll(c.groupSize));
  check.dtype_in(kHalves, c.out);
  check.that(mx ? depth % kStep == 0 : depth % kMxBlock == 0 && depth > kMxBlock,
             "the depth is %lld, it must be a multiple of 8, or one of 32 and more", ll(depth));
  check.that(rows > 0 && (!in_blocks || columns % kStep == 0), "x1 has %lld rows, x2 %lld columns",
             ll(rows), ll(columns));
  for (const TensorArgument* tensor : {&c.x1, &c.x2, &c.out})
    check.that(tensor->rank() == 2, "%s has %zu dimensions, it must have 2", tensor->name(),
               tensor->rank());
  check.that(c.yScale.given() != mx && !(c.bias.given() && !mx),
             "yScale is needed without x1Scale, and bias beside it alone");
  if (!mx) {
    check.dtype_in(DtypeSet{ACL_UINT64, ACL_INT64}, c.yScale);
    check.shape_is(c.yScale, Dims{1, columns}, "the columns");
  }
  if (!c.bias.given()) return;
  check.same_dtype(c.out, c.bias);
  check.shape_is(c.bias, Dims{1, columns}, "the columns");
}

/// int8, whose scales are those of tiles.
void check_types_of_bytes(const Check& check, const QuantMatmulV5Parameters& c) {
  check.dtype_in(kHalves, c.out);
  const DtypeSet biases{ACL_INT32, ACL_FLOAT, c.out.dtype()};
  if (c.bias.given()) check.dtype_in(biases, c.bias);
  check.that(!on_950() || !c.x2Offset.given(), "x2Offset is not supported beside x1Scale");
}

/// What the kernels have of these.
void check_kernels_of_bytes(const Plan& plan, const QuantMatmulV5Parameters& c,
                            const Product& product, std::int64_t rows) {
  constexpr std::int64_t kDepth = 512, kColumns = 256;
  const bool has_types =
      c.out.dtype() == ACL_BF16 && (!c.bias.given() || c.bias.dtype() == ACL_FLOAT);
  if (on_950()) return check_tiling(plan, has_types && rows == 1, "no kernel takes this");
  const std::int64_t n = c.groupSize >> 16 & 0xFFFF;
  check_tiling(
      plan,
      has_types && c.bias.given() && c.bias.rank() == 1 && c.x1.rank() == 2 && c.x2.rank() == 2,
      "no kernel takes these types and dimensions");
  check_tiling(plan,
               !product.a.turned && product.b.turned && rows == 1 &&
                   product.depth() % kDepth == 0 && product.columns() % kColumns == 0,
               "x2 must be transposed, the depth a multiple of 512, and its columns of 256");
  check_tiling(plan, (c.groupSize & 0xFFFF) == kTile && n == kTile && (c.groupSize >> 32) != 0,
               "groupSize must stand for 1, 128 and 128");
}

void check_types(const Check& check, const QuantMatmulV5Parameters& c) {
  if (is_of_bytes(c)) return check_types_of_bytes(check, c);
  if (!c.x1Scale.given()) {
    check.that(!are(DtypeSet{ACL_FLOAT4_E2M1}, c), "float4 without x1Scale");
    check.dtype_in(DtypeSet{ACL_UINT64, ACL_INT64}, c.x2Scale);
  } else if (is_mx(c)) {
    check.that(!are(DtypeSet{ACL_HIFLOAT8}, c), "hifloat8 beside scales in float8_e8m0");
  } else {
    check.that(!are(DtypeSet{ACL_FLOAT4_E2M1}, c), "float4 without scales in float8_e8m0");
    check.dtype_in(DtypeSet{ACL_FLOAT}, c.x1Scale, c.x2Scale);
  }
  if (c.bias.given()) check.dtype_in(DtypeSet{ACL_FLOAT}, c.bias);
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16, ACL_FLOAT}, c.out);
  check.that(!c.x2Offset.given(), "x2Offset is not supported beside floats");
}

/// What weights in FRACTAL_NZ go with, beside float4 that is beside float8.
void check_blocks(const Check& check, const QuantMatmulV5Parameters& c, const Product& product) {
  if (is_mixed(c)) return;
  const bool halves = are(DtypeSet{ACL_FLOAT4_E2M1}, c);
  const bool words = !c.x1Scale.given() && is_packed_scale(c.x2Scale.dtype());
  check.that(halves || are(DtypeSet{ACL_HIFLOAT8}, c) || are(DtypeSet{ACL_FLOAT8_E4M3FN}, c),
             "x1 and x2 must be of one type that is not float8_e5m2 beside FRACTAL_NZ");
  check.that(is_mx(c) ? !are(DtypeSet{ACL_HIFLOAT8}, c) : words && !halves,
             "x2Scale must hold words beside FRACTAL_NZ, or both scales be float8_e8m0");
  check.that(!halves || !product.a.turned, "x1 of float4 is transposed");
}

void check_mx(const Check& check, const QuantMatmulV5Parameters& c, const Product& product,
              const TensorArgument& of_rows, const TensorArgument& of_columns) {
  const Dims &a = of_rows.shape(), &b = of_columns.shape();
  const bool down = product.a.turned, across = product.b.turned;
  const std::int64_t rows = product.rows(), depth = product.depth(), columns = product.columns();
  const std::int64_t pairs = mx_pairs(depth);
  check.that(a == (down ? Dims{pairs, rows, 2} : Dims{rows, pairs, 2}),
             "x1Scale has shape %s beside %lld rows and a depth of %lld", a.text().c_str(),
             ll(rows), ll(depth));
  check.that(b == (across ? Dims{columns, pairs, 2} : Dims{pairs, columns, 2}),
             "x2Scale has shape %s beside %lld columns and a depth of %lld", b.text().c_str(),
             ll(columns), ll(depth));
  const std::int64_t m = group_of(check, c.groupSize, 32, rows, rows);
  const std::int64_t k = group_of(check, c.groupSize, 0, depth, pairs * 2);
  const std::int64_t n = group_of(check, c.groupSize, 16, columns, columns);
  check.that(m == 1 && n == 1 && k == kMxBlock,
             "groupSize stands for %lld, %lld and %lld, it must for 1, 1 and 32", ll(m), ll(n),
             ll(k));
  if (!are(DtypeSet{ACL_FLOAT4_E2M1}, c)) return;
  check.that(product.a.length() % 2 == 0 && product.b.length() % 2 == 0,
             "the last axes of x1 and x2 have %lld and %lld elements, they must be even",
             ll(product.a.length()), ll(product.b.length()));
  check.that(depth > 2, "the depth is %lld, it must be more than 2", ll(depth));
}

/// Scales that lie as what they are of; returns how many rows have one.
std::int64_t check_tiles(const Check& check, const QuantMatmulV5Parameters& c,
                         const Product& product, const TensorArgument& of_rows,
                         const TensorArgument& of_columns) {
  check.that(!c.bias.given() || is_of_bytes(c), "bias is not supported beside scales of tiles");
  const std::int64_t rows = product.rows(), depth = product.depth(), columns = product.columns();
  const Matrices across{of_rows.shape(), product.a.turned};
  const Matrices down{of_columns.shape(), product.b.turned};
  const auto of_axis = [&](int bits, std::int64_t extent, const Matrices& scales, bool lines) {
    return group_of(check, c.groupSize, bits, extent,
                    lines != scales.turned ? scales.lines() : scales.length());
  };
  const std::int64_t m = of_axis(32, rows, across, true), k = of_axis(0, depth, across, false);
  const std::int64_t n = of_axis(16, columns, down, false);
  check.that(!on_950() || (k == kTile && n == kTile && (m == kTile || m == 1)),
             "groupSize stands for %lld, %lld and %lld, it must for 1 or 128, 128 and 128", ll(m),
             ll(n), ll(k));
  const auto expected = [](const Matrices& of, std::int64_t lines, std::int64_t length) {
    Dims shape = of.shape;
    shape.set(shape.size() - 2, pieces(of.lines(), lines));
    shape.set(shape.size() - 1, pieces(of.length(), length));
    return shape;
  };
  const bool turned = product.a.turned;
  check.shape_is(of_rows, expected(product.a, turned ? kTile : m, turned ? m : kTile), "x1");
  check.shape_is(of_columns, expected(product.b, kTile, kTile), "x2");
  return m;
}

/// Scales of all, or of each row of x1 and column of x2.
void check_rows(const Check& check, const QuantMatmulV5Parameters& c, const Product& product) {
  check.that(c.groupSize == 0, "groupSize is %lld, it must be 0", ll(c.groupSize));
  const std::int64_t rows = product.rows(), columns = product.columns();
  const auto holds = [](const TensorArgument& scale, std::int64_t count) {
    return scale.rank() == 1 && (scale.elements() == 1 || scale.elements() == count);
  };
  for (const auto& [scale, count] : {std::pair{&c.x1Scale, rows}, std::pair{&c.x2Scale, columns}}) {
    if (!scale->given()) continue;
    check.that(holds(*scale, count), "%s has shape %s, it must be 1 or %lld", scale->name(),
               scale->shape().text().c_str(), ll(count));
  }
  const bool one_of_many = c.x1Scale.given() && c.x1Scale.elements() == 1 && rows != 1;
  check.that(!c.bias.given() || !one_of_many || c.x2Scale.elements() != columns || columns == 1,
             "bias is not supported beside one scale for x1 and one for each column");
}

void check_result(const Check& check, const QuantMatmulV5Parameters& c, const Product& product) {
  if (!is_mixed(c)) check_bias_shape(check, c.bias, product.batch, product.columns());
  check_product_shape(check, c.out, product.batch, product.rows(), product.columns());
  check_not_in_nz(check, {&c.x1, &c.x1Scale, &c.x2Scale, &c.yScale, &c.bias});
  check.that(!c.x1.is_empty() && !c.x2.is_empty(), "x1 or x2 is empty");
}

/// Scales or a bias, which may be absent.
StoredScales stored(Plan& plan, const TensorArgument& tensor) {
  return tensor.given() ? StoredScales(plan, tensor) : StoredScales();
}

/// Multiplies sums with the scales of rows and columns, in front of the bias or behind it.
void finish(Floats& sums, const float* bias, const Floats& of_rows, const Floats& of_columns,
            std::int64_t columns, bool bias_last) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::size_t row = i / at(columns), column = i % at(columns);
    if (bias != nullptr && !bias_last) sums[i] += bias[column];
    if (!of_columns.empty()) sums[i] *= of_columns[of_columns.size() == 1 ? 0 : column];
    if (!of_rows.empty()) sums[i] *= of_rows[of_rows.size() == 1 ? 0 : row];
    if (bias != nullptr && bias_last) sums[i] += bias[column];
  }
}

/// Restores a weight of float4 as the kernel does: its products with their scales are rounded to
/// the scales' type, and to float8_e4m3, which has no number beyond 464.
void restore(Floats& weight, const Floats& scales, aclDataType dtype, const Matrices& b) {
  constexpr float kMost = 464.0f;
  const NarrowFormat& format = *NarrowFormat::of(ACL_FLOAT8_E4M3FN);
  const std::int64_t length = b.length(), parts = pieces(length, kMxBlock);
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const std::int64_t line = std::int64_t(i) / length, place = std::int64_t(i) % length;
    weight[i] *=
        scales[at(b.turned ? line * parts + place / kMxBlock : line / kMxBlock * length + place)];
  }
  round_as_stored(weight.data(), std::int64_t(weight.size()), dtype);
  for (float& value : weight)
    value = std::fabs(value) <= kMost ? format.value(format.code(value, Round::kRint)) : NAN;
}

/// `group` rows of x1 have a scale for each tile of the depth; 0 where there are no tiles.
void launch(Plan& plan, const QuantMatmulV5Parameters& c, const Product& product, const QuantIn& x1,
            const QuantIn& x2, const PlainOperand& plain, const TensorArgument& x1_scale,
            const TensorArgument& x2_scale, std::int64_t group, BiasPlace place) {
  const bool restored = is_mixed(c) && !is_mx(c);
  const StoredScales row_scales = stored(plan, x1_scale);
  const StoredScales column_scales = stored(plan, restored ? c.yScale : x2_scale);
  const StoredScales weight_scales = restored ? stored(plan, x2_scale) : StoredScales();
  const StoredScales bias = stored(plan, c.bias);
  const RowMajor out(plan.writes(c.out));
  Matrices rows_of_tiles, columns_of_tiles;
  if (group > 0) rows_of_tiles.shape = x1_scale.shape(), columns_of_tiles.shape = x2_scale.shape();
  const bool bias_last =
      place == BiasPlace::kByRelease && c.x1Scale.given() && behaves(Behaviour::kAddsBiasLast);
  plan.launch(plain.before([=, rows = product.rows(), columns = product.columns(),
                            depth = product.depth(), mx = is_mx(c),
                            halves = c.x2Scale.dtype()](const KernelMemory& memory) {
    const Matrices &a = product.a, &b = product.b;
    const Floats of_rows = row_scales.values(memory), of_columns = column_scales.values(memory);
    const Floats biases = bias.values(memory), factors = weight_scales.values(memory), none;
    for_each_matrix(product.batch, [&](std::int64_t matrix, const Batch& index) {
      Floats left = x1.values(memory, a.first(index), rows * depth);
      Floats right = x2.values(memory, b.first(index), depth * columns);
      const std::int64_t own = std::int64_t(biases.size()) > columns ? matrix * columns : 0;
      const float* const added = biases.empty() ? nullptr : biases.data() + own;
      if (group > 0) {
        const TiledProduct tiles{rows, depth, columns, group, a.turned, b.turned};
        Floats sums =
            tiles.of(left.data(), right.data(), of_rows.data() + rows_of_tiles.first(index),
                     of_columns.data() + columns_of_tiles.first(index));
        finish(sums, added, none, none, columns, true);
        RowMajorAccess(out, memory).write(matrix * rows * columns, rows * columns, sums.data());
        return;
      }
      if (!factors.empty()) restore(right, factors, halves, b);
      if (mx) {
        scale_blocks(left.data(), of_rows.data(), a.lines(), a.length(), a.turned);
        scale_blocks(right.data(), of_columns.data(), b.lines(), b.length(), !b.turned);
      }
      Floats sums =
          packed_product({left.data(), a.turned}, {right.data(), b.turned}, rows, depth, columns);
      finish(sums, added, mx ? none : of_rows, mx ? none : of_columns, columns, bias_last);
      RowMajorAccess(out, memory).write(matrix * rows * columns, rows * columns, sums.data());
    });
  }));
}

}  // namespace

bool multiplies_floats(const QuantMatmulV5Parameters& c) {
  if (is_of_bytes(c)) return is_in_tiles(c) && (on_950() || on_a2_or_a3());
  return on_950() && (are(kFloat8, c) || are(DtypeSet{ACL_HIFLOAT8}, c) ||
                      are(DtypeSet{ACL_FLOAT4_E2M1}, c) || is_mixed(c));
}

void quant_matmul_floats(const Check& check, Plan& plan, const QuantMatmulV5Parameters& c,
                         bool in_blocks, BiasPlace place) {
  const bool mixed = is_mixed(c), mx = is_mx(c), tiles = is_in_tiles(c);
  if (!mixed && !in_blocks) refuse_given(plan, {&c.yScale, &c.x1Offset, &c.yOffset});
  for (const TensorArgument* tensor : {&c.x1, &c.x2, &c.out})
    check.that(tensor->rank() >= 2 && tensor->rank() <= kMostRank,
               "%s has %zu dimensions, it must have 2 to 6", tensor->name(), tensor->rank());
  const TensorArgument left = matrices_of(plan, c.x1), right = matrices_of(plan, c.x2);
  Product product{{left.shape(), c.transposeX1 != is_turned(c.x1)},
                  {right.shape(), c.transposeX2 != is_turned(c.x2)},
                  {}};
  if (on_950() && !mixed && (product.rows() == 0 || (product.columns() == 0 && !in_blocks))) return;
  mixed ? check_mixed(check, plan, c, product, in_blocks) : check_types(check, c);
  if (in_blocks) check_blocks(check, c, product);
  for (const auto& [scale, of] : {std::pair{&c.x1Scale, &c.x1}, std::pair{&c.x2Scale, &c.x2}}) {
    if (!scale->given()) continue;
    const std::size_t rank = mx ? kScaleRank : tiles || mixed ? of->rank() : 1;
    check.that(scale->rank() == rank, "%s has %zu dimensions, it must have %zu", scale->name(),
               scale->rank(), rank);
  }
  check.that(product.depth() == product.depth_of_b(), "the depth of x1 is %lld, that of x2 %lld",
             ll(product.depth()), ll(product.depth_of_b()));
  const auto blocks_of = [&](const TensorArgument& scale) {
    if (!scale.given()) return TensorArgument(Absent());
    if (mx) return scales_of(plan, scale);
    return tiles || mixed ? matrices_of(plan, scale) : same_view(plan, scale);
  };
  const TensorArgument blocks1 = blocks_of(c.x1Scale), blocks2 = blocks_of(c.x2Scale);
  std::int64_t group = 0;
  if (mx) {
    check_mx(check, c, product, blocks1, blocks2);
  } else if (mixed) {
    const std::int64_t parts = pieces(product.depth(), kMxBlock), columns = product.columns();
    check.shape_is(blocks2, product.b.turned ? Dims{columns, parts} : Dims{parts, columns}, "x2");
  } else if (tiles) {
    group = check_tiles(check, c, product, blocks1, blocks2);
  } else {
    check_rows(check, c, product);
  }
  product.batch = batch_of(check, left.shape(), right.shape());
  check_result(check, c, product);
  if (is_of_bytes(c)) check_kernels_of_bytes(plan, c, product, group);
  if (mixed && !mx) needs_kernel(plan, c.x2Scale.dtype() == c.out.dtype());
  const PlainOperand plain = in_blocks ? PlainOperand(plan, c.x2, true) : PlainOperand();
  View matrix = plain.view();
  const std::size_t rank = c.x2.rank();
  if (in_blocks && is_turned(c.x2)) matrix = exchanged(matrix, rank - 2, rank - 1);
  launch(plan, c, product, QuantIn(plan, left, false),
         in_blocks ? QuantIn(plan, matrix) : QuantIn(plan, right, false), plain, blocks1, blocks2,
         group, place);
}

}  // namespace pyaclnn::sim
