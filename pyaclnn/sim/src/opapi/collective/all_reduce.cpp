// Products whose sum over all ranks every rank gets, and what may follow: an addition, and a
// normalisation of its rows.
// SPDX-License-Identifier: MIT
#include <cmath>

#include "objects/dtype.hpp"
#include "objects/formats.hpp"
#include "opapi/collective/product.hpp"
#include "opapi/collective/quantised_sum.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/matmul/scaled_blocks.hpp"
#include "opapi/matmul/weight_quant.hpp"
#include "opapi/norm/rms_norm_forward.hpp"
#include "opapi/product/tiled_product.hpp"
#include "opapi/quant/stored_scales.hpp"
#include "parameters/MatmulAllReduceAddRmsNorm.hpp"
#include "parameters/MatmulAllReduceV3.hpp"
#include "parameters/QuantMatmulAllReduceAddRmsNorm.hpp"
#include "parameters/QuantMatmulAllReduceV5.hpp"
#include "parameters/WeightQuantMatmulAllReduceAddRmsNorm.hpp"
#include "parameters/WeightQuantMatmulAllReduceV2.hpp"

namespace pyaclnn::sim {
namespace {

constexpr DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};
constexpr DtypeSet kFloat8{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2};
constexpr DtypeSet kSmallFloats{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, ACL_HIFLOAT8, ACL_FLOAT4_E2M1};
constexpr DtypeSet kFloatWeights{ACL_FLOAT8_E4M3FN, ACL_HIFLOAT8};
constexpr std::int64_t kGroupStep = 32, kLongestAxis = 65535;

DtypeSet halves() { return on_310p() ? DtypeSet{ACL_FLOAT16} : kHalves; }

bool given(const TensorArgument& tensor) { return tensor.given(); }

std::int64_t rows_of(const TensorArgument& tensor) {
  return tensor.shape().product(0, std::max<std::size_t>(tensor.rank(), 1) - 1);
}

/// The tensors of a sum of products, of any kind.
struct Sum {
  const TensorArgument &x1, &x2, &bias, &x3, &output;
};

/// Whether x2 is what CANN takes for a weight in blocks: its storage must have four axes.
bool lies_in_blocks(const TensorArgument& x2) {
  constexpr std::size_t kAxes = 4;
  const TensorMeta& meta = x2.meta();
  return meta.format == ACL_FORMAT_FRACTAL_NZ && meta.storage_shape.size() == kAxes;
}

/// Ranks and extents; these are left to the kernel beside a weight in blocks.
void check_shapes(const Check& check, const Sum& sum, bool empty_allowed) {
  check.that(sum.x2.rank() == 2, "x2 has %zu dimensions, it must have 2", sum.x2.rank());
  check.that(sum.x1.rank() == 2 || sum.x1.rank() == 3, "x1 has %zu dimensions, it must have 2 or 3",
             sum.x1.rank());
  if (lies_in_blocks(sum.x2)) return;
  const Dims& left = sum.x1.shape();
  const Dims& right = sum.x2.shape();
  check.that(left.back() == right[0], "x1 of shape %s and x2 of shape %s: the depths differ",
             left.text().c_str(), right.text().c_str());
  Dims wanted = left;
  wanted.set(left.size() - 1, right[1]);
  check.shape_is(sum.output, wanted, "the product");
  check.that(empty_allowed || !sum.output.is_empty(), "%s is empty", sum.output.name());
  if (given(sum.x3) && empty_allowed) check.same_shape(sum.output, sum.x3);
  if (given(sum.bias)) check.shape_is(sum.bias, Dims{right[1]}, "the columns of x2");
  if (given(sum.x3)) check.same_shape(sum.output, sum.x3);
}

/// What the kernel finds of extents beside a weight in blocks.
void check_beside_blocks(const Plan& plan, const Sum& sum) {
  if (!lies_in_blocks(sum.x2)) return;
  const Dims& left = sum.x1.shape();
  const Dims& right = sum.x2.shape();
  check_tiling(plan, left.back() == right[0] && left.back() != 0,
               "x1 of shape %s and x2 of shape %s: the depths differ, or are 0",
               left.text().c_str(), right.text().c_str());
  Dims wanted = left;
  wanted.set(left.size() - 1, right[1]);
  for (const TensorArgument* tensor : {&sum.output, &sum.x3}) {
    if (!given(*tensor)) continue;
    check_tiling(plan, tensor->shape() == wanted && !tensor->is_empty(),
                 "%s has shape %s, the product %s", tensor->name(), tensor->shape().text().c_str(),
                 wanted.text().c_str());
  }
  check_tiling(plan, !given(sum.bias) || sum.bias.shape() == Dims{right[1]},
               "bias has not a value a column");
}

Ranks ranks_for_all_reduce(Plan& plan, const Text& group, std::int64_t turns) {
  check_kernel_exists(plan, chip().soc == Soc::kAscend910B || on_950());
  const Ranks ranks = on_950() ? ranks_of(plan, group, {1, 2, 4, 8, 16, 32, 64})
                               : ranks_of(plan, group, {1, 2, 4, 8});
  check_one_turn(plan, turns);
  return ranks;
}

/// Plans output = the sum over all ranks of what `multiply` gives, and of x3 where there is one;
/// `add_up` plans the sum of what all have.
template <class Multiply, class AddUp>
void sum_products(Plan& plan, const Sum& sum, Multiply multiply, AddUp add_up) {
  const bool direct = sum.output.meta().is_contiguous();
  const Dims whole = sum.output.shape();
  if (direct) plan.writes(sum.output);
  const TensorArgument own = direct ? plan.described(sum.output, whole, contiguous_strides(whole),
                                                     sum.output.meta().offset)
                                    : plan.scratch("product", sum.output.dtype(), whole);
  multiply(as_rows(plan, sum.x1), reshaped(plan, own, Dims{rows_of(own), whole.back()}));
  if (given(sum.x3)) add_to(plan, sum.x3, own);
  add_up(own);
}

template <class Multiply>
void sum_products(Plan& plan, const Ranks& ranks, const Sum& sum, Multiply multiply) {
  sum_products(plan, sum, multiply,
               [&](const TensorArgument& own) { all_reduce(plan, ranks, own, sum.output); });
}

/// `is_newest` from the fourth version on, which has small floats, and leaves to the search for a
/// kernel what goes together.
void check_quant_types(const Check& check, const QuantMatmulAllReduceV5Parameters& g,
                       bool is_newest) {
  const DtypeSet whole{ACL_INT8}, row_scales{ACL_FLOAT}, powers{ACL_FLOAT8_E8M0};
  const DtypeSet column_scales{ACL_UINT64, ACL_INT64, ACL_BF16, ACL_FLOAT};
  check.dtype_in(is_newest ? whole | kSmallFloats : whole, g.x1, g.x2);
  check.dtype_in(is_newest ? column_scales | powers : column_scales, g.x2Scale);
  const bool small = kSmallFloats.contains(g.x1.dtype());
  const DtypeSet results = small ? kHalves | DtypeSet{ACL_FLOAT} : kHalves;
  check.dtype_in(results, g.output);
  if (given(g.biasOptional))
    check.dtype_in(is_newest ? DtypeSet{ACL_INT32, ACL_FLOAT} : DtypeSet{ACL_INT32},
                   g.biasOptional);
  if (given(g.x3Optional)) {
    check.dtype_in(results, g.x3Optional);
    check.same_dtype(g.x3Optional, g.output);
  }
  if (!small && (g.output.dtype() == ACL_BF16 || g.x2Scale.dtype() == ACL_BF16))
    check.same_dtype(g.x2Scale, g.output);
  if (given(g.x1ScaleOptional)) {
    check.dtype_in(is_newest ? row_scales | powers : row_scales, g.x1ScaleOptional);
    if (g.output.dtype() == ACL_FLOAT16 && !is_newest)
      check.same_dtype(g.x2Scale, g.x1ScaleOptional);
  }
}

/// Whether a kernel has these types; A2 has those of int8 alone.
bool has_quant_kernel(const QuantMatmulAllReduceV5Parameters& g) {
  const aclDataType scale = g.x2Scale.dtype();
  const auto are = [&](const DtypeSet& types) {
    return types.contains(g.x1.dtype()) && types.contains(g.x2.dtype());
  };
  const auto is = [](const TensorArgument& tensor, aclDataType type) {
    return !given(tensor) || tensor.dtype() == type;
  };
  const bool mx = scale == ACL_FLOAT8_E8M0;
  if (are(DtypeSet{ACL_INT8}))
    return !mx && is(g.biasOptional, ACL_INT32) && is(g.x1ScaleOptional, ACL_FLOAT);
  return on_950() && is(g.biasOptional, ACL_FLOAT) && scale != ACL_BF16 &&
         is(g.x1ScaleOptional, mx ? ACL_FLOAT8_E8M0 : ACL_FLOAT) &&
         (are(kFloat8) || are(DtypeSet{mx ? ACL_FLOAT4_E2M1 : ACL_HIFLOAT8}));
}

/// What the kernel's tiling finds of the scales beside a result of float16.
void check_scales_of_float16(const Plan& plan, const QuantMatmulAllReduceV5Parameters& g) {
  if (g.output.dtype() != ACL_FLOAT16) return;
  const bool by_row = given(g.x1ScaleOptional);
  check_tiling(plan, by_row ? g.x2Scale.dtype() == ACL_FLOAT : is_packed_scale(g.x2Scale.dtype()),
               "%s is %s, it must be %s scale for rows", g.x2Scale.name(),
               dtype_name(g.x2Scale.dtype()),
               by_row ? "float32 beside a" : "uint64 or int64 without a");
}

/// One value, or one for each column, which may be a row.
bool is_row_of_columns(const Dims& shape, std::int64_t columns) {
  if (shape.size() == 1) return shape[0] == 1 || shape[0] == columns;
  return shape.size() == 2 && shape[0] == 1 && shape[1] == columns;
}

void check_quant_scales(const Check& check, const QuantMatmulAllReduceV5Parameters& g) {
  const std::int64_t columns = g.x2.shape()[1];
  check.that(is_row_of_columns(g.x2Scale.shape(), columns), "%s has shape %s beside %lld columns",
             g.x2Scale.name(), g.x2Scale.shape().text().c_str(), static_cast<long long>(columns));
  if (given(g.x1ScaleOptional))
    check.shape_is(g.x1ScaleOptional, Dims{rows_of(g.x1)}, "the rows of x1");
}

/// Scales of an exchange in int8: both, or none.
void check_exchange_types(const Check& check, const QuantMatmulAllReduceV5Parameters& g) {
  if (!given(g.commQuantScale1Optional) || !given(g.commQuantScale2Optional)) return;
  check.dtype_in(kHalves, g.commQuantScale1Optional, g.commQuantScale2Optional);
  check.same_dtype(g.output, g.commQuantScale1Optional, g.commQuantScale2Optional);
}

void check_exchange_scales(const Check& check, const QuantMatmulAllReduceV5Parameters& g) {
  const TensorArgument &first = g.commQuantScale1Optional, &second = g.commQuantScale2Optional;
  check.that(given(first) == given(second),
             "commQuantScale1Optional and commQuantScale2Optional go together");
  if (!given(first)) return;
  const std::int64_t columns = g.x2.shape()[1];
  for (const TensorArgument* scale : {&first, &second})
    check.that(is_row_of_columns(scale->shape(), columns) && scale->elements() == columns,
               "%s has shape %s beside %lld columns", scale->name(), scale->shape().text().c_str(),
               static_cast<long long>(columns));
  check.that(first.rank() == second.rank(), "%s and %s have different shapes", first.name(),
             second.name());
}

/// What the 950 asks of all operands.
void check_quant_950(const Plan& plan, const QuantMatmulAllReduceV5Parameters& g) {
  check_tiling(plan, !kPrivateFormats.contains(g.x2.meta().format), "x2 must be ND");
  const Dims& right = g.x2.shape();
  const std::int64_t depth = g.x1.shape().back();
  const std::int64_t last = is_transposed(g.x2) ? right[0] : right[1];
  check_tiling(plan, depth > 0 && depth <= kLongestAxis && last <= kLongestAxis,
               "x1 has a depth of %lld, and the last axis of x2 %lld elements", ll(depth),
               ll(last));
}

/// Whether scales are those of tiles of 128 by 128.
bool is_in_tiles(const QuantMatmulAllReduceV5Parameters& g) {
  const TensorArgument& rows = g.x1ScaleOptional;
  return g.x2Scale.dtype() == ACL_FLOAT && g.x2Scale.rank() == 2 && given(rows) &&
         (rows.rank() == 2 || rows.rank() == 3);
}

/// What ranks send as floats of 8 bits.
void check_tiled_exchange(const Plan& plan, const Ranks& ranks, const Sum& sum, bool by_row) {
  constexpr std::int64_t kParts = 16, kMost = 256 << 20;
  check_tiling(plan, kFloat8.contains(sum.x1.dtype()) && by_row,
               "commQuantMode is 1, x1 %s, it must be float8 with a scale a row",
               dtype_name(sum.x1.dtype()));
  const std::int64_t columns = sum.output.shape().back();
  check_tiling(
      plan, !on_late_950() || pieces(rows_of(sum.output), kParts) * columns <= kMost / ranks.count,
      "a sixteenth of output, %lld columns wide, does not fit 256 MiB for %d ranks", ll(columns),
      ranks.count);
}

/// The sum of products of floats of 8 and 4 bits, which the 950 has.
void sum_floats(Plan& plan, const Ranks& ranks, const Sum& sum,
                const QuantMatmulAllReduceV5Parameters& g) {
  const Check tiling = kernel_tiling(plan);
  const bool mx = g.x2Scale.dtype() == ACL_FLOAT8_E8M0, tiles = is_in_tiles(g);
  const bool by_row = g.x2Scale.dtype() == ACL_FLOAT && !tiles;
  check_tiling(plan, !given(g.commQuantScale1Optional) && !given(g.commQuantScale2Optional),
               "commQuantScale1Optional and commQuantScale2Optional are of int8");
  if (mx || tiles) {
    const std::int64_t depth = g.x1.shape().back();
    check_tiling(plan, given(g.x1ScaleOptional), "x1ScaleOptional is null beside float8_e8m0");
    check_tiling(plan, g.x1.dtype() != ACL_FLOAT4_E2M1 || pieces(depth, kMxBlock) % 2 == 0,
                 "the depth of float4 is %lld", ll(depth));
    check_grouped_scales(plan, g.x1, g.x2, g.x1ScaleOptional, g.biasOptional, g.groupSize, mx);
  } else {
    check_tiling(plan, g.groupSize == 0,
                 "groupSize is %lld, it must be 0 beside scales of one dimension", ll(g.groupSize));
    check_tiling(plan, by_row == given(g.x1ScaleOptional),
                 "x2Scale must be float32 beside x1ScaleOptional, and else uint64 or int64");
    check_quant_scales(tiling, g);
  }
  const TensorArgument of_rows =
      given(g.x1ScaleOptional) ? without_gaps(plan, g.x1ScaleOptional) : TensorArgument(Absent());
  const auto multiply = [&](const TensorArgument& x1, const TensorArgument& out) {
    // Rows of a batch have scales of their own, or share them.
    if (mx || tiles) {
      const TensorArgument scales =
          is_transposed(g.x2) ? same_view(plan, g.x2Scale) : without_gaps(plan, g.x2Scale);
      return float_product(tiling, plan, reshaped(plan, x1, g.x1.shape()), g.x2, of_rows, scales,
                           g.biasOptional, g.groupSize, reshaped(plan, out, g.output.shape()));
    }
    const TensorArgument scales =
        reshaped(plan, without_gaps(plan, g.x2Scale), Dims{g.x2Scale.elements()});
    float_product(tiling, plan, x1, g.x2, of_rows, scales, g.biasOptional, 0, out);
  };
  if (g.commQuantMode != 1) return sum_products(plan, ranks, sum, multiply);
  check_tiled_exchange(plan, ranks, sum, by_row);
  const TensorArgument own = plan.scratch("product", ACL_FLOAT, g.output.shape());
  multiply(as_rows(plan, g.x1), reshaped(plan, own, Dims{rows_of(own), own.shape().back()}));
  if (given(g.x3Optional)) add_to(plan, g.x3Optional, own);
  tiled_all_reduce(plan, ranks, own, g.x1.dtype(), g.output);
}

void check_weight_types(const Check& check, const WeightQuantMatmulAllReduceV2Parameters& g) {
  check.dtype_in(halves(), g.x1);
  const DtypeSet whole{ACL_INT8, ACL_INT4};
  check.dtype_in(on_950() ? whole | kFloatWeights : whole, g.x2);
  check.dtype_in(halves(), g.antiquantScale, g.output);
  check.same_dtype(g.x1, g.antiquantScale, g.output);
  for (const TensorArgument* tensor : {&g.bias, &g.antiquantOffset, &g.x3}) {
    if (!given(*tensor)) continue;
    check.dtype_in(halves(), *tensor);
    check.same_dtype(g.x1, *tensor);
  }
}

void check_weight_groups(const Check& check, const WeightQuantMatmulAllReduceV2Parameters& g) {
  const std::int64_t depth = g.x1.rank() == 0 ? 0 : g.x1.shape().back();
  const std::int64_t group = g.antiquantGroupSize;
  check.that(depth == 0 || group == 0 ||
                 (group >= kGroupStep && group % kGroupStep == 0 && group <= depth - 1),
             "antiquantGroupSize is %lld beside a depth of %lld, it must be 0 or a multiple of 32 "
             "below it",
             static_cast<long long>(group), static_cast<long long>(depth));
}

void check_weight_layouts(const Check& check, const WeightQuantMatmulAllReduceV2Parameters& g) {
  const bool turned = is_transposed(g.x2);
  for (const TensorArgument* tensor : {&g.antiquantScale, &g.antiquantOffset}) {
    if (!given(*tensor)) continue;
    check_matrix_view(check, *tensor);
    const bool matters = tensor->rank() == 2 && tensor->shape()[0] != 1 && tensor->shape()[1] != 1;
    check.that(!matters || turned != tensor->meta().is_contiguous(),
               "%s must be transposed where x2 is, and else contiguous", tensor->name());
  }
}

void check_weight_scales(const Check& check, const WeightQuantMatmulAllReduceV2Parameters& g) {
  if (lies_in_blocks(g.x2)) return check_weight_layouts(check, g);
  const std::int64_t depth = g.x2.shape()[0];
  const std::int64_t columns = g.x2.shape()[1];
  const std::int64_t group = g.antiquantGroupSize;
  if (depth == 0) return;
  const Dims& shape = g.antiquantScale.shape();
  const bool fits = group == 0 ? is_row_of_columns(shape, columns)
                               : shape == Dims{(depth - 1) / group + 1, columns};
  check.that(fits, "antiquantScale has shape %s beside %lld columns in groups of %lld",
             shape.text().c_str(), static_cast<long long>(columns), static_cast<long long>(group));
  if (given(g.antiquantOffset)) check.same_shape(g.antiquantScale, g.antiquantOffset);
  check_weight_layouts(check, g);
}

/// What a weight in FRACTAL_NZ goes with: the kernels of A2 have a scale for each column.
void check_weight_blocks(const Plan& plan, const WeightQuantMatmulAllReduceV2Parameters& g) {
  if (g.x2.meta().format != ACL_FORMAT_FRACTAL_NZ) return;
  check_kernel_exists(plan, g.x2.dtype() == ACL_INT8);
  check_tiling(plan, !on_950() && lies_in_blocks(g.x2), "x2 is in FRACTAL_NZ%s",
               on_950() ? "" : ", and its storage has not four dimensions");
  const TensorArgument &scale = g.antiquantScale, &offset = g.antiquantOffset;
  check_tiling(plan,
               g.antiquantGroupSize == 0 && scale.elements() != 1 &&
                   is_row_of_columns(scale.shape(), g.x2.shape()[1]),
               "antiquantScale has not a value a column, beside a weight in FRACTAL_NZ");
  check_tiling(plan, !given(offset) || offset.shape() == scale.shape(),
               "antiquantOffset has not the shape of antiquantScale");
}

/// What the 950 asks of weights: those of floats have a scale for each column, and those in groups
/// whole blocks.
void check_weight_950(const Plan& plan, const WeightQuantMatmulAllReduceV2Parameters& g) {
  const std::int64_t depth = g.x2.shape()[0], columns = g.x2.shape()[1];
  const bool grouped = g.antiquantGroupSize != 0;
  if (kFloatWeights.contains(g.x2.dtype()))
    check_tiling(plan, !given(g.antiquantOffset) && !grouped && g.antiquantScale.elements() != 1,
                 "x2 is %s, it needs a scale for each column and no antiquantOffset",
                 dtype_name(g.x2.dtype()));
  check_tiling(plan, depth <= kLongestAxis && columns <= kLongestAxis,
               "x2 has a depth of %lld and %lld columns, 65535 at most", ll(depth), ll(columns));
  const std::int64_t step = g.x2.dtype() == ACL_INT4 ? 2 * kGroupStep : kGroupStep;
  check_tiling(plan, !grouped || (depth % step == 0 && columns % step == 0),
               "x2 has a depth of %lld and %lld columns, not multiples of %lld", ll(depth),
               ll(columns), ll(step));
}

void weight_quant_product(Plan& plan, const TensorArgument& x1, const TensorArgument& x2,
                          const TensorArgument& scale, const TensorArgument& offset,
                          const TensorArgument& bias, std::int64_t group,
                          const TensorArgument& out) {
  const TensorArgument none{Absent()};
  if (x1.is_empty()) return product(plan, x1, x2, bias, out);
  weight_quant_matmul(plan, {x1, x2, scale, offset, none, none, bias, group, out},
                      is_nz(x2.meta().format));
}

/// What the three operators with a normalisation share.
struct Normalised {
  const TensorArgument &x1, &x2, &residual, &gamma;
  double epsilon;
  const Text &group, &reduce_op;
  std::int64_t turns, stream_mode;
  const TensorArgument &y, &out;
};

/// Their refusals up to the empty tensor; false where that is all.
bool check_normalised(const Check& check, const Plan& plan, const Normalised& n) {
  check.not_null(n.x1, n.x2, n.residual, n.gamma);
  check.that(n.x1.rank() > 0 && n.x2.rank() > 0 && n.residual.rank() > 0,
             "x1, x2 and residual must have a dimension at least");
  check.that(n.x1.shape().back() == n.x2.shape()[0],
             "x1 of shape %s and x2 of shape %s: the depths differ", n.x1.shape().text().c_str(),
             n.x2.shape().text().c_str());
  check.that(n.residual.shape().back() == n.x2.shape().back(),
             "residual of shape %s and x2 of shape %s: the columns differ",
             n.residual.shape().text().c_str(), n.x2.shape().text().c_str());
  if (n.x1.is_empty() || n.x2.is_empty() || n.residual.is_empty() || n.gamma.is_empty()) {
    check.that(n.x1.shape().back() != 0, "the depth is 0");
    return false;
  }
  check_stream_mode(check, n.stream_mode);
  check.not_null(n.y, n.out);
  check_kernel_exists(plan, chip().soc == Soc::kAscend910B);
  return true;
}

/// Plans y = the sum over all ranks + residual, and its rows normalised. `multiply` is given rows
/// of x1 and what to fill.
template <class Multiply>
void sum_and_normalise(const Check& check, Plan& plan, const Normalised& n,
                       const TensorArgument& bias, Multiply multiply) {
  check.dtype_in(kHalves, n.residual);
  check.same_dtype(n.residual, n.gamma, n.y, n.out);
  check_tiling(plan, n.x2.rank() == 2 && (n.x1.rank() == 2 || n.x1.rank() == 3),
               "x1 has %zu dimensions, x2 %zu; they must have 2 or 3, and 2", n.x1.rank(),
               n.x2.rank());
  const std::int64_t columns = n.x2.shape()[1];
  check_tiling(plan, !given(bias) || bias.shape() == Dims{columns},
               "bias has not a value a column");
  const TensorArgument rows = as_rows(plan, n.x1);
  const Dims& shape = n.residual.shape();
  check_tiling(plan, shape.size() == 3 && shape.product(0, 2) == rows.shape()[0],
               "residual has shape %s, it must have three dimensions and the rows of x1",
               shape.text().c_str());
  check_tiling(plan, n.gamma.shape() == Dims{columns}, "gamma has not a value a column");
  for (const TensorArgument* tensor : {&n.y, &n.out})
    check_tiling(plan, tensor->shape() == shape, "%s has shape %s, residual %s", tensor->name(),
                 tensor->shape().text().c_str(), shape.text().c_str());
  check_tiling(plan, n.reduce_op.given() && n.reduce_op.text == "sum",
               "reduceOp is \"%s\", it must be \"sum\"", n.reduce_op.text.c_str());
  const Ranks ranks = ranks_of(plan, n.group, {1, 2, 4, 8});
  check_one_turn(plan, n.turns);
  const TensorArgument own = plan.scratch("product", n.residual.dtype(), shape);
  multiply(rows, reshaped(plan, own, Dims{rows.shape()[0], columns}));
  all_reduce(plan, ranks, own, own);
  const TensorArgument rstd = plan.scratch("rstd", ACL_FLOAT, Dims{shape[0], shape[1], 1});
  add_rms_norm(plan, own, n.residual, n.gamma, n.epsilon, n.out, rstd, n.y);
}

template <class Parameters>
Normalised normalised(const Parameters& g) {
  return {g.x1,       g.x2,       g.residual,   g.gamma, g.epsilon, g.group,
          g.reduceOp, g.commTurn, g.streamMode, g.y,     g.normOut};
}

}  // namespace

