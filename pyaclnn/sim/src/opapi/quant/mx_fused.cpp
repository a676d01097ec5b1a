// Normalised rows and gated halves in blocks that share an exponent.
// SPDX-License-Identifier: MIT
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "opapi/common/kernel_checks.hpp"
#include "opapi/norm/norm.hpp"
#include "opapi/quant/mx.hpp"
#include "opapi/quant/sources.hpp"
#include "parameters/AddRmsNormDynamicMxQuant.hpp"
#include "parameters/GroupedDynamicMxQuantWithDualAxis.hpp"
#include "parameters/SwigluBackwardMxQuantWithDualAxis.hpp"
#include "parameters/SwigluMxQuant.hpp"
#include "parameters/SwigluMxQuantWithDualAxis.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kMostGroups = 256;

/// The shape with another last extent.
Dims with_last(const Dims& shape, std::int64_t extent) {
  std::vector<std::int64_t> extents(shape.begin(), shape.end());
  extents.back() = extent;
  return Dims(extents.data(), extents.size());
}

void check_shape(const Plan& plan, const TensorArgument& tensor, const Dims& shape) {
  check_tiling(plan, tensor.shape() == shape, "%s has shape %s, it must have %s", tensor.name(),
               tensor.shape().text().c_str(), shape.text().c_str());
}

/// Refuses rows of 4 bits whose number is odd.
void check_even(const Plan& plan, const TensorArgument& y, std::int64_t width) {
  const NarrowFormat* const format = NarrowFormat::of(y.dtype());
  check_tiling(plan, format == nullptr || format->bits() == 8 || width % 2 == 0,
               "the rows of %s have %lld elements, an odd number", y.name(), ll(width));
}

/// Rows in blocks of 32, by what a caller asks for.
TilesCall row_blocks(Plan& plan, const MxCall& mx, const TensorArgument& scales, std::int64_t rows,
                     std::int64_t width, RowSource source) {
  TilesCall call;
  call.rows = rows;
  call.width = width;
  call.source = std::move(source);
  call.stores.push_back(mx_of_rows(plan, mx.y, scales, width, kMxBlock));
  return call;
}

void finish(Plan& plan, TilesCall call, const MxCall& mx) {
  for (TileStore& store : call.stores) {
    store.round = mx_round(mx.mode);
    store.scale = mx_scaler({mx.y.dtype(), mx.algorithm});
  }
  quantise_tiles(plan, std::move(call));
}

/// Rows of x with halves that are gated, and the groups that they belong to.
RowSource gated_rows_of(Plan& plan, const TensorArgument& x, HalvesGate gate) {
  const std::int64_t whole = x.shape().back();
  plan.stage(x).contiguous();
  gate.rounds_to = x.dtype();
  return gated_halves(rows_of(plan.reads(x), whole), whole / 2, gate);
}

RowGroups groups_of(Plan& plan, const TensorArgument& groups, bool counts) {
  if (!groups.given()) return {};
  plan.stage(groups).contiguous();
  return RowGroups(plan.reads(groups), counts);
}

}  // namespace

void add_rms_norm_dynamic_mx_quant(const Check&, Plan& plan,
                                   const AddRmsNormDynamicMxQuantParameters& given) {
  const TensorArgument& x = given.x1;
  const Dims& shape = x.shape();
  const std::size_t rank = shape.size();
  for (std::size_t i = 0; i + given.gamma.rank() < rank; ++i)
    if (shape[i] == 0) return;
  check_tiling(plan, rank >= 1 && rank <= 7, "%s has %zu dimensions, it must have 1 to 7", x.name(),
               rank);
  if (given.x2.given()) check_shape(plan, given.x2, shape);
  check_tiling(plan, given.gamma.rank() == 1 && given.gamma.shape()[0] == shape.back(),
               "gamma has shape %s beside rows of %lld", given.gamma.shape().text().c_str(),
               ll(shape.back()));
  if (given.beta.given()) check_shape(plan, given.beta, given.gamma.shape());
  check_tiling(plan, given.gamma.dtype() == x.dtype() || given.gamma.dtype() == ACL_FLOAT,
               "gamma must have the type of %s, or float32", x.name());
  check_tiling(plan, !given.beta.given() || given.beta.dtype() == given.gamma.dtype(),
               "beta is of another type than gamma");
  const MxCall mx{given.yOut, given.roundMode, given.dstType, given.scaleAlg};
  check_mx(plan, mx);
  check_mx_shape(plan, x, given.yOut);
  if (given.xOut.given()) check_shape(plan, given.xOut, shape);
  check_mx_scales(plan, x, rank - 1, kMxBlock, given.mxscaleOut);
  if (given.outputRstd) check_shape(plan, given.rstdOut, with_last(shape, 1));
  plan.result(given.yOut.dtype(), shape).copy_to(given.yOut);
  if (x.is_empty()) {
    if (given.outputRstd) launch_fill(plan, given.rstdOut, std::numeric_limits<float>::quiet_NaN());
    return;
  }
  Normalised source;
  source.refines_root = true;
  source.width = shape.back();
  source.epsilon = float(given.epsilon);
  source.dtype = x.dtype();
  source.rounds = true;
  source.x1 = read_rows(plan, x);
  source.x2 = read_rows(plan, given.x2);
  source.gamma = read_rows(plan, given.gamma);
  source.beta = read_rows(plan, given.beta);
  if (given.xOut.given()) source.sum = RowMajor(plan.writes(given.xOut));
  if (given.outputRstd) source.inverse = RowMajor(plan.writes(given.rstdOut));
  const std::int64_t rows = x.elements() / source.width;
  const std::int64_t width = source.width;
  finish(plan, row_blocks(plan, mx, given.mxscaleOut, rows, width, std::move(source)), mx);
}

