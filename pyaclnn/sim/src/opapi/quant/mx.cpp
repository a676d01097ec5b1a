// Blocks of numbers that share an exponent.
// SPDX-License-Identifier: MIT
#include "opapi/quant/mx.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/round_stored.hpp"
#include "parameters/DynamicBlockMxQuant.hpp"
#include "parameters/DynamicDualLevelMxQuant.hpp"
#include "parameters/DynamicMxQuantV3.hpp"
#include "parameters/DynamicMxQuantWithDualAxisV2.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kLongestBlock = 1024;
constexpr std::int64_t kOuterBlock = 512;

RowSource rows_read(Plan& plan, const TensorArgument& x, std::int64_t width) {
  plan.stage(x).contiguous();
  return rows_of(plan.reads(x), width);
}

/// Rows times factors, each 512 numbers divided by a scale that makes the largest of them 6, and
/// rounded to their own type.
struct OuterBlocks {
  RowSource rows;
  RowFactors smooth;
  RowMajor scales;
  aclDataType dtype;

  void operator()(const KernelMemory& memory, const RowPlace& place, float* to) const {
    rows(memory, place, to);
    const std::int64_t width = place.width;
    std::vector<float> buffer(std::size_t(width), 0.0f), found;
    if (smooth.given()) {
      const float* const factors = smooth.read(memory, place.row, 0, buffer.data());
      for (std::int64_t i = 0; i < width; ++i) to[i] *= factors[i];
      round_as_stored(to, width, dtype);
    }
    for (std::int64_t at = 0; at < width; at += kOuterBlock) {
      const std::int64_t end = std::min(width, at + kOuterBlock);
      float size = 0;
      for (std::int64_t i = at; i < end; ++i)
        if (std::isfinite(to[i])) size = std::max(size, std::fabs(to[i]));
      constexpr float kInverse6 = 0x1.555556p-3f;
      float scale = size * kInverse6;
      if (scale < std::numeric_limits<float>::min()) scale = 0;
      found.push_back(scale);
      for (std::int64_t i = at; i < end; ++i)
        if (to[i] != 0) to[i] /= scale;
    }
    round_as_stored(to, width, dtype);
    const auto count = std::int64_t(found.size());
    RowMajorAccess(scales, memory).write(place.row * count, count, found.data());
  }
};

}  // namespace

Round mx_round(const Text& mode) {
  if (!mode.given()) return Round::kRint;
  return mode.text == "floor" ? Round::kFloor : mode.text == "round" ? Round::kRound : Round::kRint;
}

void check_mx(const Plan& plan, const MxCall& call) {
  constexpr double kLeast = 6, kMost = 12;
  const std::string mode = call.mode.given() ? call.mode.text : "rint";
  const aclDataType dtype = call.y.dtype();
  check_tiling(plan, mode == "rint" || mode == "floor" || mode == "round",
               "the rounding is \"%s\", it must be rint, floor or round", mode.c_str());
  check_tiling(plan, is_float4(dtype) || mode == "rint", "the rounding must be rint beside float8");
  check_tiling(plan, std::int64_t(dtype) == call.dtype, "%s is not of dstType", call.y.name());
  check_tiling(plan, call.algorithm >= 0 && call.algorithm <= 2, "scaleAlg is %lld",
               ll(call.algorithm));
  check_tiling(plan,
               call.algorithm == 0 || (call.algorithm == 1 && !is_float4(dtype)) ||
                   (call.algorithm == 2 && dtype == ACL_FLOAT4_E2M1),
               "scaleAlg must be 0, 1 beside float8, or 2 beside float4_e2m1");
  check_tiling(plan, call.largest == 0 || (call.largest >= kLeast && call.largest <= kMost),
               "dstTypeMax is %g, it must be 0, or from 6 to 12", call.largest);
}

void check_mx_shape(const Plan& plan, const TensorArgument& x, const TensorArgument& y) {
  check_tiling(plan, !is_float4(y.dtype()) || x.shape().back() % 2 == 0,
               "the last axis of %s must be even", x.name());
  check_tiling(plan, y.shape() == x.shape(), "%s has another shape than %s", y.name(), x.name());
}

void check_mx_scales(const Plan& plan, const TensorArgument& x, std::size_t axis,
                     std::int64_t block, const TensorArgument& scales) {
  std::vector<std::int64_t> shape(x.shape().begin(), x.shape().end());
  shape[axis] = shape[axis] / (2 * block) + (shape[axis] % (2 * block) != 0);
  shape.push_back(2);
  check_tiling(plan, scales.shape() == Dims(shape.data(), shape.size()),
               "%s has shape %s beside %s of shape %s in blocks of %lld", scales.name(),
               scales.shape().text().c_str(), x.name(), x.shape().text().c_str(), ll(block));
}