void matmul_all_reduce(const Check& check, Plan& plan, const MatmulAllReduceV3Parameters& g) {
  check.not_null(g.x1, g.x2, g.output);
  check.dtype_in(halves(), g.x1, g.x2, g.output);
  if (given(g.bias)) check.dtype_in(halves(), g.bias);
  if (given(g.x3)) {
    check.dtype_in(halves(), g.x3);
    check.same_dtype(g.x1, g.x3);
  }
  check.same_dtype(g.x1, g.x2, g.output);
  if (given(g.bias)) check.same_dtype(g.bias, g.x1);
  check_sum(check, g.reduceOp);
  check_stream_mode(check, g.streamMode);
  check_no_blocks(check, g.x2);
  const Sum sum{g.x1, g.x2, g.bias, g.x3, g.output};
  check_shapes(check, sum, true);
  check_matrix_view(check, g.x2);
  check_comm_mode(check, g.commMode);
  const Ranks ranks = ranks_for_all_reduce(plan, g.group, g.commTurn);
  if (g.output.is_empty()) return;
  sum_products(plan, ranks, sum, [&](const TensorArgument& rows, const TensorArgument& out) {
    product(plan, rows, g.x2, g.bias, out);
  });
}

/// `is_newest` from the fourth version on, which leaves scales to the kernel.
static void sum_quantised(const Check& check, Plan& plan, const QuantMatmulAllReduceV5Parameters& g,
                          bool is_newest) {
  check.not_null(g.x1, g.x2, g.x2Scale, g.output);
  if (is_newest) check.not_null(g.reduceOp);
  check_quant_types(check, g, is_newest);
  check_exchange_types(check, g);
  check_sum(check, g.reduceOp);
  check_stream_mode(check, g.streamMode);
  const Sum sum{g.x1, g.x2, g.biasOptional, g.x3Optional, g.output};
  check_shapes(check, sum, false);
  const bool scales_later = is_newest || lies_in_blocks(g.x2);
  if (!scales_later) {
    check_quant_scales(check, g);
    check_exchange_scales(check, g);
  }
  check_matrix_view(check, g.x2);
  check_comm_mode(check, g.commMode);
  check_kernel_exists(plan, has_quant_kernel(g));
  const Ranks ranks = ranks_for_all_reduce(plan, g.group, g.commTurn);
  if (on_950()) check_quant_950(plan, g);
  if (kSmallFloats.contains(g.x1.dtype())) return sum_floats(plan, ranks, sum, g);
  check_tiling(plan, g.groupSize == 0,
               "groupSize is %lld, it must be 0 beside scales of one dimension", ll(g.groupSize));
  check_scales_of_float16(plan, g);
  check_beside_blocks(plan, sum);
  if (scales_later) {
    check_quant_scales(kernel_tiling(plan), g);
    check_exchange_scales(kernel_tiling(plan), g);
  }
  check_tiling(plan, !on_950() || g.commQuantMode != 1, "commQuantMode is 1 beside int8");
  const auto multiply = [&](const TensorArgument& x1, const TensorArgument& out) {
    quant_product(check, plan, x1, g.x2, g.x1ScaleOptional, g.x2Scale, g.biasOptional, out);
  };
  // A2 takes scales for absent in mode 1.
  if (!given(g.commQuantScale1Optional) || g.commQuantMode == 1)
    return sum_products(plan, ranks, sum, multiply);
  sum_products(plan, sum, multiply, [&](const TensorArgument& own) {
    quantised_all_reduce(plan, ranks, own, g.commQuantScale1Optional, g.commQuantScale2Optional,
                         sum.output);
  });
}

