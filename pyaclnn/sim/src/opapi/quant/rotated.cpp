// Rows that are multiplied by small matrices, or scattered, and quantised.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/copy/contiguous.hpp"
#include "opapi/indexing/index_add.hpp"
#include "opapi/product/gemm.hpp"
#include "opapi/quant/mx.hpp"
#include "opapi/quant/sources.hpp"
#include "parameters/FlatQuantV3.hpp"
#include "parameters/InplaceQuantScatterV2.hpp"
#include "parameters/RotateQuant.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kInWord = 8;  // numbers of int4 in an int32

/// The matrices of a contiguous view, one for all of them where `repeats`.
View matrices(View view, std::int64_t count, std::int64_t rows, std::int64_t columns,
              bool repeats = false) {
  view.shape = Dims{count, rows, columns};
  view.strides = Dims{repeats ? 0 : rows * columns, columns, 1};
  return view;
}

/// Plans out = a b, rounded to the type of out.
void multiply(Plan& plan, View a, View b, View out) {
  Gemm gemm;
  gemm.product = out.dtype;
  gemm.a = std::move(a);
  gemm.b = std::move(b);
  gemm.out = std::move(out);
  launch_gemm(plan, std::move(gemm));
}

/// What FlatQuant refuses of shapes.
void check_flat(const Check& check, const FlatQuantV3Parameters& c) {
  constexpr std::int64_t kMostRows = 262144, kMostColumns = 256;
  const Dims &x = c.x.shape(), &p1 = c.kroneckerP1.shape(), &p2 = c.kroneckerP2.shape();
  const Dims &out = c.out.shape(), &scale = c.quantScale.shape();
  const bool in_blocks = c.out.dtype() == ACL_FLOAT4_E2M1;
  check.that(in_blocks || (scale.size() == 1 && p2.size() == 2),
             "quantScale must have 1 dimension, and kroneckerP2 2");
  check.that(p1.size() == 2 && x.size() == 3, "kroneckerP1 must have 2 dimensions, and x 3");
  check.that(out.size() == (in_blocks ? 2 : 3) && scale.size() == (in_blocks ? 3 : 1),
             "out has shape %s, and quantScale %s", out.text().c_str(), scale.text().c_str());
  check.that(x[0] > 0 && x[1] > 0 && x[2] > 0 && x[0] <= kMostRows && x[1] <= kMostColumns &&
                 x[2] <= kMostColumns,
             "x has shape %s, it must have 1 to 262144 matrices of up to 256 rows and columns",
             x.text().c_str());
  const bool words = c.out.dtype() == ACL_INT32;
  check.that(x[2] % (words ? kInWord : 2) == 0, "x has %lld columns, no multiple of %lld", ll(x[2]),
             ll(words ? kInWord : 2));
  check.that(p1 == Dims({x[1], x[1]}), "kroneckerP1 has shape %s beside x of shape %s",
             p1.text().c_str(), x.text().c_str());
  check.that(in_blocks || p2 == Dims({x[2], x[2]}), "kroneckerP2 has shape %s beside x of shape %s",
             p2.text().c_str(), x.text().c_str());
  check.that(scale[0] == x[0], "quantScale has shape %s, and x %s", scale.text().c_str(),
             x.text().c_str());
  check.that(
      in_blocks || (out[0] == x[0] && out[1] == x[1] && out[2] * (words ? kInWord : 1) == x[2]),
      "out has shape %s, and x %s", out.text().c_str(), x.text().c_str());
  check_not_in_nz(check, {&c.x, &c.out, &c.quantScale});
}

/// Matrices of float16 as int4: the largest magnitude, clipped, becomes 7, and what is scaled is
/// float16 before it is a number.
struct ClippedInt4 {
  QuantOut out;
  RowMajor scales;
  float clip;

  void operator()(const KernelMemory& memory, const RowPlace& place, float* values, float*) const {
    constexpr float kMost = 7;
    float size = 0;
    for (std::int64_t i = 0; i < place.width; ++i)
      if (const float own = std::fabs(values[i]); !(own <= size)) size = own;
    const float scale = size * clip / kMost;
    const float factor = size != 0 ? kMost / clip / size : kMost;
    for (std::int64_t i = 0; i < place.width; ++i) values[i] *= factor;
    round_as_stored(values, place.width, ACL_FLOAT16);
    out.write(memory, place.row * place.width, place.width, values, Round::kRint);
    RowMajorAccess(scales, memory).write(place.row, 1, &scale);
  }
};

