// Products beside an exchange: of the columns that all ranks have for this one's rows, or whose
// columns all ranks get.
// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include "objects/communicators.hpp"
#include "objects/dtype.hpp"
#include "opapi/collective/narrow_product.hpp"
#include "opapi/collective/product.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/quant/rows.hpp"
#include "parameters/AlltoAllMatmulV2.hpp"
#include "parameters/AlltoAllQuantMatmulV2.hpp"
#include "parameters/MatmulAlltoAllV2.hpp"
#include "parameters/QuantMatmulAlltoAllV2.hpp"

namespace pyaclnn::sim {
namespace {

constexpr DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};
constexpr DtypeSet kFloat8{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2};
constexpr std::int64_t kMostDepth = 65535;
constexpr std::size_t kLongestName = 127;

void check_axes(const Check& check, const IntArrayIn& axes, std::int64_t first,
                std::int64_t second) {
  if (!axes.given()) return;
  check.that(axes.is({first, second}), "alltoAllAxesOptional must be %lld, %lld or null", ll(first),
             ll(second));
}

void check_name(const Check& check, const Text& group) {
  check.that(group.given() && !group.text.empty() && group.text.size() <= kLongestName,
             "group has %zu characters, it must have 1 to 127", group.text.size());
}

void check_engine(const Check& check, const Text& mode) {
  if (is_first(mode)) return;
  const std::string text = mode.given() ? mode.text : "";
  if (on_950()) {
    check.that(text == "ai_cpu" || text == "ccu", "commMode is \"%s\"", text.c_str());
  } else if (chip().soc == Soc::kAscend910_93) {
    check.that(text == "ai_cpu", "commMode is \"%s\", it must be \"ai_cpu\"", text.c_str());
  } else {
    check.that(text == "aiv", "commMode is \"%s\", it must be \"aiv\"", text.c_str());
  }
}

/// The second operand of an exchange, which a flag or the view may say is transposed.
TensorArgument second_operand(const Check& check, Plan& plan, const TensorArgument& x2,
                              bool transposed) {
  if (!x2.given()) check.not_null(x2);
  check.that(!x2.is_empty(), "x2 is empty");
  check.that(x2.rank() == 2, "x2 has %zu dimensions, it must have 2", x2.rank());
  check.that(!(transposed && is_transposed(x2)), "x2 is transposed, and transposeX2 is true");
  const Dims& shape = x2.shape();
  const Dims& strides = x2.meta().strides;
  if (!transposed) return plan.described(x2, shape, strides, x2.meta().offset);
  return plan.described(x2, Dims{shape[1], shape[0]}, Dims{strides[1], strides[0]},
                        x2.meta().offset);
}

/// The refusals of operators that exchange parts of matrices, up to their communicator.
struct Exchanged {
  const TensorArgument &x1, &x2, &bias, &output;
};

void check_exchanged(const Check& check, const Exchanged& e, bool transpose_x1) {
  for (const TensorArgument* tensor : {&e.x1, &e.output})
    check.that(tensor->rank() == 2, "%s has %zu dimensions, it must have 2", tensor->name(),
               tensor->rank());
  check.that(e.x1.shape()[1] != 0, "x1 has no columns");
  if (e.bias.given()) check.shape_is(e.bias, Dims{e.x2.shape()[1]}, "the columns of x2");
  check_no_blocks(check, e.x1);
  check_no_blocks(check, e.x2);
  check.that(!transpose_x1, "transposeX1 is true");
}

void check_exchanged_types(const Check& check, const Exchanged& e, bool by_chip) {
  check.dtype_in(kHalves, e.x1, e.x2, e.output);
  check.same_dtype(e.x1, e.x2, e.output);
  if (!e.bias.given()) return;
  if (!by_chip || on_950()) {
    check.dtype_in(DtypeSet{e.x1.dtype(), ACL_FLOAT}, e.bias);
  } else {
    check.dtype_in(DtypeSet{e.x1.dtype() == ACL_BF16 ? ACL_FLOAT : ACL_FLOAT16}, e.bias);
  }
}

Ranks ranks_of_exchange(Plan& plan, const Text& group, const TensorArgument& x2) {
  check_kernel_exists(plan, on_a2_or_a3() || on_950());
  check_tiling(plan, on_950() || x2.meta().is_contiguous() || is_transposed(x2),
               "x2 is neither contiguous nor a transposed matrix");
  if (chip().soc == Soc::kAscend910B) return ranks_of(plan, group, {2, 4, 8});
  return ranks_of(plan, group, {2, 4, 8, 16});
}

/// Plans output = the parts of the columns of `whole` that all ranks have for this one.
void scatter_columns(Plan& plan, const Ranks& ranks, const TensorArgument& whole,
                     const TensorArgument& output) {
  const std::int64_t rows = whole.shape()[0];
  const std::int64_t part = whole.shape()[1] / ranks.count;
  const TensorArgument parts = permuted(plan, whole, Dims{rows, ranks.count, part}, {1, 0, 2});
  all_to_all(plan, ranks, parts, output);
}

/// How operands are quantised, by the numbers of x1QuantMode and x2QuantMode.
enum QuantModes : std::int64_t { kByColumn = 2, kByRow = 3, kMx = 6, kDynamicByRow = 7 };

/// A product of narrow floats on the 950, beside an exchange of all ranks.
struct NarrowCall {
  const TensorArgument &x1, &x2, &bias, &x1_scale, &x2_scale, &output;
  std::int64_t x1_mode, x2_mode, group_size;
  bool transposed;        // x2, by the flag or as a view
  std::int64_t row_mode;  // that goes with scales for columns
  DtypeSet row_types;     // of x1, then