void quant_matmul_all_reduce(const Check& check, Plan& plan,
                             const QuantMatmulAllReduceV5Parameters& g) {
  sum_quantised(check, plan, g, false);
}

void quant_matmul_all_reduce_newest(const Check& check, Plan& plan,
                                    const QuantMatmulAllReduceV5Parameters& g) {
  sum_quantised(check, plan, g, true);
}

void weight_quant_matmul_all_reduce(const Check& check, Plan& plan,
                                    const WeightQuantMatmulAllReduceV2Parameters& g) {
  check.not_null(g.x1, g.x2, g.antiquantScale, g.output);
  check_weight_types(check, g);
  check_sum(check, g.reduceOp);
  check_stream_mode(check, g.streamMode);
  check_weight_groups(check, g);
  const Sum sum{g.x1, g.x2, g.bias, g.x3, g.output};
  check_shapes(check, sum, false);
  check_matrix_view(check, g.x2);
  check_weight_scales(check, g);
  check_comm_mode(check, g.commMode);
  const Ranks ranks = ranks_for_all_reduce(plan, g.group, g.commTurn);
  check_weight_blocks(plan, g);
  if (on_950()) check_weight_950(plan, g);
  check_beside_blocks(plan, sum);
  sum_products(plan, ranks, sum, [&](const TensorArgument& x1, const TensorArgument& out) {
    weight_quant_product(plan, x1, g.x2, g.antiquantScale, g.antiquantOffset, g.bias,
                         g.antiquantGroupSize, out);
  });
}