void dynamic_mx_quant(const Check&, Plan& plan, const DynamicMxQuantV3Parameters& given) {
  const std::int64_t block = given.blocksize;
  check_tiling(plan, block > 0 && block <= kLongestBlock && block % kMxBlock == 0,
               "blocksize is %lld, it must be a multiple of 32 up to 1024", ll(block));
  check_tiling(plan, block == kMxBlock || (given.x.dtype() != ACL_FLOAT && given.scaleAlg != 2),
               "blocksize must be 32 beside float32, or where scaleAlg is 2");
  check_mx(plan, {given.yOut, given.roundModeOptional, given.dstType, given.scaleAlg,
                  double(float(given.dstTypeMax))});
  const auto least = float(given.maxLowBound);
  check_tiling(plan, least == 0 || (given.scaleAlg == 1 && least > 0),
               "maxLowBound is %g, it must be 0, or positive where scaleAlg is 1", double(least));
  const Dims& shape = given.x.shape();
  const auto rank = std::int64_t(shape.size());
  check_tiling(plan, rank >= 1 && rank <= 7, "x has %lld dimensions, it must have 1 to 7",
               ll(rank));
  check_tiling(plan, given.axis >= -rank && given.axis < rank,
               "axis is %lld beside %lld dimensions", ll(given.axis), ll(rank));
  check_mx_shape(plan, given.x, given.yOut);
  const auto axis = std::size_t(given.axis < 0 ? given.axis + rank : given.axis);
  check_mx_scales(plan, given.x, axis, block, given.mxscaleOut);
  if (given.x.is_empty()) return;
  const bool last = axis + 1 == shape.size();
  TilesCall call;
  if (last) {
    call.width = shape[axis];
    call.rows = shape.product(0, axis);
    call.stores.push_back(mx_of_rows(plan, given.yOut, given.mxscaleOut, call.width, block));
  } else {
    call.matrices = shape.product(0, axis);
    call.rows = shape[axis];
    call.width = shape.product(axis + 1);
    call.height = block;
    call.pairs = true;
    call.scale_rows = 2 * given.mxscaleOut.shape()[axis];
    call.stores.push_back(
        mx_of_columns(plan, given.yOut, given.mxscaleOut, axis, call.width, block));
  }
  call.source = rows_read(plan, given.x, call.width);
  call.stores[0].round = mx_round(given.roundModeOptional);
  call.stores[0].scale = mx_scaler({given.yOut.dtype(), given.scaleAlg, float(given.dstTypeMax),
                                    least, last ? given.x.dtype() : ACL_DT_UNDEFINED});
  quantise_tiles(plan, std::move(call));
}

void dynamic_mx_quant_with_dual_axis(const Check&, Plan& plan,
                                     const DynamicMxQuantWithDualAxisV2Parameters& given) {
  check_mx(plan, {given.y1Out, given.roundModeOptional, given.dstType, given.scaleAlg,
                  double(float(given.dstTypeMax))});
  const Dims& shape = given.x.shape();
  check_tiling(plan, shape.size() >= 2, "x has %zu dimensions, it must have two or more",
               shape.size());
  check_mx_shape(plan, given.x, given.y1Out);
  check_mx_shape(plan, given.x, given.y2Out);
  check_mx_scales(plan, given.x, shape.size() - 1, kMxBlock, given.mxscale1Out);
  check_mx_scales(plan, given.x, shape.size() - 2, kMxBlock, given.mxscale2Out);
  if (given.x.is_empty()) return;
  TilesCall call = dual_axis_call(plan, shape, rows_read(plan, given.x, shape.back()),
                                  {given.y1Out, given.mxscale1Out, given.y2Out, given.mxscale2Out});
  for (TileStore& store : call.stores) {
    store.round = mx_round(given.roundModeOptional);
    store.scale = mx_scaler({given.y1Out.dtype(), given.scaleAlg, float(given.dstTypeMax)});
  }
  quantise_tiles(plan, std::move(call));
}

TilesCall dual_axis_call(Plan& plan, const Dims& shape, RowSource source, const DualAxis& out) {
  TilesCall call;
  call.width = shape.back();
  call.rows = shape.end()[-2];
  call.matrices = shape.product(0, shape.size() - 2);
  call.height = kMxBlock;
  call.pairs = true;
  call.scale_rows = 2 * out.scales2.shape().end()[-3];
  call.source = std::move(source);
  call.stores.push_back(mx_of_rows(plan, out.y1, out.scales1, call.width, kMxBlock));
  call.stores.push_back(
      mx_of_columns(plan, out.y2, out.scales2, shape.size() - 2, call.width, kMxBlock));
  return call;
}