  bool is_mx() const { return x1_mode == kMx && x2_mode == kMx; }
  bool by_row() const { return x1_mode == row_mode && x2_mode == kByColumn; }
};

/// The scales as far as they are looked at before types; `x2` is [depth, columns].
void check_narrow_shapes(const Check& check, const NarrowCall& c) {
  for (const TensorArgument* tensor : {&c.x1, &c.output})
    check.that(tensor->rank() == 2, "%s has %zu dimensions, it must have 2", tensor->name(),
               tensor->rank());
  const std::int64_t columns = c.x2.shape()[1];
  if (c.bias.given()) check.shape_is(c.bias, Dims{columns}, "the columns of x2");
  if (c.by_row()) check.shape_is(c.x2_scale, Dims{columns}, "the columns of x2");
  if (!c.is_mx()) return;
  check.that(c.transposed, "x2 must be transposed where scales are of 32 along the depth");
  for (const TensorArgument* scale : {&c.x1_scale, &c.x2_scale})
    check.that(scale->rank() == 3 && scale->shape()[2] == 2, "%s has shape %s, not pairs",
               scale->name(), scale->shape().text().c_str());
  check.that(c.x2_scale.shape()[0] == columns, "%s has shape %s beside %lld columns",
             c.x2_scale.name(), c.x2_scale.shape().text().c_str(), ll(columns));
}

void check_narrow_types(const Check& check, const NarrowCall& c) {
  check.that(c.by_row() || c.is_mx(), "x1QuantMode and x2QuantMode are %lld and %lld",
             ll(c.x1_mode), ll(c.x2_mode));
  const bool mx = c.is_mx();
  const DtypeSet small = kFloat8 | DtypeSet{ACL_FLOAT4_E2M1};
  check.dtype_in(mx ? small : c.row_types, c.x1);
  check.dtype_in(mx ? small : kFloat8, c.x2);
  if (c.x1.dtype() == ACL_FLOAT4_E2M1 || c.x2.dtype() == ACL_FLOAT4_E2M1)
    check.same_dtype(c.x1, c.x2);
  if (mx) check.dtype_in(DtypeSet{ACL_FLOAT8_E8M0}, c.x1_scale);
  check.dtype_in(DtypeSet{mx ? ACL_FLOAT8_E8M0 : ACL_FLOAT}, c.x2_scale);
  check.dtype_in(kHalves | DtypeSet{ACL_FLOAT}, c.output);
  if (c.bias.given()) check.dtype_in(DtypeSet{ACL_FLOAT}, c.bias);
}

/// Scales of 32 along the depth: their shapes, and what groupSize says of them.
void check_mx_call(const Plan& plan, const NarrowCall& c) {
  if (!c.is_mx()) return;
  const std::int64_t depth = c.x2.shape()[0], width = c.x1.shape()[1];
  check_tiling(plan, c.x1_scale.shape() == mx_scales(c.x1.shape()[0], width, true),
               "%s has shape %s beside x1 of %s", c.x1_scale.name(),
               c.x1_scale.shape().text().c_str(), c.x1.shape().text().c_str());
  check_tiling(plan, c.x2_scale.shape() == mx_scales(c.x2.shape()[1], depth, true),
               "%s has shape %s beside a depth of %lld", c.x2_scale.name(),
               c.x2_scale.shape().text().c_str(), ll(depth));
  constexpr std::int64_t kPart = 0xFFFF;
  const std::int64_t by_depth = c.group_size & kPart, by_column = c.group_size >> 16 & kPart,
                     by_row = c.group_size >> 32 & kPart;
  check_tiling(plan,
               by_row <= 1 && by_column <= 1 && (by_depth == 0 || by_depth == kMxBlock) &&
                   (by_depth != 0 || depth % kMxPair == 0),
               "groupSize stands for %lld, %lld and %lld, it must for 1, 1 and 32", ll(by_row),
               ll(by_column), ll(by_depth));
}

/// Rows as narrow numbers, each with a scale that fits its largest value.
std::pair<TensorArgument, TensorArgument> quantised(Plan& plan, const TensorArgument& rows,
                                                    const TensorArgument& smooth, aclDataType type,
                                                    float largest) {
  std::pair<TensorArgument, TensorArgument> result{
      plan.scratch("quantised", type, rows.shape()),
      plan.scratch("scales", ACL_FLOAT, Dims{rows.shape()[0]})};
  QuantRowsCall call;
  call.rows = rows.shape()[0];
  call.width = rows.shape()[1];
  call.source = rows_of(plan.reads(rows), call.width);
  RowQuantiser quantiser;
  quantiser.mode = QuantMode::kSymmetric;
  quantiser.multiplies = !on_950();
  quantiser.largest = largest;
  if (smooth.given()) quantiser.smooth = RowFactors(plan, smooth, call.width);
  quantiser.out = QuantOut(plan, result.first);
  quantiser.scale_out = RowMajor(plan.writes(result.second));
  call.stores.push_back(std::move(quantiser));
  quantise_rows(plan, std::move(call));
  return result;
}

/// Plans what all ranks have of this one's rows, one rank's columns behind the other's.
TensorArgument gather_columns(Plan& plan, const Ranks& ranks, const TensorArgument& x) {
  const std::int64_t width = x.shape()[1], own = x.shape()[0] / ranks.count;
  const TensorArgument met = plan.scratch("exchanged", x.dtype(), x.shape());
  all_to_all(plan, ranks, x, met);
  return reshaped(plan, permuted(plan, met, Dims{ranks.count, own, width}, {1, 0, 2}),
                  Dims{own, width * ranks.count});
}

/// The types that kernels of A2 have; those of int4 are packed as int32, too.
void check_exchanged_integers(const Check& check, const AlltoAllQuantMatmulV2Parameters& g) {
  if (chip().soc != Soc::kAscend910B) return;
  check.dtype_in(kHalves | DtypeSet{ACL_INT4, ACL_INT32}, g.x1);
  check.dtype_in(DtypeSet{ACL_INT8, ACL_INT4, ACL_INT32}, g.x2);
  check.dtype_in(DtypeSet{ACL_FLOAT}, g.x2Scale);
  if (g.x1QuantMode == kDynamicByRow && g.x1ScaleOptional.given())
    check.that(g.x1ScaleOptional.dtype() == (g.x1.dtype() == ACL_INT32 ? ACL_INT4 : g.x1.dtype()),
               "x1ScaleOptional is %s, x1 %s", dtype_name(g.x1ScaleOptional.dtype()),
               dtype_name(g.x1.dtype()));
  if (g.x1QuantMode == kByRow && g.x1ScaleOptional.given())
    check.dtype_in(DtypeSet{ACL_FLOAT}, g.x1ScaleOptional);
  check.dtype_in(kHalves, g.output);
}

/// An exchange of rows before a product of integers: halves are quantised behind it.
void exchanged_integers(const Check& check, Plan& plan, const AlltoAllQuantMatmulV2Parameters& g) {
  check_tiling(plan, chip().soc == Soc::kAscend910B, "%s has no product of x1 and x2", chip().name);
  const Ranks ranks = ranks_of(plan, g.group, {2, 4, 8});
  const bool dynamic = kHalves.contains(g.x1.dtype());
  const bool smooth = g.x1QuantMode == kDynamicByRow && g.x1ScaleOptional.given();
  const bool in_int4 = g.x2.dtype() != ACL_INT8;
  check_tiling(plan, dynamic || g.x1ScaleOptional.given(), "x1ScaleOptional is null");
  if (!dynamic)
    check_tiling(plan, g.x1ScaleOptional.dtype() == ACL_FLOAT, "x1ScaleOptional is %s",
                 dtype_name(g.x1ScaleOptional.dtype()));
  check_tiling(plan, dynamic ? g.output.dtype() == g.x1.dtype() : in_int4,
               "there is no product of %s and %s as %s", dtype_name(g.x1.dtype()),
               dtype_name(g.x2.dtype()), dtype_name(g.output.dtype()));
  const TensorArgument& bias = g.biasOptional;
  check_tiling(plan, !bias.given() || bias.dtype() == ACL_FLOAT || bias.dtype() == g.output.dtype(),
               "biasOptional is %s, output %s", dtype_name(bias.given() ? bias.dtype() : ACL_FLOAT),
               dtype_name(g.output.dtype()));
  check_tiling(plan, g.x1.rank() == 2, "x1 has %zu dimensions, it must have 2", g.x1.rank());
  const TensorArgument x1 = in_bytes(plan, g.x1);
  const TensorArgument weight = in_bytes(plan, g.x2);
  const TensorArgument x2 =
      g.transposeX2 ? exchanged_axes(plan, weight, 0) : same_view(plan, weight);
  const std::int64_t rows = x1.shape()[0], width = x1.shape()[1], columns = x2.shape()[1];
  constexpr std::int64_t kMost = 35000;
  check_tiling(plan, rows % ranks.count == 0, "x1 has %lld rows, not a multiple of %d ranks",
               ll(rows), ranks.count);
  check_tiling(plan, width <= kMost / ranks.count && x2.shape()[0] == width * ranks.count,
               "x1 has %lld columns of %d ranks each, x2 a depth of %lld", ll(width), ranks.count,
               ll(x2.shape()[0]));
  const std::int64_t depth = width * ranks.count, own = rows / ranks.count;
  check_result(plan, g.output, Dims{own, columns});
  constexpr std::int64_t kWhole = 16;
  check_tiling(plan, dynamic ? depth % kWhole == 0 : width % 2 == 0,
               "x1 has %lld columns on %d ranks", ll(width), ranks.count);
  check_tiling(plan, !in_int4 || columns % 2 == 0, "x2 has %lld columns, an odd number",
               ll(columns));
  check_tiling(plan, !smooth || g.x1ScaleOptional.shape() == Dims{depth},
               "x1ScaleOptional has not a value for each of the depth of %lld", ll(depth));
  check_tiling(plan, dynamic || g.x1ScaleOptional.shape() == Dims{rows},
               "x1ScaleOptional has not a value for each of %lld rows", ll(rows));
  check_tiling(plan, g.x2Scale.shape() == Dims{columns}, "x2Scale has shape %s",
               g.x2Scale.shape().text().c_str());
  check_tiling(plan, !bias.given() || bias.shape() == Dims{columns},
               "biasOptional has not a value for each of %lld columns", ll(columns));
  const TensorArgument all = gather_columns(plan, ranks, x1);
  if (wanted(g.alltoAllOutOptional)) {
    check_tiling(
        plan, g.alltoAllOutOptional.elements() * (x1.elements() / g.x1.elements()) == own * depth,
        "alltoAllOutOptional has shape %s", g.alltoAllOutOptional.shape().text().c_str());
    check.same_dtype(g.x1, g.alltoAllOutOptional);
    copy_bytes(plan, all, g.alltoAllOutOptional);
  }
  if (dynamic) {
    const TensorArgument none{Absent()};
    const auto [x, scales] = quantised(plan, all, smooth ? g.x1ScaleOptional : none, ACL_INT8,
                                       in_int4 ? largest_quantised(ACL_INT4) : 0);
    return quant_product(check, plan, x, x2, scales, g.x2Scale, bias, g.output);
  }
  const TensorArgument scales = plan.scratch("scales", ACL_FLOAT, Dims{own});
  const RowMajor of_all(plan.reads(g.x1ScaleOptional)), of_own(plan.writes(scales));
  // A plan serves the ranks of all devices, so which one it is shows when it runs.
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<float> values = RowMajorAccess(of_all, memory).values();
    const std::int64_t first = memory.exchanges[ranks.place]->rank() * own;
    RowMajorAccess(of_own, memory).write(0, own, values.data() + first);
  });
  quant_product(check, plan, all, x2, scales, g.x2Scale, bias, g.output);
}

