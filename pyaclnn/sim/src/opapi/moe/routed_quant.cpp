// Rows that are quantised once they are in the order of their experts: on the 950, and as int4.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <utility>

#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/matmul/scaled_blocks.hpp"
#include "opapi/moe/checks.hpp"
#include "opapi/moe/routing.hpp"
#include "opapi/quant/mx.hpp"

namespace pyaclnn::sim {
namespace {

enum Mode : std::int64_t {
  kMxE5m2 = 2,
  kMxE4m3 = 3,
  kHifloat8 = 6,
  kOneScale = 7,
  kOfRows = 8,
  kMxFloat4 = 9,
  kBlocksE5m2 = 11,
  kBlocksE4m3 = 12,
  kInt4 = 13,
};

constexpr std::int64_t kBlock = 128;  // that a scale of float32 belongs to

aclDataType type_of(std::int64_t mode) {
  switch (mode) {
    case kMxE5m2:
    case kBlocksE5m2:
      return ACL_FLOAT8_E5M2;
    case kMxE4m3:
    case kBlocksE4m3:
      return ACL_FLOAT8_E4M3FN;
    case kMxFloat4:
      return ACL_FLOAT4_E2M1;
    case kInt4:
      return ACL_INT4;
    default:
      return ACL_HIFLOAT8;
  }
}

bool is_mx(std::int64_t mode) { return mode == kMxE5m2 || mode == kMxE4m3 || mode == kMxFloat4; }
bool is_in_blocks(std::int64_t mode) { return mode == kBlocksE5m2 || mode == kBlocksE4m3; }

Dims scales_of(std::int64_t mode, std::int64_t rows, std::int64_t width) {
  if (mode == kMxFloat4) return {rows, mx_pairs(width), 2};
  if (is_mx(mode)) return {rows, mx_pairs(width) * 2};
  if (is_in_blocks(mode)) return {rows, pieces(width, 2 * kBlock), 2};
  return {rows};
}

void check(Plan& plan, const RoutedQuant& c, std::int64_t rows) {
  const aclDataType x = c.x.dtype(), narrow = type_of(c.mode);
  const std::int64_t width = c.x.shape()[1];
  check_tiling(plan, c.mode == kInt4 ? x == ACL_FLOAT || x == ACL_BF16 : is_16_bit_float(x),
               "x is of a type that quantMode %lld does not have", static_cast<long long>(c.mode));
  check_tiling(plan, c.out.dtype() == narrow, "%s is of another type than quantMode %lld gives",
               c.out.name(), static_cast<long long>(c.mode));
  check_extents(plan, &c.out, Dims{rows, width});
  check_tiling(plan, (c.mode != kInt4 && c.mode != kMxFloat4) || width % 2 == 0,
               "x has %lld columns, an odd number", static_cast<long long>(width));
  if (c.mode == kInt4 && c.scale.given()) check_extents(plan, &c.scale, Dims{1, width});
  check_tiling(plan, c.mode != kOneScale || (c.scale.given() && c.scale.elements() > 0),
               "scaleOptional is null");
  if (c.mode == kHifloat8 || c.mode == kOneScale) return;
  check_extents(plan, &c.scale_out, scales_of(c.mode, rows, width));
  check_tiling(plan, c.scale_out.dtype() == (is_mx(c.mode) ? ACL_FLOAT8_E8M0 : ACL_FLOAT),
               "%s is of another type than quantMode %lld gives", c.scale_out.name(),
               static_cast<long long>(c.mode));
}

TileStore store_of_blocks(Plan& plan, const RoutedQuant& c, std::int64_t width) {
  const aclDataType narrow = type_of(c.mode);
  TileStore store = mx_of_rows(plan, c.out, c.scale_out, width, is_mx(c.mode) ? kMxBlock : kBlock);
  if (is_mx(c.mode)) {
    store.scale = mx_scaler({narrow, 0});
    return store;
  }
  store.divides = true;
  store.scales[0].rest = 0;
  store.scale = [most = largest_quantised(narrow)](float size) {
    return TileScale{size / most, size / most};
  };
  return store;
}

RowQuantiser quantiser_of(Plan& plan, const RoutedQuant& c, std::int64_t width) {
  RowQuantiser quantiser;
  quantiser.out = QuantOut(plan, c.out);
  quantiser.round = c.mode == kInt4 ? Round::kRint : Round::kRound;
  if (c.mode == kOneScale) quantiser.scale = RowFactors(plan, c.scale, width, true);
  if (c.mode == kHifloat8 || c.mode == kOneScale) return quantiser;
  quantiser.mode = QuantMode::kSymmetric;
  quantiser.by_step = c.mode == kInt4;
  if (c.mode == kInt4) quantiser.smooth = RowFactors(plan, c.scale, width);
  quantiser.scale_out = RowMajor(plan.writes(c.scale_out));
  return quantiser;
}

}  // namespace

void route_as_int4(Plan& plan, Routing routing, std::int64_t active, const TensorArgument& out) {
  const std::int64_t width = routing.x.shape()[1];
  check_tiling(plan, width % 2 == 0, "x has %lld columns, an odd number",
               static_cast<long long>(width));
  if (routing.scale->given()) check_extents(plan, routing.scale, Dims{1, width});
  check_extents(plan, &out, Dims{active, width});
  check_extents(plan, routing.scales, Dims{active});
  const TensorArgument rows = plan.scratch("rows", routing.x.dtype(), Dims{active, width});
  RowQuantiser quantiser;
  quantiser.mode = QuantMode::kSymmetric;
  quantiser.multiplies = true;
  quantiser.smooth = RowFactors(plan, *routing.scale, width);
  quantiser.out = QuantOut(plan, out);
  quantiser.scale_out = RowMajor(plan.writes(*routing.scales));
  routing.rows = &rows;
  routing.scale = routing.scales = nullptr;
  route(plan, routing, active);
  QuantRowsCall call;
  call.rows = active;
  call.width = width;
  call.source = rows_of(plan.reads(rows), width);
  call.stores.push_back(quantiser);
  quantise_rows(plan, std::move(call));
}

void route_quantised(Plan& plan, Routing routing, std::int64_t active, const RoutedQuant& c) {
  const std::int64_t width = c.x.shape()[1];
  check(plan, c, active);
  const TensorArgument rows = plan.scratch("rows", c.x.dtype(), Dims{active, width});
  const TensorArgument seen = plan.scratch("seen", ACL_INT64, Dims{1});
  routing.rows = &rows;
  routing.seen = &seen;
  routing.scale = nullptr;
  route(plan, routing, active);
  if (active == 0 || width == 0) return;
  const RowSource source = rows_of(plan.reads(rows), width);
  const RowGroups groups(plan.reads(seen), true);
  if (is_mx(c.mode) || is_in_blocks(c.mode)) {
    TilesCall call;
    call.rows = active;
    call.width = width;
    call.source = source;
    call.groups = groups;
    call.stores.push_back(store_of_blocks(plan, c, width));
    return quantise_tiles(plan, std::move(call));
  }
  QuantRowsCall call;
  call.rows = active;
  call.width = width;
  call.source = source;
  call.groups = groups;
  call.stores.push_back(quantiser_of(plan, c, width));
  quantise_rows(plan, std::move(call));
}

}  // namespace pyaclnn::sim
