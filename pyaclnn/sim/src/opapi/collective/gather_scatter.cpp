// Products of the rows that all ranks have, and products of which each rank keeps rows.
// SPDX-License-Identifier: MIT
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/collective/narrow_product.hpp"
#include "opapi/collective/product.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/product/tiled_product.hpp"
#include "parameters/AllGatherMatmulV2.hpp"
#include "parameters/MatmulReduceScatterV2.hpp"

namespace pyaclnn::sim {
namespace {

constexpr DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};
constexpr DtypeSet kFloat8{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2};
constexpr DtypeSet kByteFloats{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, ACL_HIFLOAT8};
constexpr std::int64_t kLeastDepth = 256;
constexpr std::int64_t kMostDepth = 65535;

void check_halves(const Check& check, const TensorArgument& x1, const TensorArgument& x2,
                  const TensorArgument& bias, const TensorArgument& output) {
  check.dtype_in(kHalves, x1, x2, output);
  if (bias.given()) check.dtype_in(kHalves, bias);
  check.same_dtype(x1, x2, output);
  if (bias.given()) check.same_dtype(bias, x1);
}

void check_matrices(const Check& check, const TensorArgument& x1, const TensorArgument& x2) {
  for (const TensorArgument* tensor : {&x1, &x2})
    check.that(tensor->rank() == 2, "%s has %zu dimensions, it must have 2", tensor->name(),
               tensor->rank());
  check.that(!is_transposed(x1), "x1 is transposed");
  check.that(x1.shape()[1] == x2.shape()[0], "x1 of shape %s and x2 of shape %s: the depths differ",
             x1.shape().text().c_str(), x2.shape().text().c_str());
}

void check_depth(const Check& check, const TensorArgument& x1) {
  const std::int64_t depth = x1.shape()[1];
  check.that(depth >= kLeastDepth && depth < kMostDepth,
             "the depth is %lld, it must be from 256 to 65534", ll(depth));
}

void check_view(const Check& check, const TensorArgument& x2) {
  check.that(on_950() || x2.is_empty() || x2.meta().is_contiguous() || is_transposed(x2),
             "%s is neither contiguous nor a transposed matrix", x2.name());
}

Ranks ranks_of_product(Plan& plan, const Text& group, bool first) {
  check_kernel_exists(plan, on_a2_or_a3() || on_950());
  if (on_950()) return ranks_of(plan, group, {2, 4, 8, 16, 32, 64});
  if (first && chip().soc == Soc::kAscend910_93) return ranks_of(plan, group, {2, 4, 8, 16, 32});
  return ranks_of(plan, group, {2, 4, 8});
}

/// The mode of the versions that have one, where kernels communicate, or, since CANN 9.1 on the
/// 950, an AI CPU.
void check_second_mode(const Check& check, const Plan& plan, const Text& mode) {
  if (is_first(mode)) return;
  if (on_late_950())
    return check.that(mode.given() && (mode.text == "ai_cpu" || mode.text == "ccu"),
                      "commMode is \"%s\", it must be \"ai_cpu\" or \"ccu\"", mode.text.c_str());
  const char* needed = on_950() ? "ccu" : "aiv";
  check_tiling(plan, mode.given() && mode.text == needed, "commMode is \"%s\", it must be \"%s\"",
               mode.text.c_str(), needed);
}

/// Whatever the operands are, their product; scales are those of int8.
void any_product(const Check& check, Plan& plan, const TensorArgument& x1, const TensorArgument& x2,
                 const TensorArgument& rows, const TensorArgument& columns,
                 const TensorArgument& bias, const TensorArgument& out) {
  if (x1.dtype() != ACL_INT8) return product(plan, x1, x2, bias, out);
  if (rows.given() || columns.dtype() != ACL_FLOAT)
    return quant_product(check, plan, x1, x2, rows, columns, bias, out);
  // On one device, float32 for columns goes with a scale for rows.
  const std::int64_t count = x1.shape()[0];
  const TensorArgument ones = plan.scratch("ones", ACL_FLOAT, Dims{count});
  const RowMajor to(plan.writes(ones));
  plan.launch([=](const KernelMemory& memory) {
    std::vector<float> values(static_cast<std::size_t>(count), 1.0f);
    RowMajorAccess(to, memory).write(0, count, values.data());
  });
  quant_product(check, plan, x1, x2, ones, columns, bias, out);
}

/// A product of floats of 8 bits on the 950, of which ranks have parts.
struct FloatParts {
  const TensorArgument &x1, &x2, &bias, &x1_scale, &x2_scale, &quant_scale;
  std::int64_t group_size;