/// The same of floats of 8 and 4 bits.
void exchanged_floats(Plan& plan, const AlltoAllQuantMatmulV2Parameters& g, const NarrowCall& c) {
  const Ranks ranks = ranks_of(plan, g.group, {2, 4, 8, 16});
  const std::int64_t rows = g.x1.shape()[0], width = g.x1.shape()[1], columns = c.x2.shape()[1];
  check_tiling(plan, rows % ranks.count == 0, "x1 has %lld rows, not a multiple of %d ranks",
               ll(rows), ranks.count);
  check_tiling(plan, width <= kMostDepth / ranks.count && c.x2.shape()[0] == width * ranks.count,
               "x1 has %lld columns of %d ranks each, x2 a depth of %lld", ll(width), ranks.count,
               ll(c.x2.shape()[0]));
  const std::int64_t depth = width * ranks.count, own = rows / ranks.count;
  check_result(plan, g.output, Dims{own, columns});
  check_tiling(plan, !c.is_mx() || width % kMxPair == 0,
               "x1 has %lld columns, it must have a multiple of 64", ll(width));
  check_mx_call(plan, c);
  const TensorArgument all = gather_columns(plan, ranks, in_bytes(plan, g.x1));
  if (g.alltoAllOutOptional.given()) {
    check_result(plan, g.alltoAllOutOptional, Dims{own, depth});
    copy_bytes(plan, all, g.alltoAllOutOptional);
  }
  const NarrowOperand weight{in_storage_order(plan, g.x2), g.x2Scale, c.transposed};
  const TensorArgument none{Absent()};
  if (!c.is_mx()) {
    const auto [x, scales] = quantised(plan, all, none, aclDataType(g.x1QuantDtype), 0);
    return narrow_product(plan, {x, scales}, weight, depth, g.biasOptional, g.output);
  }
  const TensorArgument own_scales =
      reshaped(plan, without_gaps(plan, g.x1ScaleOptional), Dims{rows, width / kMxBlock});
  plan.reads(g.x1ScaleOptional);
  const TensorArgument scales = gather_columns(plan, ranks, own_scales);
  narrow_product(plan, {all, scales}, weight, depth, g.biasOptional, g.output);
}

