// SPDX-License-Identifier: MIT
#include "opapi/moe/grouped_floats.hpp"

#include <cstdint>

#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/matmul/scaled_blocks.hpp"
#include "opapi/moe/grouped_checks.hpp"
#include "opapi/moe/scaled_groups.hpp"
#include "opapi/moe/written_groups.hpp"
#include "opapi/product/tiled_product.hpp"

namespace pyaclnn::sim {
namespace {

const DtypeSet kFloat8{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2};
const DtypeSet kFloat4{ACL_FLOAT4_E2M1, ACL_FLOAT4_E1M2};
const DtypeSet kHifloat8{ACL_HIFLOAT8};

/// Whether scales are of tiles of the weight, and of pieces of rows, which lie as their tensors do.
bool in_tiles(const GroupedProducts& g) {
  const TensorArgument &x = g.x.tensors[0], &weight = g.weight.tensors[0];
  const TensorArgument& scale = g.scale.tensors[0];
  if (!is_given(g.token_scale) || scale.rank() != weight.rank()) return false;
  const TensorArgument& token = g.token_scale.tensors[0];
  if (token.rank() != 2 || x.rank() != 2) return false;
  const bool inner = g.group_type == kInner;
  const std::int64_t groups = g.numbers->shape()[0], m = x.shape()[0];
  const std::int64_t k = weight.shape().end()[-2], n = weight.shape().back();
  const bool one = token.shape() == Dims{1, 1};
  const bool small = groups > 1 && inner && k < kTile && n <= kTile && m > 1;
  if (!one && is_turned(token) != is_turned(x) && !(small && m == token.shape()[0])) return false;
  return scale.shape().back() == pieces(n, kTile) &&
         scale.shape().end()[-2] == (inner ? k / kTile + groups : pieces(k, kTile));
}

/// A call whose lists hold a tensor each.
struct Narrow {
  const Check& check;
  const GroupedProducts& g;
  const TensorArgument &x, &weight;

  bool are(const DtypeSet& types) const {
    return types.contains(x.dtype()) && types.contains(weight.dtype());
  }
  const TensorArgument& scale() const { return g.scale.tensors[0]; }
  const TensorArgument& token() const { return g.token_scale.tensors[0]; }
  std::int64_t experts() const { return g.numbers->shape()[0]; }

  /// Beside x of float8, the scales of float4 are called those of a weight that is restored.
  bool mixed() const { return x.dtype() == ACL_FLOAT8_E4M3FN && weight.dtype() == ACL_FLOAT4_E2M1; }

  void check_mixed() const {
    constexpr std::int64_t kWhole = 64;
    check.that(g.named_nz, "weight is float4 beside x of float8, which this version does not have");
    check.that(g.numbers != nullptr && g.numbers->given(), "groupList is null beside such floats");
    check.that(is_given(g.anti_scale), "antiquantScale is null beside such a weight");
    for (const TensorListIn* list : {&g.anti_offset, &g.scale})
      check.that(!is_given(*list), "%s is given beside float4 and float8", list->name());
    check.that(is_given(g.token_scale), "perTokenScale is null beside float4 and float8");
    for (const TensorListIn* list : {&g.x, &g.weight, &g.out, &g.anti_scale, &g.token_scale})
      check.that(list->tensors.size() == 1, "%s has %zu tensors, not one", list->name(),
                 list->tensors.size());
    check.that(g.group_type == kRows && g.activation == 0,
               "groupType and actType are %lld and %lld, not 0", ll(g.group_type),
               ll(g.activation));
    const TensorArgument& out = g.out.tensors[0];
    check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, out);
    check.dtype_in(DtypeSet{ACL_FLOAT8_E8M0}, token(), g.anti_scale.tensors[0]);
    check.that(!is_turned(x) && is_turned(weight) && is_nz(weight.meta().format),
               "weight must be in FRACTAL_NZ and transposed, and x not");
    const std::int64_t m = x.shape()[0], k = x.shape()[1], n = weight.shape().back();
    check.that(k % kWhole == 0 && n % kWhole == 0,
               "weight has shape %s, it must be in multiples of 64", weight.shape().text().c_str());
    check.shape_is(token(), Dims{m, k / kWhole, 2}, "the blocks of x");
    check.shape_is(g.anti_scale.tensors[0], Dims{weight.shape()[0], k / kWhole, n, 2},
                   "the blocks of the weight");
    if (!is_given(g.bias)) return;
    check.same_dtype(out, g.bias.tensors[0]);
    check.shape_is(g.bias.tensors[0], Dims{weight.shape()[0], n}, "the columns");
  }