  bool is_mx() const { return x1_scale.dtype() == ACL_FLOAT8_E8M0; }
  bool in_tiles() const { return x1_scale.rank() == 2; }
  bool is_small() const { return on_950() && kByteFloats.contains(x1.dtype()); }
};

void check_one_float(const Check& check, const TensorArgument& tensor) {
  check.shape_is(tensor, Dims{1}, "a number");
  check.dtype_in(DtypeSet{ACL_FLOAT}, tensor);
}

/// What first phases look at; to some an empty scale is none.
void check_scales_given(const Check& check, const FloatParts& p, bool or_empty) {
  for (const TensorArgument* scale : {&p.x1_scale, &p.x2_scale})
    check.that(or_empty ? scale->given() : wanted(*scale), "%s is needed beside 8 bit floats",
               scale->name());
}

/// Whether a kernel has these types.
bool has_parts_kernel(const FloatParts& p) {
  const auto are = [&](const DtypeSet& types) {
    return types.contains(p.x1.dtype()) && types.contains(p.x2.dtype());
  };
  const DtypeSet scales{ACL_FLOAT, ACL_FLOAT8_E8M0};
  return scales.contains(p.x1_scale.dtype()) && p.x1_scale.dtype() == p.x2_scale.dtype() &&
         (!p.bias.given() || p.bias.dtype() == ACL_FLOAT) &&
         (are(kFloat8) || (!p.is_mx() && are(DtypeSet{ACL_HIFLOAT8})));
}

/// One scale for each operand, those of tiles, or those for 32 of the depth.
void check_parts(const Plan& plan, const FloatParts& p) {
  const Dims &rows = p.x1_scale.shape(), &columns = p.x2_scale.shape();
  check_tiling(plan, !p.quant_scale.given(), "quantScale must be null");
  check_tiling(plan,
               rows.size() == columns.size() && rows.size() == (p.is_mx()      ? 3
                                                                : p.in_tiles() ? 2
                                                                               : 1),
               "x1Scale has shape %s, x2Scale %s", rows.text().c_str(), columns.text().c_str());
  const std::int64_t width = p.x2.shape()[1];
  check_tiling(plan, !p.bias.given() || p.bias.shape() == Dims{width},
               "bias has not a value a column");
  if (p.is_mx() || p.in_tiles())
    return check_grouped_scales(plan, p.x1, p.x2, p.x1_scale, p.bias, p.group_size, p.is_mx());
  check_tiling(plan, rows[0] == 1 && columns[0] == 1, "x1Scale has shape %s, x2Scale %s",
               rows.text().c_str(), columns.text().c_str());
  check_tiling(plan, p.group_size == 0, "groupSize is %lld, it must be 0", ll(p.group_size));
}

/// What is multiplied: rows of one rank, or of all.
void product_of_parts(Plan& plan, const FloatParts& p, const TensorArgument& x1,
                      const TensorArgument& x1_scale, const TensorArgument& out, BiasPlace place) {
  const Check tiling = kernel_tiling(plan);
  float_product(tiling, plan, without_gaps(plan, x1), p.x2, without_gaps(plan, x1_scale),
                p.x2_scale, p.bias, p.group_size, out, place);
}

/// Types on the 950, where the second versions multiply halves, or floats of 8 bits.
void check_second_950(const Check& check, const TensorArgument& x1, const TensorArgument& x2,
                      const TensorArgument& bias, const TensorArgument& output) {
  const DtypeSet results = kHalves | DtypeSet{ACL_FLOAT};
  check.dtype_in(kHalves | kByteFloats, x1, x2);
  check.dtype_in(results, output);
  if (bias.given()) check.dtype_in(results, bias);
  if (!kByteFloats.contains(x1.dtype())) return check_halves(check, x1, x2, bias, output);
  if (x1.dtype() == ACL_HIFLOAT8) check.same_dtype(x1, x2);
}

/// Whether x1 is one of the integers that the second versions take on A2 and A3, too.
bool check_types(const Check& check, bool first, const TensorArgument& x1, const TensorArgument& x2,
                 const TensorArgument& bias, const TensorArgument& output, const DtypeSet& narrow) {
  if (first) {
    check_halves(check, x1, x2, bias, output);
    return false;
  }
  check.that(on_a2_or_a3() || on_950(), "%s has no such kernel", chip().name);
  if (on_950()) {
    check_second_950(check, x1, x2, bias, output);
    return false;
  }
  check.dtype_in(kHalves | narrow, x1, x2);
  check.dtype_in(kHalves, output);
  return narrow.contains(x1.dtype());
}

}  // namespace