/// A product of narrow floats whose columns are scattered.
void scattered_floats(const Check& check, Plan& plan, const QuantMatmulAlltoAllV2Parameters& g,
                      const TensorArgument& x2) {
  check.that(!g.x1.is_empty(), "x1 is empty");
  const NarrowCall c{g.x1,           x2,
                     g.biasOptional, g.x1Scale,
                     g.x2Scale,      g.output,
                     g.x1QuantMode,  g.x2QuantMode,
                     g.groupSize,    g.transposeX2 || is_transposed(g.x2),
                     kByRow,         kFloat8};
  check_narrow_shapes(check, c);
  const std::int64_t rows = g.x1.shape()[0], depth = g.x1.shape()[1], columns = x2.shape()[1];
  check.that(depth == x2.shape()[0] && depth <= kMostDepth,
             "the depth of x1 is %lld, that of x2 %lld, it may be 65535", ll(depth),
             ll(x2.shape()[0]));
  if (c.by_row()) check.shape_is(g.x1Scale, Dims{rows}, "the rows of x1");
  check_narrow_types(check, c);
  if (!c.is_mx()) check.dtype_in(DtypeSet{ACL_FLOAT}, g.x1Scale);
  check_no_blocks(check, g.x1);
  check_no_blocks(check, g.x2);
  check_axes(check, g.alltoAllAxesOptional, -1, -2);
  check.that(!g.transposeX1, "transposeX1 is true");
  check_name(check, g.group);
  check_engine(check, g.commMode);
  const Ranks ranks = ranks_of(plan, g.group, {2, 4, 8, 16});
  check_tiling(plan, columns % ranks.count == 0, "x2 has %lld columns, not a multiple of %d ranks",
               ll(columns), ranks.count);
  check_result(plan, g.output, Dims{rows * ranks.count, columns / ranks.count});
  check_mx_call(plan, c);
  const bool halves = g.x1.dtype() == ACL_FLOAT4_E2M1;
  check_tiling(plan, !halves || (depth + kMxBlock - 1) / kMxBlock % 2 == 0,
               "x1 of float4_e2m1 has %lld columns", ll(depth));
  const TensorArgument own = plan.scratch("product", g.output.dtype(), Dims{rows, columns});
  const TensorArgument weight = in_storage_order(plan, g.x2);
  narrow_product(plan, {g.x1, g.x1Scale}, {weight, g.x2Scale, c.transposed}, depth, g.biasOptional,
                 own);
  scatter_columns(plan, ranks, own, g.output);
}

}  // namespace