/// What InplaceQuantScatter refuses where its work is divided.
void check_scatter(const Plan& plan, const InplaceQuantScatterV2Parameters& c) {
  const Dims& shape = c.updates.shape();
  const auto rank = std::int64_t(shape.size());
  check_tiling(plan, rank >= 3 && rank <= 8, "updates has %lld dimensions, it must have 3 to 8",
               ll(rank));
  const std::int64_t axis = c.axis < 0 ? c.axis + rank : c.axis;
  check_tiling(plan, axis >= 1 && axis <= rank - 2, "axis is %lld beside %lld dimensions",
               ll(c.axis), ll(rank));
  check_tiling(plan, c.quantAxis == -1 || c.quantAxis == rank - 1,
               "quantAxis is %lld, only the last has a kernel", ll(c.quantAxis));
  const std::int64_t scales = c.quantScales.elements(), last = shape.back();
  check_tiling(plan, scales == last, "quantScales has %lld elements beside rows of %lld",
               ll(scales), ll(last));
  check_tiling(plan,
               !c.quantZeroPoints.given() || c.quantZeroPoints.is_empty() ||
                   c.quantZeroPoints.elements() == scales,
               "quantZeroPoints has %lld elements beside rows of %lld",
               ll(c.quantZeroPoints.given() ? c.quantZeroPoints.elements() : 0), ll(last));
  constexpr std::int64_t kAligned = 32;
  check_tiling(plan, on_950() || last % kAligned == 0, "rows have %lld elements, no multiple of 32",
               ll(last));
  check_tiling(plan, c.indices.rank() == 1 || c.indices.rank() == 2,
               "indices has %zu dimensions, it must have 1 or 2", c.indices.rank());
  check_tiling(plan, shape[0] <= c.selfRef.shape()[0], "updates has more rows than selfRef");
}

/// Rows whose blocks are cut to a part of their largest magnitude, where that is between 0 and 1.
struct CutBlocks {
  RowSource rows;
  RowMajor part;

  void operator()(const KernelMemory& memory, const RowPlace& place, float* to) const {
    rows(memory, place, to);
    if (!part.given()) return;
    const float factor = RowMajorAccess(part, memory).values().front();
    if (!(factor > 0 && factor < 1)) return;
    for (float* block = to; block < to + place.width; block += kMxBlock) {
      float limit = 0;
      for (std::int64_t i = 0; i < kMxBlock; ++i) limit = std::max(limit, std::fabs(block[i]));
      limit *= factor;
      round_as_stored(&limit, 1, ACL_BF16);
      for (std::int64_t i = 0; i < kMxBlock; ++i) block[i] = std::clamp(block[i], -limit, limit);
    }
  }
};

/// Rows in blocks that share an exponent; those of subnormal numbers are 0.
TileStore blocks_of_rows(Plan& plan, const TensorArgument& out, const TensorArgument& scales,
                         std::int64_t width, std::int64_t algorithm, float most) {
  TileStore store = mx_of_rows(plan, out, scales, width, kMxBlock);
  store.scale = [find = mx_scaler({out.dtype(), algorithm, most}),
                 flushes = algorithm == 0](float found) {
    const TileScale scale = find(found);
    return TileScale{scale.stored, flushes && scale.stored == kNoMxScale ? 0 : scale.factor};
  };
  return store;
}

