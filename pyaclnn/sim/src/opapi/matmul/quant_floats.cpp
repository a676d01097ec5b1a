// SPDX-License-Identifier: MIT
#include "opapi/matmul/quant_floats.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "core/checked.hpp"
#include "core/release.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/matmul/batches.hpp"
#include "opapi/matmul/packed_floats.hpp"
#include "opapi/matmul/scaled_blocks.hpp"
#include "opapi/matmul/tiled_product.hpp"
#include "opapi/moe/stored_scales.hpp"
#include "opapi/quant/rows.hpp"

namespace pyaclnn::sim {
namespace {

using Floats = std::vector<float>;
using Size = Checked<std::int64_t>;

constexpr std::size_t kMostRank = 6, kScaleRank = 3;
const DtypeSet kFloat8{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2};

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

/// A transposed weight, a bias of the result's type, and blocks of 32.
void check_mixed(const Check& check, const QuantMatmulV5Parameters& c, const Product& product) {
  constexpr std::int64_t kStep = 8, kDepthBits = 0xFFFF;
  check.that(is_mx(c), "x1Scale and x2Scale must be float8_e8m0 beside float4 and float8");
  check.that(!product.a.turned && product.b.turned, "x2 must be transposed, and x1 not");
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, c.out);
  check.that(!c.x2Offset.given(), "x2Offset is not supported beside floats");
  check.that((c.groupSize & kDepthBits) == kMxBlock,
             "groupSize stands for %lld of the depth, not 32", ll(c.groupSize & kDepthBits));
  check.that(product.depth() % kStep == 0, "the depth is %lld, no multiple of 8",
             ll(product.depth()));
  for (const TensorArgument* tensor : {&c.x1, &c.x2, &c.out})
    check.that(tensor->rank() == 2, "%s has %zu dimensions, it must have 2", tensor->name(),
               tensor->rank());
  if (!c.bias.given()) return;
  check.same_dtype(c.out, c.bias);
  check.shape_is(c.bias, Dims{1, product.columns()}, "the columns");
}

void check_types(const Check& check, const QuantMatmulV5Parameters& c) {
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
  check.that(!c.bias.given(), "bias is not supported beside scales of tiles");
  const std::int64_t rows = product.rows(), depth = product.depth(), columns = product.columns();
  const Matrices across{of_rows.shape(), product.a.turned};
  const Matrices down{of_columns.shape(), product.b.turned};
  const auto of_axis = [&](int bits, std::int64_t extent, const Matrices& scales, bool lines) {
    return group_of(check, c.groupSize, bits, extent,
                    lines != scales.turned ? scales.lines() : scales.length());
  };
  const std::int64_t m = of_axis(32, rows, across, true), k = of_axis(0, depth, across, false);
  const std::int64_t n = of_axis(16, columns, down, false);
  check.that(k == kTile && n == kTile && (m == kTile || m == 1),
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
  for (const TensorArgument* tensor : {&c.x1, &c.x1Scale, &c.x2Scale, &c.bias})
    check.that(!tensor->given() || !is_nz(tensor->meta().format), "%s is in FRACTAL_NZ",
               tensor->name());
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

/// `group` rows of x1 have a scale for each tile of the depth; 0 where there are no tiles.
void launch(Plan& plan, const QuantMatmulV5Parameters& c, const Product& product, const QuantIn& x1,
            const QuantIn& x2, const PlainOperand& plain, const TensorArgument& x1_scale,
            const TensorArgument& x2_scale, std::int64_t group) {
  const StoredScales row_scales = stored(plan, x1_scale), column_scales = stored(plan, x2_scale);
  const StoredScales bias = stored(plan, c.bias);
  const RowMajor out(plan.writes(c.out));
  Matrices rows_of_tiles, columns_of_tiles;
  if (group > 0) rows_of_tiles.shape = x1_scale.shape(), columns_of_tiles.shape = x2_scale.shape();
  const bool bias_last = c.x1Scale.given() && behaves(Behaviour::kAddsBiasLast);
  plan.launch(plain.before([=, rows = product.rows(), columns = product.columns(),
                            depth = product.depth(), mx = is_mx(c)](const KernelMemory& memory) {
    const Matrices &a = product.a, &b = product.b;
    const Floats of_rows = row_scales.values(memory), of_columns = column_scales.values(memory);
    const Floats biases = bias.values(memory), none;
    for_each_matrix(product.batch, [&](std::int64_t matrix, const Batch& index) {
      Floats left = x1.values(memory, a.first(index), rows * depth);
      Floats right = x2.values(memory, b.first(index), depth * columns);
      if (group > 0) {
        const TiledProduct tiles{rows, depth, columns, group, a.turned, b.turned};
        const Floats sums =
            tiles.of(left.data(), right.data(), of_rows.data() + rows_of_tiles.first(index),
                     of_columns.data() + columns_of_tiles.first(index));
        RowMajorAccess(out, memory).write(matrix * rows * columns, rows * columns, sums.data());
        return;
      }
      if (mx) {
        scale_blocks(left.data(), of_rows.data(), a.lines(), a.length(), a.turned);
        scale_blocks(right.data(), of_columns.data(), b.lines(), b.length(), !b.turned);
      }
      Floats sums =
          packed_product({left.data(), a.turned}, {right.data(), b.turned}, rows, depth, columns);
      const std::int64_t own = std::int64_t(biases.size()) > columns ? matrix * columns : 0;
      finish(sums, biases.empty() ? nullptr : biases.data() + own, mx ? none : of_rows,
             mx ? none : of_columns, columns, bias_last);
      RowMajorAccess(out, memory).write(matrix * rows * columns, rows * columns, sums.data());
    });
  }));
}

}  // namespace

bool multiplies_small_floats(const QuantMatmulV5Parameters& c) {
  return are(kFloat8, c) || are(DtypeSet{ACL_HIFLOAT8}, c) || are(DtypeSet{ACL_FLOAT4_E2M1}, c) ||
         is_mixed(c);
}

void quant_matmul_floats(const Check& check, Plan& plan, const QuantMatmulV5Parameters& c) {
  for (const TensorArgument* tensor : {&c.x1, &c.x2, &c.out})
    check.that(tensor->rank() >= 2 && tensor->rank() <= kMostRank,
               "%s has %zu dimensions, it must have 2 to 6", tensor->name(), tensor->rank());
  const TensorArgument left = matrices_of(plan, c.x1), right = matrices_of(plan, c.x2);
  Product product{{left.shape(), c.transposeX1 != is_turned(c.x1)},
                  {right.shape(), c.transposeX2 != is_turned(c.x2)},
                  {}};
  if (product.rows() == 0 || product.columns() == 0) return;
  const bool mx = is_mx(c);
  const bool tiles = is_in_tiles(c);
  if (is_mixed(c) && !c.x1Scale.given())
    fail_not_simulated(plan, "float4 beside float8 with scales of groups and columns");
  is_mixed(c) ? check_mixed(check, c, product) : check_types(check, c);
  for (const auto& [scale, of] : {std::pair{&c.x1Scale, &c.x1}, std::pair{&c.x2Scale, &c.x2}}) {
    if (!scale->given()) continue;
    const std::size_t rank = mx ? kScaleRank : tiles ? of->rank() : 1;
    check.that(scale->rank() == rank, "%s has %zu dimensions, it must have %zu", scale->name(),
               scale->rank(), rank);
  }
  check.that(product.depth() == product.depth_of_b(), "the depth of x1 is %lld, that of x2 %lld",
             ll(product.depth()), ll(product.depth_of_b()));
  const auto blocks_of = [&](const TensorArgument& scale) {
    if (!scale.given()) return TensorArgument(Absent());
    return mx ? scales_of(plan, scale) : tiles ? matrices_of(plan, scale) : same_view(plan, scale);
  };
  const TensorArgument blocks1 = blocks_of(c.x1Scale), blocks2 = blocks_of(c.x2Scale);
  std::int64_t group = 0;
  if (mx) {
    check_mx(check, c, product, blocks1, blocks2);
  } else if (tiles) {
    group = check_tiles(check, c, product, blocks1, blocks2);
  } else {
    check_rows(check, c, product);
  }
  product.batch = batch_of(check, left.shape(), right.shape());
  check_result(check, c, product);
  const bool in_blocks = is_nz(c.x2.meta().format);
  const PlainOperand plain = in_blocks ? PlainOperand(plan, c.x2) : PlainOperand();
  View matrix = plain.view();
  if (in_blocks && is_turned(c.x2)) matrix = exchanged(matrix, 0, 1);
  launch(plan, c, product, QuantIn(plan, left, false),
         in_blocks ? QuantIn(plan, matrix) : QuantIn(plan, right, false), plain, blocks1, blocks2,
         group);
}

}  // namespace pyaclnn::sim