void allto_all_matmul(const Check& check, Plan& plan, const AlltoAllMatmulV2Parameters& g) {
  const TensorArgument x2 = second_operand(check, plan, g.x2, g.transposeX2);
  check.not_null(g.x1, g.output);
  const Exchanged e{g.x1, x2, g.biasOptional, g.output};
  check_exchanged(check, e, g.transposeX1);
  if (g.alltoAllOutOptional.given())
    check.that(g.alltoAllOutOptional.rank() == 2, "alltoAllOutOptional has %zu dimensions",
               g.alltoAllOutOptional.rank());
  check_exchanged_types(check, e, false);
  if (g.alltoAllOutOptional.given()) check.same_dtype(g.x1, g.alltoAllOutOptional);
  check_axes(check, g.alltoAllAxesOptional, -2, -1);
  check_name(check, g.group);
  check_engine(check, g.commMode);
  if (g.x1.shape()[0] == 0 && on_950()) return;
  const Ranks ranks = ranks_of_exchange(plan, g.group, g.x2);
  const std::int64_t rows = g.x1.shape()[0];
  const std::int64_t width = g.x1.shape()[1];
  const std::int64_t most = chip().soc == Soc::kAscend910B ? 35000 : 65535;
  check_tiling(plan, rows > 0 && rows % ranks.count == 0,
               "x1 has %lld rows, not a multiple of %d ranks", ll(rows), ranks.count);
  check_tiling(plan, width <= most / ranks.count && x2.shape()[0] == width * ranks.count,
               "x1 has %lld columns of %d ranks each, x2 a depth of %lld", ll(width), ranks.count,
               ll(x2.shape()[0]));
  const std::int64_t own = rows / ranks.count;
  check_result(plan, g.output, Dims{own, x2.shape()[1]});
  const TensorArgument rows_of_all = gather_columns(plan, ranks, g.x1);
  if (wanted(g.alltoAllOutOptional)) {
    check_result(plan, g.alltoAllOutOptional, rows_of_all.shape());
    copy(plan, rows_of_all, g.alltoAllOutOptional);
  }
  plan.reads(g.x2);
  product(plan, rows_of_all, x2, g.biasOptional, g.output);
}