void matmul_all_reduce_add_rms_norm(const Check& check, Plan& plan,
                                    const MatmulAllReduceAddRmsNormParameters& g) {
  const Normalised n = normalised(g);
  if (!check_normalised(check, plan, n)) return;
  check.same_dtype(g.x1, g.x2, g.residual);  // whose type is asked below
  if (given(g.bias)) check.same_dtype(g.x1, g.bias);
  check_no_blocks(check, g.x2);
  sum_and_normalise(check, plan, n, g.bias, [&](const TensorArgument& x1, const auto& out) {
    product(plan, x1, g.x2, g.bias, out);
  });
}

void quant_matmul_all_reduce_add_rms_norm(const Check& check, Plan& plan,
                                          const QuantMatmulAllReduceAddRmsNormParameters& g) {
  const Normalised n = normalised(g);
  if (!check_normalised(check, plan, n)) return;
  check.not_null(g.dequantScale);
  check.dtype_in(DtypeSet{ACL_INT8}, g.x1, g.x2);
  if (given(g.bias)) check.dtype_in(DtypeSet{ACL_INT32}, g.bias);
  check.dtype_in(
      g.residual.dtype() == ACL_BF16 ? DtypeSet{ACL_BF16} : DtypeSet{ACL_UINT64, ACL_INT64},
      g.dequantScale);
  check_no_blocks(check, g.x2);
  check_tiling(plan, is_row_of_columns(g.dequantScale.shape(), g.x2.shape().back()),
               "dequantScale has not a value a column");
  const TensorArgument none{Absent()};
  sum_and_normalise(check, plan, n, g.bias, [&](const TensorArgument& x1, const auto& out) {
    quant_product(check, plan, x1, g.x2, none, g.dequantScale, g.bias, out);
  });
}

void weight_quant_matmul_all_reduce_add_rms_norm(
    const Check& check, Plan& plan, const WeightQuantMatmulAllReduceAddRmsNormParameters& g) {
  const Normalised n = normalised(g);
  if (!check_normalised(check, plan, n)) return;
  check.not_null(g.antiquantScale);
  const TensorArgument none{Absent()};
  const Text absent{Absent()};
  const WeightQuantMatmulAllReduceV2Parameters call{
      g.x1,       g.x2,   g.bias,     g.antiquantScale, g.antiquantOffset,    none,      g.group,
      g.reduceOp, absent, g.commTurn, g.streamMode,     g.antiquantGroupSize, g.residual};
  check_weight_types(check, call);
  check_weight_groups(check, call);
  check_no_blocks(check, g.x2);
  check_tiling(plan, g.x2.rank() == 2, "x2 has %zu dimensions, it must have 2", g.x2.rank());
  check_weight_scales(check, call);
  sum_and_normalise(check, plan, n, g.bias, [&](const TensorArgument& x1, const auto& out) {
    weight_quant_product(plan, x1, g.x2, g.antiquantScale, g.antiquantOffset, g.bias,
                         g.antiquantGroupSize, out);
  });
}

}  // namespace pyaclnn::sim