void swiglu_mx_quant(const Check&, Plan& plan, const SwigluMxQuantParameters& given) {
  const Dims& shape = given.x.shape();
  const auto rank = std::int64_t(shape.size());
  const auto is_last = [&](std::int64_t axis) { return axis == -1 || axis == rank - 1; };
  check_tiling(plan, rank >= 2 && rank <= 7 && !given.x.is_empty(),
               "x has shape %s, it must have 2 to 7 dimensions and elements", shape.text().c_str());
  const TensorArgument& groups = given.groupIndexOptional;
  if (groups.given())
    check_tiling(plan,
                 groups.rank() == 1 && groups.elements() > 0 && groups.elements() <= kMostGroups,
                 "groupIndexOptional has shape %s, it must be a list of up to 256",
                 groups.shape().text().c_str());
  const bool clamped = given.swigluMode == 1;
  check_tiling(plan, clamped || given.swigluMode == 0, "swigluMode is %lld, it must be 0 or 1",
               ll(given.swigluMode));
  check_tiling(plan, !clamped || float(given.clampLimit) > 0, "clampLimit is %g",
               double(given.clampLimit));
  check_tiling(plan, is_last(given.activateDim) && is_last(given.axis),
               "activateDim is %lld and axis %lld, only the last has a kernel",
               ll(given.activateDim), ll(given.axis));
  const bool other = given.scaleAlg == 2 && given.dstType < ACL_FLOAT4_E2M1;
  // The kernel tells 0 from all others.
  const MxCall mx{given.yOut, given.roundModeOptional, given.dstType, other ? 1 : given.scaleAlg};
  check_mx(plan, mx);
  check_tiling(plan, other || given.scaleAlg < 2, "scaleAlg must be 0 beside float4");
  check_tiling(plan, shape.back() % 2 == 0, "the last axis of x has %lld elements, an odd number",
               ll(shape.back()));
  const std::int64_t width = shape.back() / 2;
  check_even(plan, given.yOut, width);
  check_shape(plan, given.yOut, with_last(shape, width));
  check_mx_scales(plan, given.yOut, std::size_t(rank - 1), kMxBlock, given.mxscaleOut);
  const HalvesGate gate =
      halves_gate(given.activateLeft, clamped, given.clampLimit, given.gluAlpha, given.gluBias);
  TilesCall call = row_blocks(plan, mx, given.mxscaleOut, given.yOut.elements() / width, width,
                              gated_rows_of(plan, given.x, gate));
  call.groups = groups_of(plan, groups, given.groupMode == 0);
  finish(plan, std::move(call), mx);
}

void swiglu_mx_quant_with_dual_axis(const Check&, Plan& plan,
                                    const SwigluMxQuantWithDualAxisParameters& given) {
  const MxCall mx{given.y1Out, given.roundModeOptional, given.dstType, given.scaleAlg};
  check_mx(plan, mx);
  check_tiling(plan, given.scaleAlg != 2, "scaleAlg is 2, it must be 0 or 1");
  check_tiling(plan, given.y2Out.dtype() == given.y1Out.dtype(), "y1Out and y2Out differ in type");
  const Dims& shape = given.x.shape();
  check_tiling(plan, shape.size() == 2 && !given.x.is_empty() && shape.back() % 2 == 0,
               "x has shape %s, it must be a matrix with an even number of columns",
               shape.text().c_str());
  const std::int64_t width = shape.back() / 2, rows = shape[0];
  check_even(plan, given.y1Out, width);
  const Dims halved{rows, width};
  check_shape(plan, given.y1Out, halved);
  check_shape(plan, given.y2Out, halved);
  const TensorArgument& groups = given.groupIndexOptional;
  check_tiling(plan, !groups.given() || (groups.rank() == 1 && groups.elements() > 0),
               "groupIndexOptional is no list");
  check_mx_scales(plan, given.y1Out, 1, kMxBlock, given.mxscale1Out);
  const std::int64_t pairs = rows / (2 * kMxBlock);
  check_shape(
      plan, given.mxscale2Out,
      Dims{pairs + (groups.given() ? groups.elements() : rows % (2 * kMxBlock) != 0), width, 2});
  HalvesGate gate;
  gate.left = given.activateLeft;
  TilesCall call = dual_axis_call(plan, halved, gated_rows_of(plan, given.x, gate),
                                  {given.y1Out, given.mxscale1Out, given.y2Out, given.mxscale2Out});
  call.groups = groups_of(plan, groups, false);
  finish(plan, std::move(call), mx);
}