void matmul_allto_all(const Check& check, Plan& plan, const MatmulAlltoAllV2Parameters& g) {
  const TensorArgument x2 = second_operand(check, plan, g.x2, g.transposeX2);
  check.not_null(g.x1, g.output);
  const Exchanged e{g.x1, x2, g.biasOptional, g.output};
  check.that(on_950() || !g.x1.is_empty(), "x1 is empty");
  check_exchanged(check, e, g.transposeX1);
  check.that(g.x1.shape()[1] == x2.shape()[0] && x2.shape()[0] <= kMostDepth,
             "the depth of x1 is %lld, that of x2 %lld, it may be 65535", ll(g.x1.shape()[1]),
             ll(x2.shape()[0]));
  check_exchanged_types(check, e, true);
  check_axes(check, g.alltoAllAxesOptional, -1, -2);
  check_name(check, g.group);
  check_engine(check, g.commMode);
  if (g.x1.shape()[0] == 0) return;
  const Ranks ranks = ranks_of_exchange(plan, g.group, g.x2);
  const std::int64_t rows = g.x1.shape()[0];
  const std::int64_t columns = x2.shape()[1];
  check_tiling(plan, columns % ranks.count == 0, "x2 has %lld columns, not a multiple of %d ranks",
               ll(columns), ranks.count);
  check_result(plan, g.output, Dims{rows * ranks.count, columns / ranks.count});
  const TensorArgument own = plan.scratch("product", g.output.dtype(), Dims{rows, columns});
  plan.reads(g.x2);
  product(plan, g.x1, x2, g.biasOptional, own);
  scatter_columns(plan, ranks, own, g.output);
}