  void lists() const {
    check.that(is_given(g.scale), "scale is null beside such floats");
    check.that(g.numbers != nullptr && g.numbers->given(), "groupList is null beside such floats");
    for (const TensorListIn* list : {&g.x, &g.weight, &g.out, &g.scale, &g.token_scale})
      check.that(!is_given(*list) || list->tensors.size() == 1, "%s has %zu tensors, not one",
                 list->name(), list->tensors.size());
    for (const TensorListIn* list : {&g.anti_scale, &g.anti_offset})
      check.that(!is_given(*list), "%s is given beside such floats", list->name());
    check.that(g.activation == 0, "there is no activation behind products of floats");
    check.that(!is_nz(x.meta().format) && !is_nz(g.out.tensors[0].meta().format),
               "x or y is in FRACTAL_NZ");
  }

  void blocks_of_weight() const {
    if (!is_nz(weight.meta().format)) return;
    check.that(g.named_nz, "a weight in FRACTAL_NZ goes with aclnnGroupedMatmulWeightNz");
    check.that(are(DtypeSet{ACL_FLOAT8_E4M3FN}) || are(kFloat4), "weight is %s in FRACTAL_NZ",
               dtype_name(weight.dtype()));
    check.that(is_given(g.token_scale), "perTokenScale is null");
    for (const TensorArgument* tensor : {&scale(), &token()})
      check.dtype_in(DtypeSet{ACL_FLOAT8_E8M0}, *tensor);
  }

  void result() const {
    check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, g.out.tensors[0]);
  }

  void mx() const {
    check.that(are(kFloat4) || !is_given(g.bias), "bias is given beside float8");
    check.that(is_given(g.token_scale), "perTokenScale is null beside scales of blocks");
    if (is_given(g.bias)) check.dtype_in(DtypeSet{ACL_FLOAT}, g.bias.tensors[0]);
    check.dtype_in(DtypeSet{ACL_FLOAT8_E8M0}, token());
    result();
    if (g.group_type != kRows) return mx_of_depth();
    check.that(!is_turned(x), "x must not be transposed");
    check.that(scale().rank() == 4 && token().rank() == 3,
               "scale and perTokenScale have %zu and %zu dimensions, not 4 and 3", scale().rank(),
               token().rank());
    check.that(one(scale(), 1) || has_turned_blocks(scale(), 1) == is_turned(weight),
               "weight and scale must both be transposed, or neither");
    check.that(one(token(), 0) || !has_turned_blocks(token(), 0),
               "perTokenScale must not be transposed");
    const std::int64_t m = x.shape()[0], k = x.shape()[1], n = weight.shape().back();
    const std::int64_t pairs = mx_pairs(k);
    if (is_given(g.bias)) check.shape_is(g.bias.tensors[0], Dims{experts(), n}, "the columns");
    check.shape_is(token(), Dims{m, pairs, 2}, "the blocks of x");
    check.shape_is(scale(), Dims{experts(), pairs, n, 2}, "the blocks of the weight");
    if (!are(kFloat4)) return;
    check.that(is_turned(weight) || n % 2 == 0, "weight has %lld columns, an odd number", ll(n));
    check.that(k % 2 == 0 && k != 2, "the depth is %lld, it must be even and more than 2", ll(k));
  }

  static bool one(const TensorArgument& scales, std::size_t axis) {
    return scales.shape()[axis] == 1 && scales.shape()[axis + 1] == 1;
  }

  void operands_of_depth() const {
    check.that(is_turned(x) && !is_turned(weight), "x must be transposed, and weight not");
  }

  void mx_of_depth() const {
    operands_of_depth();
    check.that(scale().rank() == 3 && token().rank() == 3,
               "scale and perTokenScale have %zu and %zu dimensions, not 3", scale().rank(),
               token().rank());
    check.that(one(scale(), 0) || !has_turned_blocks(scale(), 0), "scale must not be transposed");
    check.that(one(token(), 0) || has_turned_blocks(token(), 0),
               "perTokenScale must be transposed");
    const std::int64_t pairs = x.shape()[1] / kMxPair + experts();
    check.shape_is(token(), Dims{x.shape()[0], pairs, 2}, "the blocks of x");
    check.shape_is(scale(), Dims{pairs, weight.shape().back(), 2}, "the blocks of the weight");
  }

  void tiles() const {
    const bool inner = g.group_type == kInner;
    const std::int64_t m = x.shape()[0], k = weight.shape().end()[-2], n = weight.shape().back();
    const std::size_t rank = scale().rank();
    check.that(one(scale(), rank - 2) || is_turned(scale()) == is_turned(weight),
               "weight and scale must both be transposed, or neither");
    check.shape_is(token(), Dims{m, inner ? k / kTile + experts() : pieces(k, kTile)},
                   "the tiles of x");
    if (!inner)
      check.shape_is(scale(), Dims{experts(), pieces(k, kTile), pieces(n, kTile)},
                     "the tiles of the weight");
  }