void dynamic_block_mx_quant(const Check&, Plan& plan, const DynamicBlockMxQuantParameters& given) {
  const aclDataType dtype = given.yOut.dtype();
  check_mx(plan, {given.yOut, given.roundModeOptional, given.dstType, given.scaleAlg});
  check_tiling(plan, given.scaleAlg != 1, "scaleAlg is 1, it must be 0 or 2");
  const auto largest = float(given.dstTypeMax);
  check_tiling(plan, largest == 0 || given.scaleAlg == 2, "dstTypeMax is given beside scaleAlg 0");
  check_tiling(plan, largest == 0 || largest == 6 || largest == 7,
               "dstTypeMax is %g, it must be 0, 6 or 7", double(largest));
  check_tiling(plan, !given.x.is_empty(), "x is empty");
  const Dims& shape = given.x.shape();
  const std::size_t rank = shape.size();
  check_tiling(plan, rank == 2 || rank == 3, "x has %zu dimensions, it must have 2 or 3", rank);
  check_mx_shape(plan, given.x, given.yOut);
  check_mx_scales(plan, given.x, rank - 1, kMxBlock, given.scale1Out);
  check_mx_scales(plan, given.x, rank - 2, kMxBlock, given.scale2Out);
  TilesCall call;
  call.width = shape.back();
  call.rows = shape.end()[-2];
  call.matrices = shape.product(0, rank - 2);
  call.height = kMxBlock;
  call.pairs = true;
  call.scale_rows = 2 * given.scale2Out.shape().end()[-3];
  call.source = rows_read(plan, given.x, call.width);
  TileStore store = mx_of_rows(plan, given.yOut, given.scale1Out, call.width, kMxBlock);
  store.height = kMxBlock;
  store.scales.push_back(column_scales(plan, given.scale2Out, rank - 2, call.width));
  store.round = mx_round(given.roundModeOptional);
  store.scale = mx_scaler({dtype, given.scaleAlg, largest});
  call.stores.push_back(std::move(store));
  quantise_tiles(plan, std::move(call));
}

void dynamic_dual_level_mx_quant(const Check&, Plan& plan,
                                 const DynamicDualLevelMxQuantParameters& given) {
  check_mx(plan, {given.yOut, given.roundModeOptional, ACL_FLOAT4_E2M1, 0});
  check_tiling(plan, given.level0BlockSize == kOuterBlock && given.level1BlockSize == kMxBlock,
               "the blocks are of %lld and %lld, they must be of 512 and 32",
               ll(given.level0BlockSize), ll(given.level1BlockSize));
  const Dims& shape = given.x.shape();
  const std::size_t rank = shape.size();
  check_tiling(plan, rank >= 1 && rank <= 7, "x has %zu dimensions, it must have 1 to 7", rank);
  check_tiling(plan, !given.x.is_empty(), "x is empty");
  check_mx_shape(plan, given.x, given.yOut);
  std::vector<std::int64_t> outer(shape.begin(), shape.end());
  outer.back() = outer.back() / kOuterBlock + (outer.back() % kOuterBlock != 0);
  check_tiling(plan, given.level0ScaleOut.shape() == Dims(outer.data(), rank),
               "level0ScaleOut has shape %s", given.level0ScaleOut.shape().text().c_str());
  check_mx_scales(plan, given.x, rank - 1, kMxBlock, given.level1ScaleOut);
  const TensorArgument& smooth = given.smoothScaleOptional;
  if (smooth.given()) {
    check_tiling(plan, smooth.dtype() == given.x.dtype(), "smoothScale is of another type than x");
    check_tiling(plan, smooth.rank() == 1 && smooth.elements() == shape.back(),
                 "smoothScale has shape %s", smooth.shape().text().c_str());
  }
  TilesCall call;
  call.width = shape.back();
  call.rows = shape.product(0, rank - 1);
  call.source =
      OuterBlocks{rows_read(plan, given.x, call.width), RowFactors(plan, smooth, call.width),
                  RowMajor(plan.writes(given.level0ScaleOut)), given.x.dtype()};
  call.stores.push_back(mx_of_rows(plan, given.yOut, given.level1ScaleOut, call.width, kMxBlock));
  call.stores[0].round = mx_round(given.roundModeOptional);
  call.stores[0].scale = mx_scaler({ACL_FLOAT4_E2M1, 0});
  quantise_tiles(plan, std::move(call));
}

}  // namespace pyaclnn::sim