void allto_all_quant_matmul(const Check& check, Plan& plan,
                            const AlltoAllQuantMatmulV2Parameters& g) {
  const TensorArgument x2 = second_operand(check, plan, g.x2, g.transposeX2);
  check.that(on_950() || g.x2.meta().is_contiguous(), "x2 is not contiguous");
  check.not_null(g.x1);
  if (on_950() && g.x1QuantMode == kMx) check.not_null(g.x1ScaleOptional);
  check.not_null(g.x2Scale, g.output);
  check.that(!g.x1.is_empty(), "x1 is empty");
  const NarrowCall c{g.x1,           x2,
                     g.biasOptional, g.x1ScaleOptional,
                     g.x2Scale,      g.output,
                     g.x1QuantMode,  g.x2QuantMode,
                     g.groupSize,    g.transposeX2 || is_transposed(x2),
                     kDynamicByRow,  kHalves};
  if (on_950()) {
    if (g.alltoAllOutOptional.given())
      check.that(g.alltoAllOutOptional.rank() == 2, "alltoAllOutOptional has %zu dimensions",
                 g.alltoAllOutOptional.rank());
    check_narrow_shapes(check, c);
    check_narrow_types(check, c);
    check.that(c.is_mx() || kFloat8.contains(aclDataType(g.x1QuantDtype)),
               "x1QuantDtype is %lld, it must be 35 or 36", ll(g.x1QuantDtype));
    if (!c.is_mx() && g.x1ScaleOptional.given()) check.same_dtype(g.x1, g.x1ScaleOptional);
    if (g.alltoAllOutOptional.given()) check.same_dtype(g.x1, g.alltoAllOutOptional);
  } else {
    check_exchanged_integers(check, g);
  }
  for (const TensorArgument* tensor : {&g.x1, &g.x2, &g.x2Scale, &g.output})
    check_no_blocks(check, *tensor);
  check_axes(check, g.alltoAllAxesOptional, -2, -1);
  check.that(!g.transposeX1, "transposeX1 is true");
  check_name(check, g.group);
  check.that_given(is_first(g.commMode) || g.commMode.given(), "commMode");
  check_engine(check, g.commMode);
  check_kernel_exists(plan, on_a2_or_a3() || on_950());
  if (!on_950()) return exchanged_integers(check, plan, g);
  // The first phase takes factors of the type of x1, the 950 has no kernel with them.
  check_kernel_exists(plan, c.is_mx() || !g.x1ScaleOptional.given());
  exchanged_floats(plan, g, c);
}