  void plain() const {
    check.that(!is_given(g.bias), "bias is given beside such floats");
    if (g.group_type == kRows) check.that(!is_turned(x), "x must not be transposed");
    check.that(!kWords.contains(scale().dtype()) || g.group_type == kRows,
               "scale is %s, which goes by groups of rows", dtype_name(scale().dtype()));
    if (is_given(g.token_scale)) check.dtype_in(DtypeSet{ACL_FLOAT}, token(), scale());
    result();
    const bool inner = g.group_type == kInner;
    if (inner) operands_of_depth();
    if (in_tiles(g)) return tiles();
    const std::int64_t m = x.shape()[0], n = weight.shape().back();
    check.that(scale().rank() == 1 || scale().rank() == 2, "scale has %zu dimensions, not 1 or 2",
               scale().rank());
    const Dims& of_scale = scale().shape();
    check.that(
        of_scale[0] == experts() && (of_scale.size() == 1 || of_scale[1] == 1 || of_scale[1] == n),
        "scale has shape %s beside %lld groups and %lld columns", of_scale.text().c_str(),
        ll(experts()), ll(n));
    if (!is_given(g.token_scale)) return;
    const Dims& of_token = token().shape();
    check.that(of_token == Dims{experts()} || of_token == Dims{experts(), 1} ||
                   of_token == (inner ? Dims{experts(), m} : Dims{m}),
               "perTokenScale has shape %s beside %lld rows", of_token.text().c_str(), ll(m));
  }
};

}  // namespace

bool multiplies_narrow_floats(const GroupedProducts& g) {
  const aclDataType x = g.x.tensors[0].dtype(), weight = g.weight.tensors[0].dtype();
  for (const DtypeSet* types : {&kFloat8, &kFloat4, &kHifloat8})
    if (types->contains(x) && types->contains(weight)) return true;
  return x == ACL_FLOAT8_E4M3FN && weight == ACL_FLOAT4_E2M1;
}

void check_narrow_floats(const Check& check, const GroupedProducts& g) {
  const Narrow call{check, g, g.x.tensors[0], g.weight.tensors[0]};
  if (call.mixed()) return call.check_mixed();
  call.lists();
  call.blocks_of_weight();
  const aclDataType scale = call.scale().dtype();
  const bool mx = scale == ACL_FLOAT8_E8M0 && !call.are(kHifloat8);
  check.that(mx || (!call.are(kFloat4) && (scale == ACL_FLOAT || kWords.contains(scale))),
             "scale is %s beside x of %s", dtype_name(scale), dtype_name(call.x.dtype()));
  if (call.are(kFloat4)) {
    check.that(g.group_type == kRows, "float4 goes by groups of rows");
    check.that(is_nz(call.weight.meta().format) ||
                   !(call.x.dtype() == ACL_FLOAT4_E1M2 || call.weight.dtype() == ACL_FLOAT4_E1M2),
               "float4_e1m2 goes with a weight in FRACTAL_NZ");
  }
  if (mx)
    call.mx();
  else
    call.plain();
}

void grouped_narrow_floats(Plan& plan, const GroupedProducts& g) {
  const TensorArgument &x = g.x.tensors[0], &weight = g.weight.tensors[0];
  const bool mixed = !is_given(g.scale);
  const TensorArgument& scale = (mixed ? g.anti_scale : g.scale).tensors[0];
  const TensorArgument& out = g.out.tensors[0];
  const bool mx = scale.dtype() == ACL_FLOAT8_E8M0;
  const bool tiles = !mx && in_tiles(g);
  if (g.group_type == kInner)
    return grouped_depth_floats(plan, g,
                                mx      ? DepthScales::kBlocks
                                : tiles ? DepthScales::kTiles
                                        : DepthScales::kPlain);
  if (out.is_empty()) return;
  ScaledGroups rows(plan, x, weight, is_nz(weight.meta().format), *g.numbers, g.list_type);
  if (mx) {
    rows.scale_by_blocks(plan, g.token_scale.tensors[0], scale);
  } else if (tiles) {
    rows.scale_by_tiles(plan, g.token_scale.tensors[0], scale);
  } else {
    rows.column_scale = StoredScales(plan, scale);
    if (is_given(g.token_scale)) {
      const TensorArgument& token = g.token_scale.tensors[0];
      rows.row_scale = StoredScales(plan, token);
      rows.row_scale_of_groups = token.shape() != Dims{x.shape()[0]};
    }
  }
  if (is_given(g.bias)) rows.bias = StoredScales(plan, g.bias.tensors[0]);
  plan.result(out.dtype(), out.shape()).copy_to(out);
  write_groups(plan, rows, out);
}

}  // namespace pyaclnn::sim