/// What RotateQuant refuses of shapes beside blocks that share an exponent.
void check_rotated_blocks(const Check& check, const RotateQuantParameters& c) {
  const Dims &x = c.x.shape(), &rotation = c.rotation.shape();
  check.that(!x.empty() && !rotation.empty(), "x or rotation has no dimensions");
  const std::int64_t size = rotation.back();
  check.that(size == 32 || size == 64 || size == 128,
             "rotation has %lld columns, it must have 32, 64 or 128", ll(size));
  const std::int64_t parts = x.back() / size;
  check.that(x.back() % size == 0, "x has %lld columns, no multiple of %lld", ll(x.back()),
             ll(size));
  check.that(x.size() <= 7, "x has %zu dimensions, it must have 1 to 7", x.size());
  check.that(rotation == Dims({size, size}) || rotation == Dims({parts, size, size}),
             "rotation has shape %s beside x of shape %s", rotation.text().c_str(),
             x.text().c_str());
  check.that(c.yOut.shape() == x, "yOut has shape %s, and x %s", c.yOut.shape().text().c_str(),
             x.text().c_str());
  Dims scales = x;
  scales.set(x.size() - 1, pieces(x.back(), 2 * kMxBlock));
  scales.push_back(2);
  check.that(c.scaleOut.shape() == scales, "scaleOut has shape %s, it must have %s",
             c.scaleOut.shape().text().c_str(), scales.text().c_str());
}

/// What it refuses of the attributes of such blocks.
void check_rotated_ways(const Check& check, const RotateQuantParameters& c) {
  const TensorArgument& alpha = c.alpha;
  if (alpha.given()) {
    check.dtype_in(DtypeSet{ACL_BF16}, alpha);
    check.that(alpha.shape() == Dims{1}, "alpha has shape %s, it must have one element",
               alpha.shape().text().c_str());
  }
  const auto last = std::int64_t(c.x.rank()) - 1;
  check.that(c.axis == -1 || c.axis == last, "axis is %lld, it must be -1 or %lld", ll(c.axis),
             ll(last));
  const bool halved = c.yOut.dtype() == ACL_FLOAT4_E2M1;
  const std::string mode = c.roundMode.given() ? c.roundMode.text : "rint";
  check.that(mode == "rint" || (halved && (mode == "floor" || mode == "round")),
             "roundMode is \"%s\", it must be rint, or floor or round beside float4", mode.c_str());
  check.that(c.scaleAlg == 0 || c.scaleAlg == (halved ? 2 : 1),
             "scaleAlg is %lld, it must be 0, 1 beside float8, or 2 beside float4", ll(c.scaleAlg));
  check.that(c.scaleAlg == 2 ? c.dstTypeMax >= 6 && c.dstTypeMax <= 12 : c.dstTypeMax == 0,
             "dstTypeMax is %g, it must be from 6 to 12 where scaleAlg is 2, and 0 else",
             c.dstTypeMax);
  check.that(!c.trans, "trans is true");
}

/// y = blocks of 32 of each row's parts times a matrix, one for all or one for each part.
void rotate_to_blocks(const Check& check, Plan& plan, const RotateQuantParameters& c) {
  check_rotated_blocks(check, c);
  check_not_in_nz(check, {&c.x, &c.rotation, &c.yOut, &c.scaleOut});
  check_rotated_ways(check, c);
  if (c.x.is_empty()) return;
  const std::int64_t width = c.x.shape().back(), size = c.rotation.shape().back();
  const std::int64_t rows = c.x.elements() / width, parts = width / size;
  const bool one = c.rotation.rank() == 2;
  // The matrix unit hands over bfloat16, whatever x is of.
  const TensorArgument turned = plan.scratch("rotated", ACL_BF16, c.x.shape());
  View from = matrices(contiguous_view(plan, c.x), parts, rows, size);
  View to = matrices(plan.writes(turned), parts, rows, size);
  for (View* view : {&from, &to}) view->strides = Dims{size, width, 1};
  multiply(plan, from, matrices(contiguous_view(plan, c.rotation), parts, size, size, one), to);
  TilesCall call;
  call.rows = rows;
  call.width = width;
  CutBlocks source{rows_of(plan.reads(turned), width), {}};
  if (c.alpha.given()) source.part = RowMajor(plan.reads(c.alpha));
  call.source = std::move(source);
  call.stores.push_back(
      blocks_of_rows(plan, c.yOut, c.scaleOut, width, c.scaleAlg, float(c.dstTypeMax)));
  call.stores[0].round = mx_round(c.roundMode);
  quantise_tiles(plan, std::move(call));
}

}  // namespace