void all_gather_matmul(const Check& check, Plan& plan, const AllGatherMatmulV2Parameters& g) {
  check.not_null(g.x1, g.x2, g.output);
  const bool first = is_first(g.commMode);
  const FloatParts parts{g.x1, g.x2, g.bias, g.x1Scale, g.x2Scale, g.quantScale, g.groupSize};
  const bool small = !first && parts.is_small();
  const bool narrow = check_types(check, first, g.x1, g.x2, g.bias, g.output, {ACL_INT8, ACL_INT4});
  if (small && g.bias.given()) check.dtype_in(DtypeSet{ACL_FLOAT}, g.bias);
  check_stream_mode(check, g.streamMode);
  check.that(g.x1.rank() == 2, "x1 has %zu dimensions, it must have 2", g.x1.rank());
  check.that(g.x1.shape()[1] != 0, "the depth is 0");
  if (g.x1.is_empty() && (first || on_950())) return;
  if (small) {
    check_scales_given(check, parts, true);
    if (g.quantScale.given()) check_one_float(check, g.quantScale);
  }
  check_matrices(check, g.x1, g.x2);
  if (wanted(g.gatherOut))
    check.that(g.gatherOut.rank() == 2 && g.gatherOut.shape()[1] == g.x1.shape()[1],
               "gatherOut has shape %s beside a depth of %lld", g.gatherOut.shape().text().c_str(),
               ll(g.x1.shape()[1]));
  if (first || on_950()) check_depth(check, g.x1);
  const std::int64_t columns = g.x2.shape()[1];
  check.that(g.output.rank() == 2 && g.output.shape()[1] == columns,
             "output has shape %s beside %lld columns", g.output.shape().text().c_str(),
             ll(columns));
  check.that(!g.amaxOut.given() || !on_950() || small, "amaxOut is of 8 bit floats only");
  if (small && wanted(g.amaxOut)) check_one_float(check, g.amaxOut);
  check_view(check, g.x2);
  check_no_blocks(check, g.x2);
  check_second_mode(check, plan, g.commMode);
  const bool int4 = g.x1.dtype() == ACL_INT4;
  check_kernel_exists(plan, small ? has_parts_kernel(parts)
                                  : !int4 || !g.x2Scale.given() || g.x2Scale.dtype() == ACL_FLOAT);
  check_tiling(plan, first || on_950() || !g.bias.given(), "bias must be null");
  check_tiling(plan, small || g.x1.dtype() == g.x2.dtype(), "x1 and x2 differ in type");
  check_tiling(plan, g.gatherIndex == 0, "gatherIndex is %lld, it must be 0", ll(g.gatherIndex));
  const std::int64_t rows = g.x1.shape()[0], depth = g.x1.shape()[1];
  check_tiling(plan, !int4 || (depth % 2 == 0 && columns % 2 == 0),
               "x1 of int4 has a depth of %lld, x2 %lld columns", ll(depth), ll(columns));
  if (narrow) check_scales(plan, g.x1Scale, g.x2Scale, rows, columns, g.output.dtype());
  if (small) {
    check_tiling(plan, !wanted(g.amaxOut), "amaxOut must be null or empty");
    check_parts(plan, parts);
    check_tiling(plan, parts.is_mx() || !parts.in_tiles() || rows % kTile == 0,
                 "x1 has %lld rows, not a multiple of 128, beside scales of tiles", ll(rows));
  }
  const Ranks ranks = ranks_of_product(plan, g.group, first);
  if (first || on_950()) check_one_turn(plan, g.commTurn);
  const Dims gathered{rows * ranks.count, depth};
  check_result(plan, g.output, Dims{gathered[0], columns});
  if (wanted(g.gatherOut)) {
    check_result(plan, g.gatherOut, gathered);
    check.same_dtype(g.x1, g.gatherOut);
  }
  const TensorArgument x1 = int4 ? in_bytes(plan, g.x1) : in_storage_order(plan, g.x1);
  const TensorArgument all = plan.scratch("gathered", x1.dtype(), gathered);
  all_gather(plan, ranks, x1, all);
  if (wanted(g.gatherOut)) copy_bytes(plan, all, g.gatherOut);
  if (small) {
    // One scale is that of this rank, for the rows of all.
    const bool by_rows = parts.is_mx() || parts.in_tiles();
    Dims shape = g.x1Scale.shape();
    if (by_rows) shape.set(0, shape[0] * ranks.count);
    const TensorArgument of_all =
        by_rows ? plan.scratch("x1Scale", g.x1Scale.dtype(), shape) : without_gaps(plan, g.x1Scale);
    if (by_rows) all_gather(plan, ranks, g.x1Scale, of_all);
    return product_of_parts(plan, parts, all, of_all, g.output, BiasPlace::kFirst);
  }
  const TensorArgument row_scale = as_line(plan, g.x1Scale, narrow);
  const bool by_row = row_scale.given();
  const TensorArgument scales =
      by_row ? plan.scratch("scales", ACL_FLOAT, Dims{gathered[0]}) : TensorArgument(Absent());
  if (by_row) all_gather(plan, ranks, row_scale, scales);
  if (!int4) return any_product(check, plan, all, g.x2, scales, g.x2Scale, g.bias, g.output);
  const TensorArgument weight = in_bytes(plan, in_storage_order(plan, g.x2));
  const TensorArgument x2 =
      is_transposed(g.x2) ? exchanged_axes(plan, weight, 0) : without_gaps(plan, weight);
  any_product(check, plan, all, x2, scales, g.x2Scale, g.bias, g.output);
}