void grouped_dynamic_mx_quant_with_dual_axis(
    const Check&, Plan& plan, const GroupedDynamicMxQuantWithDualAxisParameters& given) {
  const Dims& shape = given.x.shape();
  const TensorArgument& groups = given.groupIndex;
  check_tiling(plan, shape.size() == 2 && shape[1] > 0 && shape[1] % (2 * kMxBlock) == 0,
               "x has shape %s, it must be a matrix with a multiple of 64 columns",
               shape.text().c_str());
  check_tiling(plan, groups.rank() == 1 && groups.elements() > 0, "groupIndex is no list");
  check_tiling(plan, given.y2Out.dtype() == given.y1Out.dtype(), "y1Out and y2Out differ in type");
  const MxCall mx{given.y1Out, given.roundModeOptional, given.dstDtype, given.scaleAlg};
  check_mx(plan, mx);
  check_tiling(plan, given.scaleAlg == 1, "scaleAlg is %lld, it must be 1", ll(given.scaleAlg));
  check_tiling(plan, float(given.maxDtypeValue) == 0, "maxDtypeValue is %g, it must be 0",
               double(given.maxDtypeValue));
  check_shape(plan, given.y1Out, shape);
  check_shape(plan, given.y2Out, shape);
  check_mx_scales(plan, given.x, 1, kMxBlock, given.y1ScaleOut);
  check_shape(plan, given.y2ScaleOut,
              Dims{shape[0] / (2 * kMxBlock) + groups.elements(), shape[1], 2});
  if (given.x.is_empty()) return;
  plan.stage(given.x).contiguous();
  TilesCall call = dual_axis_call(plan, shape, rows_of(plan.reads(given.x), shape[1]),
                                  {given.y1Out, given.y1ScaleOut, given.y2Out, given.y2ScaleOut});
  call.groups = groups_of(plan, groups, false);
  finish(plan, std::move(call), mx);
}

void swiglu_backward_mx_quant_with_dual_axis(
    const Check&, Plan& plan, const SwigluBackwardMxQuantWithDualAxisParameters& given) {
  const MxCall mx{given.y1Out, given.roundModeOptional, given.dstDtype, given.scaleAlg};
  check_mx(plan, mx);
  check_tiling(plan, given.scaleAlg == 1, "scaleAlg is %lld, it must be 1", ll(given.scaleAlg));
  check_tiling(plan, given.activateLeft, "activateLeft is false");
  check_tiling(plan, given.yGrad.dtype() == given.x.dtype(), "yGrad is of another type than x");
  const Dims& shape = given.x.shape();
  const std::size_t rank = shape.size();
  constexpr std::int64_t kColumns = 64;
  check_tiling(plan, rank >= 2 && rank <= 6 && !given.x.is_empty() && shape.back() % kColumns == 0,
               "x has shape %s, it must have 2 to 6 dimensions and a multiple of 64 columns",
               shape.text().c_str());
  check_shape(plan, given.y1Out, shape);
  check_shape(plan, given.y2Out, shape);
  check_shape(plan, given.yGrad, with_last(shape, shape.back() / 2));
  const TensorArgument& groups = given.groupIndexOptional;
  check_tiling(plan, !groups.given() || (groups.rank() == 1 && groups.elements() > 0),
               "groupIndexOptional is no list");
  check_mx_scales(plan, given.x, rank - 1, kMxBlock, given.mxscale1Out);
  std::vector<std::int64_t> scales(shape.begin(), shape.end());
  const std::int64_t rows = shape.end()[-2];
  scales.end()[-2] =
      rows / (2 * kMxBlock) + (groups.given() ? groups.elements() : rows % (2 * kMxBlock) != 0);
  scales.push_back(2);
  check_shape(plan, given.mxscale2Out, Dims(scales.data(), scales.size()));
  plan.stage(given.x).contiguous();
  plan.stage(given.yGrad).contiguous();
  const std::int64_t width = shape.back() / 2;
  RowSource gradients =
      gated_gradients(rows_of(plan.reads(given.x), 2 * width),
                      rows_of(plan.reads(given.yGrad), width), width, given.x.dtype());
  TilesCall call = dual_axis_call(plan, shape, std::move(gradients),
                                  {given.y1Out, given.mxscale1Out, given.y2Out, given.mxscale2Out});
  call.groups = groups_of(plan, groups, false);
  finish(plan, std::move(call), mx);
}

}  // namespace pyaclnn::sim