void quant_matmul_allto_all(const Check& check, Plan& plan,
                            const QuantMatmulAlltoAllV2Parameters& g) {
  const TensorArgument x2 = second_operand(check, plan, g.x2, g.transposeX2);
  check.not_null(g.x1, g.x1Scale, g.x2Scale, g.output);
  if (on_950()) return scattered_floats(check, plan, g, x2);
  const Exchanged e{g.x1, x2, g.biasOptional, g.output};
  check.that(!g.x1.is_empty(), "x1 is empty");
  check_exchanged(check, e, g.transposeX1);
  check.that(g.x1.shape()[1] == x2.shape()[0] && x2.shape()[0] <= kMostDepth,
             "the depth of x1 is %lld, that of x2 %lld, it may be 65535", ll(g.x1.shape()[1]),
             ll(x2.shape()[0]));
  check.dtype_in(DtypeSet{ACL_INT8}, g.x1, x2);
  check.dtype_in(kHalves, g.output);
  check.not_null(g.biasOptional);
  check.dtype_in(DtypeSet{g.output.dtype(), ACL_FLOAT}, g.biasOptional);
  check_axes(check, g.alltoAllAxesOptional, -1, -2);
  check_name(check, g.group);
  check_engine(check, g.commMode);
  check.that(g.groupSize == 0, "groupSize is %lld, it must be 0", ll(g.groupSize));
  check_kernel_exists(plan, chip().soc == Soc::kAscend910B);
  check_tiling(plan, g.x1QuantMode == 3 && g.x2QuantMode == 2,
               "x1QuantMode and x2QuantMode are %lld and %lld, they must be 3 and 2",
               ll(g.x1QuantMode), ll(g.x2QuantMode));
  const std::int64_t rows = g.x1.shape()[0];
  const std::int64_t columns = x2.shape()[1];
  check_tiling(plan, g.x2Scale.dtype() == ACL_FLOAT, "x2Scale is %s",
               dtype_name(g.x2Scale.dtype()));
  check_scales(plan, g.x1Scale, g.x2Scale, rows, columns, g.output.dtype());
  const Ranks ranks = ranks_of_exchange(plan, g.group, g.x2);
  check_tiling(plan, columns % ranks.count == 0, "x2 has %lld columns, not a multiple of %d ranks",
               ll(columns), ranks.count);
  check_result(plan, g.output, Dims{rows * ranks.count, columns / ranks.count});
  const TensorArgument own = plan.scratch("product", g.output.dtype(), Dims{rows, columns});
  plan.reads(g.x2);
  quant_product(check, plan, as_rows(plan, g.x1), x2, as_line(plan, g.x1Scale), g.x2Scale,
                g.biasOptional, own);
  scatter_columns(plan, ranks, own, g.output);
}

}  // namespace pyaclnn::sim