void flat_quant(const Check& check, Plan& plan, const FlatQuantV3Parameters& given) {
  check_flat(check, given);
  check.that(given.clipRatio > 0 && given.clipRatio <= 1, "clipRatio is %g, it must be in (0, 1]",
             given.clipRatio);
  check.that(given.dstTypeMax == 0 || (given.dstTypeMax >= 6 && given.dstTypeMax <= 12),
             "dstTypeMax is %g, it must be 0, or from 6 to 12", given.dstTypeMax);
  const TensorArgument& groups = given.groupListOptional;
  if (groups.given()) {
    constexpr std::int64_t kMostGroups = 1024;
    check.that(!on_950(), "groupListOptional is given");
    check.that(given.groupListType >= 0 && given.groupListType <= 2, "groupListType is %lld",
               ll(given.groupListType));
    const Dims& shape = groups.shape();
    check.that(given.groupListType == 2 ? shape.size() == 2 && shape[1] == 2 : shape.size() == 1,
               "groupListOptional has shape %s", shape.text().c_str());
    check.that(shape[0] <= kMostGroups, "groupListOptional has %lld groups", ll(shape[0]));
    fail_not_simulated(plan, "groups");
  }
  const bool in_blocks = given.out.dtype() == ACL_FLOAT4_E2M1;
  const Dims &shape = given.x.shape(), &factor = given.kroneckerP2.shape();
  const std::int64_t count = shape[0], rows = shape[1], columns = shape[2], width = rows * columns;
  check_tiling(plan, factor == Dims({columns, columns}) || factor == Dims({0, 0}),
               "kroneckerP2 has shape %s beside x of shape %s", factor.text().c_str(),
               shape.text().c_str());
  check_inside(plan, given.quantScale.dtype() == (in_blocks ? ACL_FLOAT8_E8M0 : ACL_FLOAT),
               "quantScale must be float32, or float8_e8m0 beside float4");
  check_inside(
      plan,
      !in_blocks || (given.out.shape() == Dims({count, width}) &&
                     given.quantScale.shape() == Dims({count, pieces(width, 2 * kMxBlock), 2})),
      "out has shape %s, and quantScale %s", given.out.shape().text().c_str(),
      given.quantScale.shape().text().c_str());
  // int4 is made in x's format, and copied to out, which has to have it unless it is ND.
  const aclFormat format = given.x.meta().format;
  check.that(in_blocks || format == ACL_FORMAT_ND || format == given.out.meta().format,
             "x has format %d, and out %d", int(format), int(given.out.meta().format));
  const View x = contiguous_view(plan, given.x);
  const View left_factor = contiguous_view(plan, given.kroneckerP1);
  const View right_factor = contiguous_view(plan, given.kroneckerP2);
  const TensorArgument right = plan.scratch("x P2", given.x.dtype(), shape);
  const TensorArgument both = plan.scratch("P1 x P2", in_blocks ? ACL_BF16 : ACL_FLOAT16, shape);
  // Without a right factor there is x alone, which float4 allows.
  if (factor[0] != 0)
    multiply(plan, matrices(x, count, rows, columns),
             matrices(right_factor, count, columns, columns, true), plan.writes(right));
  multiply(plan, matrices(left_factor, count, rows, rows, true),
           matrices(factor[0] != 0 ? plan.reads(right) : x, count, rows, columns),
           plan.writes(both));
  if (in_blocks) {
    TilesCall tiles;
    tiles.rows = count;
    tiles.width = width;
    tiles.source = rows_of(plan.reads(both), width);
    tiles.stores.push_back(blocks_of_rows(plan, given.out, given.quantScale, width,
                                          given.dstTypeMax == 0 ? 0 : 2, float(given.dstTypeMax)));
    return quantise_tiles(plan, std::move(tiles));
  }
  QuantRowsCall call;
  call.rows = count;
  call.width = width;
  call.source = rows_of(plan.reads(both), width);
  call.stores.push_back(ClippedInt4{
      QuantOut(plan, given.out), RowMajor(plan.writes(given.quantScale)), float(given.clipRatio)});
  quantise_rows(plan, std::move(call));
}