void matmul_reduce_scatter(const Check& check, Plan& plan,
                           const MatmulReduceScatterV2Parameters& g) {
  check.not_null(g.x1, g.x2, g.output);
  const bool first = is_first(g.commMode);
  const FloatParts parts{g.x1, g.x2, g.bias, g.x1Scale, g.x2Scale, g.quantScale, g.groupSize};
  const bool small = !first && parts.is_small();
  const bool narrow = check_types(check, first, g.x1, g.x2, g.bias, g.output, {ACL_INT8});
  if (!first && g.bias.given()) check.dtype_in(kHalves | DtypeSet{ACL_FLOAT}, g.bias);
  check_stream_mode(check, g.streamMode);
  if (on_late_950()) check_second_mode(check, plan, g.commMode);
  if (first || on_950()) {
    check.that(!first || (g.x1.rank() == 2 && g.x1.shape()[1] != 0), "x1 has no depth");
    if (g.x1.is_empty() || g.x2.is_empty()) return;
  }
  check_matrices(check, g.x1, g.x2);
  check_depth(check, g.x1);
  const std::int64_t columns = g.x2.shape()[1];
  check.that(!first || (g.output.rank() == 2 && g.output.shape()[1] == columns),
             "output has not the columns of x2");
  check.that(!on_950() || !g.amaxOutOptional.given(), "amaxOutOptional must be null");
  if (small) {
    check.dtype_in(kByteFloats, g.x2);
    check_scales_given(check, parts, false);
    const std::size_t rank = g.x1Scale.rank();
    check.that(rank == 1 || rank == 2 || (rank == 3 && parts.is_mx()), "x1Scale has %zu dimensions",
               rank);
  }
  check_view(check, g.x2);
  if (!on_late_950()) check_second_mode(check, plan, g.commMode);
  const bool in_blocks = g.x2.meta().format == ACL_FORMAT_FRACTAL_NZ;
  check_kernel_exists(plan, small ? has_parts_kernel(parts) && !in_blocks
                                  : !in_blocks || (!first && on_a2_or_a3()));
  check_tiling(plan, g.reduceOp.given() && g.reduceOp.text == "sum",
               "reduceOp is \"%s\", it must be \"sum\"", g.reduceOp.text.c_str());
  check_tiling(plan, small || g.x1.dtype() == g.x2.dtype(), "x1 and x2 differ in type");
  check_tiling(plan, narrow || small || g.output.dtype() == g.x1.dtype(),
               "x1 and output differ in type");
  check_tiling(plan,
               !g.bias.given() || g.bias.dtype() == ACL_FLOAT || g.bias.dtype() == g.output.dtype(),
               "bias and output differ in type");
  const std::int64_t rows = g.x1.shape()[0];
  if (narrow) check_scales(plan, g.x1Scale, g.x2Scale, rows, columns, g.output.dtype());
  if (small) check_parts(plan, parts);
  const Ranks ranks = ranks_of_product(plan, g.group, first);
  if (first || on_950()) check_one_turn(plan, g.commTurn);
  check_tiling(plan, rows % ranks.count == 0, "x1 has %lld rows, not a multiple of %d ranks",
               ll(rows), ranks.count);
  check_tiling(plan, !g.bias.given() || g.bias.shape() == Dims{columns},
               "bias has not a value a column");
  check_result(plan, g.output, Dims{rows / ranks.count, columns});
  const TensorArgument own = plan.scratch("product", g.output.dtype(), Dims{rows, columns});
  if (small) {
    product_of_parts(plan, parts, g.x1, g.x1Scale, own, BiasPlace::kByRelease);
  } else {
    const TensorArgument row_scale = as_line(plan, g.x1Scale, narrow);
    any_product(check, plan, g.x1, g.x2, row_scale, g.x2Scale, g.bias, own);
  }
  reduce_scatter(plan, ranks, own, g.output);
}

}  // namespace pyaclnn::sim
