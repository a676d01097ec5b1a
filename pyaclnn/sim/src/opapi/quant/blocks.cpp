// Rectangles with a scale of their own, and blocks that begin anew with each group of rows.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/quant/mx.hpp"
#include "parameters/DynamicBlockQuantV2.hpp"
#include "parameters/GroupedDynamicBlockQuantV2.hpp"
#include "parameters/GroupedDynamicMxQuantV2.hpp"

namespace pyaclnn::sim {
namespace {

bool one_of(std::int64_t value, std::initializer_list<std::int64_t> values) {
  for (std::int64_t known : values)
    if (value == known) return true;
  return false;
}

/// What all operators with rectangles are told.
struct Rectangles {
  const TensorArgument &x, &y, &scale;
  double least;
  const Text& mode;
  std::int64_t dtype, height, width;
  double largest;
  bool grouped;
};

template <class Given>
Rectangles rectangles_of(const Given& given, bool grouped) {
  return {given.x,
          given.yOut,
          given.scaleOut,
          given.minScale,
          given.roundModeOptional,
          given.dstType,
          given.rowBlockSize,
          given.colBlockSize,
          double(float(given.dstTypeMax)),
          grouped};
}

void check_attributes(const Plan& plan, const Rectangles& call) {
  const std::string mode = call.mode.given() ? call.mode.text : "rint";
  check_tiling(plan, float(call.least) >= 0, "minScale is %g", call.least);
  check_tiling(plan, std::int64_t(call.y.dtype()) == call.dtype, "%s is not of dstType",
               call.y.name());
  const bool wide = call.dtype == ACL_HIFLOAT8;
  check_tiling(plan, wide ? mode == "round" || (call.grouped && mode == "hybrid") : mode == "rint",
               "roundMode is \"%s\"", mode.c_str());
  if (call.dtype == ACL_INT8) {
    check_tiling(plan, call.height == 1 && call.width == 128,
                 "the blocks are of %lld x %lld, they must be of 1 x 128", ll(call.height),
                 ll(call.width));
  } else {
    check_tiling(plan, one_of(call.height, {1, 128, 256, 512}), "rowBlockSize is %lld",
                 ll(call.height));
    check_tiling(plan, one_of(call.width, {64, 128, 192, 256}), "colBlockSize is %lld",
                 ll(call.width));
  }
  const double most = call.largest;
  check_tiling(
      plan,
      most == 0 || (wide && most > 0 &&
                    (call.grouped ? most <= 32768
                                  : most == 15 || most == 56 || most == 224 || most == 32768)),
      "dstTypeMax is %g", most);
}

/// Rows of blocks in `rows` rows where these belong to `groups`, or to none.
std::int64_t block_rows(std::int64_t rows, std::int64_t height, const TensorArgument* groups) {
  return rows / height + (groups != nullptr ? groups->elements() : rows % height != 0);
}

void check_shapes(const Plan& plan, const Rectangles& call, const TensorArgument* groups) {
  const Dims& shape = call.x.shape();
  check_tiling(plan, call.y.shape() == shape, "%s has another shape than x", call.y.name());
  check_tiling(plan, shape.size() == 2 || shape.size() == 3,
               "x has %zu dimensions, it must have 2 or 3", shape.size());
  std::vector<std::int64_t> scales(shape.begin(), shape.end());
  scales.end()[-2] = block_rows(shape.end()[-2], call.height, groups);
  scales.back() = block_rows(shape.back(), call.width, nullptr);
  check_tiling(plan, call.scale.shape() == Dims(scales.data(), scales.size()),
               "scaleOut has shape %s beside x of shape %s in blocks of %lld x %lld",
               call.scale.shape().text().c_str(), shape.text().c_str(), ll(call.height),
               ll(call.width));
}

/// By quotients on the 950; before, rows are multiplied with an inverse that is found apart.
TileScaler scaler(const Rectangles& call) {
  const auto least = float(call.least);
  const float most = call.largest != 0 ? float(call.largest) : largest_quantised(call.y.dtype());
  if (call.y.dtype() == ACL_INT8)
    return [least, most](float size) -> TileScale {
      return {std::min(size * (1 / most), 1 / least), std::max(1 / size * most, least)};
    };
  return [least, most](float size) -> TileScale {
    float scale = size / most;
    if (std::isfinite(scale)) scale = std::min(scale, 1 / least);
    return {scale, scale};
  };
}

void quantise_rectangles(Plan& plan, const Rectangles& call, const TensorArgument* groups) {
  if (call.mode.given() && call.mode.text == "hybrid")
    fail_not_simulated(plan, "the hybrid rounding of hifloat8, which draws");
  const Dims& shape = call.x.shape();
  TilesCall tiles;
  tiles.width = shape.back();
  tiles.rows = shape.end()[-2];
  tiles.matrices = shape.size() == 3 ? shape[0] : 1;
  tiles.height = call.height;
  tiles.scale_rows = call.scale.shape().end()[-2];
  plan.stage(call.x).contiguous();
  tiles.source = rows_of(plan.reads(call.x), tiles.width);
  if (groups != nullptr) {
    plan.stage(*groups).contiguous();
    tiles.groups = RowGroups(plan.reads(*groups), false);
  }
  TileStore store;
  store.height = call.height;
  store.width = call.width;
  store.scale = scaler(call);
  store.divides = call.y.dtype() != ACL_INT8;
  store.round = call.y.dtype() == ACL_HIFLOAT8 ? Round::kRound : Round::kRint;
  store.out = QuantOut(plan, call.y);
  store.scales.push_back(
      {RowMajor(plan.writes(call.scale)), false, false, call.scale.shape().back(), 0});
  tiles.stores.push_back(std::move(store));
  quantise_tiles(plan, std::move(tiles));
}

}  // namespace

void dynamic_block_quant(const Check&, Plan& plan, const DynamicBlockQuantV2Parameters& given) {
  const Rectangles call = rectangles_of(given, false);
  check_attributes(plan, call);
  check_shapes(plan, call, nullptr);
  check_tiling(plan, !given.x.is_empty(), "x is empty");
  quantise_rectangles(plan, call, nullptr);
}

void grouped_dynamic_block_quant(const Check&, Plan& plan,
                                 const GroupedDynamicBlockQuantV2Parameters& given) {
  const Rectangles call = rectangles_of(given, true);
  check_attributes(plan, call);
  // The kernel reads ends of groups, whichever it is.
  check_tiling(plan, given.groupListType == 0 || given.groupListType == 1,
               "groupListType is %lld, it must be 0", ll(given.groupListType));
  check_tiling(plan, given.groupList.rank() == 1, "groupList has %zu dimensions, it must have one",
               given.groupList.rank());
  check_shapes(plan, call, &given.groupList);
  check_tiling(plan, !given.x.is_empty() && !given.groupList.is_empty(), "x or groupList is empty");
  quantise_rectangles(plan, call, &given.groupList);
}

void grouped_dynamic_mx_quant(const Check& check, Plan& plan,
                              const GroupedDynamicMxQuantV2Parameters& given) {
  const Dims& shape = given.x.shape();
  check.shape_is(given.y, shape, "x");
  const Dims scales{shape[0] / (2 * kMxBlock) + given.groupIndex.elements(), shape[1], 2};
  check.shape_is(given.mxscale, scales, "x in pairs of blocks, and one more for each group");
  check.that(!given.groupIndex.is_empty(), "groupIndex is empty");
  if (given.x.is_empty()) return;
  check.that(given.mxscale.meta().is_contiguous(), "mxscale is not contiguous");
  TilesCall call;
  call.rows = shape[0];
  call.width = shape[1];
  call.height = kMxBlock;
  call.pairs = true;
  call.scale_rows = 2 * scales[0];
  plan.stage(given.x).contiguous();
  call.source = rows_of(plan.reads(given.x), call.width);
  plan.stage(given.groupIndex).contiguous();
  call.groups = RowGroups(plan.reads(given.groupIndex), false);
  call.stores.push_back(mx_of_columns(plan, given.y, given.mxscale, 0, call.width, kMxBlock));
  call.stores[0].scale = mx_scaler({given.y.dtype(), given.scaleAlg});
  quantise_tiles(plan, std::move(call));
}

}  // namespace pyaclnn::sim