void rotate_quant(const Check& check, Plan& plan, const RotateQuantParameters& given) {
  if (on_950()) return rotate_to_blocks(check, plan, given);
  const Dims &x = given.x.shape(), &rotation = given.rotation.shape();
  const Dims &y = given.yOut.shape(), &scale = given.scaleOut.shape();
  check.that(x.size() == 2 && rotation.size() == 2, "x and rotation must have 2 dimensions");
  const std::int64_t rows = x[0], width = x[1], size = rotation[1];
  const bool words = given.yOut.dtype() == ACL_INT32;
  check.that(width % kInWord == 0, "x has %lld columns, no multiple of 8", ll(width));
  check.that(size != 0 && width % size == 0 && rotation[0] == size,
             "rotation has shape %s beside x of shape %s", rotation.text().c_str(),
             x.text().c_str());
  check.that(y == Dims({rows, words ? width / kInWord : width}), "yOut has shape %s, and x %s",
             y.text().c_str(), x.text().c_str());
  check.that(scale == Dims{rows}, "scaleOut has shape %s beside %lld rows", scale.text().c_str(),
             ll(rows));
  check_not_in_nz(check, {&given.x, &given.rotation, &given.yOut, &given.scaleOut});
  check.that(!given.alpha.given(), "alpha is given");
  check.that(given.axis == -1 || given.axis == 1, "axis is %lld, it must be -1 or 1",
             ll(given.axis));
  // The kernel rounds to even, whatever mode is asked for.
  const std::string mode = given.roundMode.given() ? given.roundMode.text : "rint";
  check.that(mode == "rint" || mode == "floor" || mode == "round", "roundMode is \"%s\"",
             mode.c_str());
  check.that(given.scaleAlg == 0, "scaleAlg is %lld, it must be 0", ll(given.scaleAlg));
  check.that(given.dstTypeMax == 0, "dstTypeMax is %g, it must be 0", given.dstTypeMax);
  check.that(!given.trans, "trans is true");
  if (given.x.is_empty() || given.yOut.is_empty()) return;
  constexpr std::int64_t kLeastWidth = 128, kMostWidth = 16000, kLeastSize = 16, kMostSize = 1024;
  check_tiling(plan, width >= kLeastWidth && width <= kMostWidth,
               "x has %lld columns, it must have 128 to 16000", ll(width));
  check_tiling(plan, size >= kLeastSize && size <= kMostSize,
               "rotation has %lld columns, it must have 16 to 1024", ll(size));
  const View whole = contiguous_view(plan, given.x);
  const View factor = contiguous_view(plan, given.rotation);
  const TensorArgument turned = plan.scratch("rotated", given.x.dtype(), x);
  const std::int64_t parts = rows * (width / size);
  multiply(plan, matrices(whole, 1, parts, size), matrices(factor, 1, size, size),
           matrices(plan.writes(turned), 1, parts, size));
  QuantRowsCall call;
  call.rows = rows;
  call.width = width;
  call.source = rows_of(plan.reads(turned), width);
  RowQuantiser quantiser;
  quantiser.mode = QuantMode::kSymmetric;
  quantiser.multiplies = true;
  quantiser.scale_out = RowMajor(plan.writes(given.scaleOut));
  quantiser.out = QuantOut(plan, given.yOut);
  call.stores.push_back(std::move(quantiser));
  quantise_rows(plan, std::move(call));
}

void inplace_quant_scatter(const Check&, Plan& plan, const InplaceQuantScatterV2Parameters& given) {
  check_scatter(plan, given);
  if (given.roundMode.given() && given.roundMode.text == "hybrid")
    fail_not_simulated(plan, "the hybrid rounding of hifloat8, which draws");
  plan.stage(given.updates).contiguous();
  const TensorArgument narrow =
      plan.scratch("quantised", given.selfRef.dtype(), given.updates.shape());
  QuantRowsCall call;
  call.width = given.updates.shape().back();
  call.rows = given.updates.elements() / call.width;
  call.source = rows_of(plan.reads(given.updates), call.width);
  RowQuantiser quantiser;
  quantiser.divides = true;
  quantiser.scale = RowFactors(plan, given.quantScales, call.width);
  quantiser.offset = RowFactors(plan, given.quantZeroPoints, call.width);
  quantiser.round = given.selfRef.dtype() == ACL_HIFLOAT8 ? Round::kRound : Round::kRint;
  quantiser.out = QuantOut(plan, narrow);
  call.stores.push_back(std::move(quantiser));
  quantise_rows(plan, std::move(call));
  scatter_update(plan, given.selfRef, given.indices, narrow, given.axis);
}

}  // namespace pyaclnn::sim
