// Attention of blocks of rows to blocks of keys, which a mask of blocks or a list says, and its
// gradients.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/attention/sparse_plans.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "parameters/BlockSparseAttentionGrad.hpp"
#include "parameters/BlockSparseAttentionV2.hpp"
#include "parameters/RainFusionAttention.hpp"

namespace pyaclnn::sim {
namespace {

/// Layouts, depths and lengths of these operators, and the numbers of heads.
struct Blocks {
  const TensorArgument& query;
  const TensorArgument& key;
  const TensorArgument& value;
  const IntArrayIn& shape;
  const IntArrayIn& rows;
  const IntArrayIn& columns;
  const std::string& layout;
  const std::string& key_layout;
  std::int64_t key_heads;
  std::int64_t mask_type;
  double scale;
};

/// Of an operator's parameters, which name the blocks' shape in two ways.
template <class Given>
Blocks blocks_of(const Given& given, const IntArrayIn& shape) {
  return {given.query,
          given.key,
          given.value,
          shape,
          given.actualSeqLengthsOptional,
          given.actualSeqLengthsKvOptional,
          given.qInputLayout.text,
          given.kvInputLayout.text,
          given.numKeyValueHeads,
          given.maskType,
          given.scaleValue};
}

void check_block_shape(const Check& check, const IntArrayIn& shape) {
  check.that_given(shape.given(), "blockShape");
  check.that(shape.values().size() >= 2, "blockShape has %zu numbers, it must have 2",
             shape.values().size());
  check.that(shape.values()[0] > 0 && shape.values()[1] > 0,
             "blockShape is [%lld, %lld], it must be positive", ll(shape.values()[0]),
             ll(shape.values()[1]));
}

void check_layouts(const Check& check, const Blocks& blocks, bool has_bsnd) {
  const auto is_known = [&](const std::string& layout) {
    return layout == "TND" || layout == "BNSD" || (has_bsnd && layout == "BSND");
  };
  check.that(is_known(blocks.layout), "qInputLayout is %s", blocks.layout.c_str());
  check.that(is_known(blocks.key_layout), "kvInputLayout is %s", blocks.key_layout.c_str());
  check.that(blocks.layout == blocks.key_layout, "qInputLayout is %s and kvInputLayout is %s",
             blocks.layout.c_str(), blocks.key_layout.c_str());
}

/// Lengths of queries or keys: as given, or those of the tensor.
Lengths block_lengths(const Plan& plan, const Blocks& blocks, bool of_columns, const View& view) {
  const IntArrayIn& given = of_columns ? blocks.columns : blocks.rows;
  const bool is_packed = blocks.layout == "TND";
  const char* name = of_columns ? "actualSeqLengthsKv" : "actualSeqLengths";
  check_inside(plan, given.given() || !is_packed, "%s is null, TND needs it", name);
  if (!given.given()) return Lengths(std::size_t(view.shape[0]), view.shape[2]);
  Lengths lengths = lengths_of(given.values(), false);
  std::int64_t sum = 0;
  for (std::int64_t length : lengths) {
    check_inside(plan, length <= view.shape[2], "%s has %lld, there are %lld tokens", name,
                 ll(length), ll(view.shape[2]));
    sum += length;
  }
  if (is_packed) {
    check_inside(plan, !lengths.empty() && sum == view.shape[2],
                 "%s has %lld tokens, there are %lld", name, ll(sum), ll(view.shape[2]));
  } else {
    check_inside(plan, std::int64_t(lengths.size()) == view.shape[0],
                 "%s has %zu numbers, there are %lld samples", name, lengths.size(),
                 ll(view.shape[0]));
  }
  return lengths;
}

/// 361001 for what CANN plans and then has no kernel to launch for: a causal mask, and pages. No
/// kernel reads other types of masks.
void check_built(const Plan& plan, const Blocks& blocks, bool has_pages) {
  constexpr std::uint32_t kCausal = 3;
  if (std::uint32_t(blocks.mask_type) == kCausal || has_pages)
    fail(ACLNN_ERR_RUNTIME_ERROR, "%s: no kernel is built for maskType %lld%s", plan.api(),
         ll(blocks.mask_type), has_pages ? " and a blockTable" : "");
}

void plan_blocks(Plan& plan, const Blocks& blocks, Attention& attention, AttentionLists& lists) {
  check_operands(plan, check_inside, blocks.query, blocks.key, blocks.value, blocks.layout);
  attention.query.view = staged_heads(plan, blocks.query, blocks.layout);
  attention.key.view = staged_heads(plan, blocks.key, blocks.layout);
  attention.value.view = staged_heads(plan, blocks.value, blocks.layout);
  const std::int64_t depth = attention.query.depth();
  check_inside(plan, (depth == 64 || depth == 128) && attention.value.depth() == depth,
               "heads have %lld values, they must have 64 or 128", ll(depth));
  check_inside(plan, blocks.key_heads == attention.key_heads(),
               "numKeyValueHeads is %lld, key has %lld heads", ll(blocks.key_heads),
               ll(attention.key_heads()));
  constexpr std::int64_t kUnit = 128;
  check_inside(plan, blocks.shape.values()[1] % kUnit == 0,
               "blockShape has %lld keys, it must have a multiple of 128",
               ll(blocks.shape.values()[1]));
  const bool is_packed = blocks.layout == "TND";
  const Lengths rows = block_lengths(plan, blocks, false, attention.query.view);
  const Lengths columns = block_lengths(plan, blocks, true, attention.key.view);
  check_inside(plan, rows.size() == columns.size(), "%zu sequences of queries and %zu of keys",
               rows.size(), columns.size());
  attention.sequences = sequences_of(rows, columns, is_packed, is_packed);
  attention.scale = static_cast<float>(blocks.scale);
  lists.row_block = std::min(blocks.shape.values()[0], kMostTokens);
  lists.column_block = std::min(blocks.shape.values()[1], kMostTokens);
}

/// A mask of blocks: [sequences, heads, blocks of rows, blocks of columns].
void plan_block_mask(Plan& plan, const Attention& attention, const TensorArgument& mask,
                     AttentionLists& lists) {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  for (const AttentionSequence& sequence : attention.sequences) {
    rows = std::max(rows, sequence.rows);
    columns = std::max(columns, sequence.columns);
  }
  if (attention.sequences.size() == std::size_t(attention.query.view.shape[0])) {
    rows = attention.query.view.shape[2];
    columns = attention.key.view.shape[2];
  }
  const auto blocks = [](std::int64_t count, std::int64_t size) {
    return (count + size - 1) / size;
  };
  const Dims shape{std::int64_t(attention.sequences.size()), attention.heads(),
                   blocks(rows, lists.row_block), blocks(columns, lists.column_block)};
  check_inside(plan, mask.shape() == shape, "blockSparseMask has shape %s, it must be %s",
               mask.shape().text().c_str(), shape.text().c_str());
  plan.stage(mask).contiguous();
  lists.view = plan.reads(mask);
  lists.is_flags = true;
}

/// Scales of blocks, which operands of 8 bits have on the 950, and no others.
void plan_scales(Plan& plan, const BlockSparseAttentionV2Parameters& given, Attention& attention,
                 const AttentionLists& lists) {
  const bool is_small = given.query.dtype() == ACL_FLOAT8_E4M3FN;
  const Dims& blocks = lists.view.shape;
  const auto plan_scale = [&](const TensorArgument& scale, bool of_columns, AttentionRows& rows) {
    check_inside(plan, scale.given() == is_small, "%s goes with float8_e4m3fn", scale.name());
    if (!is_small) return;
    const Dims shape{blocks[0], rows.view.shape[1], blocks[of_columns ? 3 : 2], 1};
    check_inside(plan, scale.dtype() == ACL_FLOAT && scale.shape() == shape,
                 "%s has shape %s, it must be %s of float32", scale.name(),
                 scale.shape().text().c_str(), shape.text().c_str());
    plan.stage(scale).contiguous();
    rows.scale = plan.reads(scale);
    rows.rows_of_scale = of_columns ? lists.column_block : lists.row_block;
    rows.scales_sequences = true;
    for (const AttentionSequence& sequence : attention.sequences)
      rows.starts.push_back(of_columns ? sequence.first_column : sequence.first_row);
  };
  plan_scale(given.qDequantScaleOptional, false, attention.query);
  plan_scale(given.kDequantScaleOptional, true, attention.key);
  plan_scale(given.vDequantScaleOptional, true, attention.value);
  if (!is_small) return;
  constexpr std::int64_t kRows = 128;
  constexpr std::int64_t kColumns = 256;
  check_inside(plan, lists.row_block == kRows && lists.column_block % kColumns == 0,
               "blockShape is [%lld, %lld], it must be [128, a multiple of 256]",
               ll(lists.row_block), ll(lists.column_block));
  AttentionBytes bytes;
  bytes.plain_weight = 1.0f;
  bytes.in_halves = false;
  attention.bytes = bytes;
}

Dims lse_shape(const TensorArgument& query) { return attended_shape(query, 1); }

/// Sequences and widths that go together; a dimension that a tensor lacks is as long as another's.
void check_same_extents(const Check& check, const BlockSparseAttentionGradParameters& g) {
  const auto same = [&](std::size_t axis, const TensorArgument& a,
                        std::initializer_list<const TensorArgument*> others) {
    const auto extent = [axis](const TensorArgument& tensor) {
      return axis < tensor.rank() ? tensor.shape()[axis] : -1;
    };
    for (const TensorArgument* b : others)
      check.that(extent(a) == extent(*b), "dimension %zu of %s of shape %s is not that of %s of %s",
                 axis, b->name(), b->shape().text().c_str(), a.name(), a.shape().text().c_str());
  };
  if (g.qInputLayout.text == "TND")
    return same(2, g.query, {&g.key, &g.value, &g.attentionOut, &g.dout, &g.dq, &g.dk, &g.dv});
  same(0, g.query,
       {&g.key, &g.value, &g.attentionOut, &g.dout, &g.softmaxLse, &g.dq, &g.dk, &g.dv});
  same(3, g.query, {&g.key, &g.dq});
  same(3, g.value, {&g.attentionOut, &g.dout, &g.dv});
  same(3, g.key, {&g.dk});
}

}  // namespace

void block_sparse_attention(const Check& check, Plan& plan,
                            const BlockSparseAttentionV2Parameters& given) {
  const TensorArgument& query = given.query;
  check.dtype_in(kHalves | DtypeSet{ACL_FLOAT8_E4M3FN}, query);
  check.same_dtype(query, given.key, given.value);
  check.that_given(given.qInputLayout.given() && given.kvInputLayout.given(), "qInputLayout");
  const Blocks blocks = blocks_of(given, given.blockShapeOptional);
  check_layouts(check, blocks, true);
  check_block_shape(check, given.blockShapeOptional);
  const std::int64_t precise = given.innerPrecise;
  check.that(precise == 0 || precise == 1 || precise == 4,
             "innerPrecise is %lld, it must be 0, 1 or 4", ll(precise));
  check.that_given(given.attentionOut.given(), "attentionOut");
  const TensorArgument& mask = given.blockSparseMaskOptional;
  if (mask.given())
    check.that(mask.rank() == 4, "blockSparseMask has %zu dimensions, it must have 4", mask.rank());
  for (const TensorArgument* scale :
       {&given.qDequantScaleOptional, &given.kDequantScaleOptional, &given.vDequantScaleOptional})
    if (scale->given())
      check.that(scale->rank() == 4, "%s has %zu dimensions, it must have 4", scale->name(),
                 scale->rank());
  needs_kernel(plan, on_a2_or_a3() || on_950());
  const bool is_small = query.dtype() == ACL_FLOAT8_E4M3FN;
  const aclDataType result = is_small ? given.attentionOut.dtype() : query.dtype();
  check_inside(plan, !is_small || (on_950() && kHalves.contains(result)),
               "query is of float8_e4m3fn, which the 950 attends with to float16 or bfloat16");
  check_inside(plan, on_950() || blocks.layout != "BSND", "layout BSND is that of the 950");
  check_inside(plan, (precise == 4) == on_950() && (precise != 1 || query.dtype() == ACL_FLOAT16),
               "innerPrecise is %lld", ll(precise));
  check_inside(
      plan,
      !given.attenMaskOptional.given() && !given.blockTableOptional.given() && given.blockSize == 0,
      "attenMask, blockTable and blockSize are for later");
  check_inside(plan, given.preTokens == kEndless && given.nextTokens == kEndless,
               "preTokens and nextTokens must be 2147483647");
  check_inside(plan, given.softmaxLseFlag == 0 || given.softmaxLseFlag == 1,
               "softmaxLseFlag is %lld, it must be 0 or 1", ll(given.softmaxLseFlag));
  check_inside(plan,
               given.actualSeqLengthsOptional.given() == given.actualSeqLengthsKvOptional.given(),
               "only one of actualSeqLengths and actualSeqLengthsKv is given");
  check_inside(plan,
               mask.given() && (mask.dtype() == ACL_INT8 || mask.dtype() == ACL_BOOL ||
                                mask.dtype() == ACL_UINT8),
               "blockSparseMask must be given, of int8");
  Attention attention;
  AttentionLists lists;
  plan_blocks(plan, blocks, attention, lists);
  plan_block_mask(plan, attention, mask, lists);
  if (on_950()) plan_scales(plan, given, attention, lists);
  attention.lists = lists;
  attention.out = laid_out_result(plan, result, query.shape(), given.attentionOut, blocks.layout);
  launch_zero(plan, given.attentionOut);
  if (given.softmaxLseFlag == 1) {
    check_inside(plan, given.softmaxLseOptional.given(), "softmaxLseOptional is null");
    attention.lse = {laid_out_result(plan, ACL_FLOAT, lse_shape(query), given.softmaxLseOptional,
                                     blocks.layout)};
    launch_zero(plan, given.softmaxLseOptional);
  }
  check_built(plan, blocks, false);
  launch_attention(plan, std::move(attention));
}

void block_sparse_attention_grad(const Check& check, Plan& plan,
                                 const BlockSparseAttentionGradParameters& given) {
  const TensorArgument& query = given.query;
  const TensorArgument& mask = given.blockSparseMaskOptional;
  check.dtype_in(kHalves, query);
  check.same_dtype(query, given.key, given.value, given.attentionOut, given.dout, given.dq,
                   given.dk, given.dv);
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.softmaxLse);
  check.dtype_in(DtypeSet{ACL_BOOL, ACL_UINT8}, mask);
  check.that_given(given.qInputLayout.given() && given.kvInputLayout.given(), "qInputLayout");
  check_same_extents(check, given);
  check.that(!given.attenMaskOptional.given(), "attenMask must be null");
  check.that(given.maskType == 0, "maskType is %lld, it must be 0", ll(given.maskType));
  check.that(given.preTokens == kEndless && given.nextTokens == kEndless,
             "preTokens and nextTokens must be 2147483647");
  const Blocks blocks = blocks_of(given, given.blockShapeOptional);
  const bool is_packed = blocks.layout == "TND";
  check.that(!is_packed || (given.actualSeqLengthsOptional.given() &&
                            given.actualSeqLengthsKvOptional.given()),
             "TND needs actualSeqLengths and actualSeqLengthsKv");
  check_layouts(check, blocks, true);
  check_block_shape(check, given.blockShapeOptional);
  needs_kernel(plan, on_a2_or_a3() || on_950());
  check_inside(plan, on_950() || blocks.layout != "BSND", "layout BSND is that of the 950");
  AttentionGradients gradients;
  Attention& forward = gradients.forward;
  AttentionLists lists;
  plan_blocks(plan, blocks, forward, lists);
  check_inside(plan, mask.rank() == 4, "blockSparseMask has %zu dimensions", mask.rank());
  plan_block_mask(plan, forward, mask, lists);
  forward.lists = lists;
  for (const TensorArgument* saved : {&given.attentionOut, &given.dout})
    check_inside(plan, saved->shape() == query.shape(), "%s has shape %s", saved->name(),
                 saved->shape().text().c_str());
  check_inside(plan, given.softmaxLse.shape() == lse_shape(query), "softmaxLse has shape %s",
               given.softmaxLse.shape().text().c_str());
  forward.lse = {staged_heads(plan, given.softmaxLse, blocks.layout)};
  forward.out = staged_heads(plan, given.attentionOut, blocks.layout);
  gradients.grad = staged_heads(plan, given.dout, blocks.layout);
  plan_gradients(plan, gradients, query, given.key, given.value, given.dq, given.dk, given.dv,
                 blocks.layout);
  launch_attention_gradients(plan, std::move(gradients));
}

void rain_fusion_attention(const Check& check, Plan& plan,
                           const RainFusionAttentionParameters& given) {
  const TensorArgument& query = given.query;
  check.dtype_in(kHalves, query);
  check.same_dtype(query, given.key, given.value);
  check.that_given(given.qInputLayout.given() && given.kvInputLayout.given(), "qInputLayout");
  const Blocks blocks = blocks_of(given, given.blockShape);
  check_layouts(check, blocks, false);
  check_block_shape(check, given.blockShape);
  check.that(given.innerPrecise == 0 || given.innerPrecise == 1,
             "innerPrecise is %lld, it must be 0 or 1", ll(given.innerPrecise));
  check.that_given(given.attentionOut.given(), "attentionOut");
  needs_kernel(plan, on_a2_or_a3());
  check_inside(plan, given.innerPrecise == 0 || query.dtype() == ACL_FLOAT16,
               "innerPrecise is 1, bfloat16 takes 0");
  // Which no kernel reads.
  for (const TensorArgument* tensor : {&given.attenMaskOptional, &given.blockTableOptional})
    if (tensor->given()) plan.stage(*tensor).contiguous();
  Attention attention;
  AttentionLists lists;
  plan_blocks(plan, blocks, attention, lists);
  std::int64_t row_blocks = 0;
  for (const AttentionSequence& sequence : attention.sequences)
    row_blocks += (sequence.rows + lists.row_block - 1) / lists.row_block;
  const TensorArgument& indices = given.selectIdx;
  const TensorArgument& counts = given.selectNumIdx;
  const Dims own{row_blocks, attention.heads()};
  check_inside(plan,
               indices.rank() == 3 && indices.shape()[0] == row_blocks &&
                   indices.shape()[1] == attention.heads() && counts.shape() == own,
               "selectIdx and selectNumIdx have shapes %s and %s, there are %lld blocks of rows",
               indices.shape().text().c_str(), counts.shape().text().c_str(), ll(row_blocks));
  check_inside(plan, indices.dtype() == ACL_INT64 && counts.dtype() == ACL_INT64,
               "selectIdx or selectNumIdx is not int64");
  lists.view = staged_heads(plan, indices, "TND");
  plan.stage(counts).contiguous();
  View each = plan.reads(counts);
  const Dims strides{0, each.strides[1], each.strides[0]};
  each.shape = {1, own[1], own[0]};
  each.strides = strides;
  lists.counts = each;
  lists.is_packed = true;
  attention.lists = lists;
  attention.out =
      laid_out_result(plan, query.dtype(), query.shape(), given.attentionOut, blocks.layout);
  launch_zero(plan, given.attentionOut);
  check_built(plan, blocks, given.blockTableOptional.given());
  launch_attention(plan, std::move(attention));
}

}  // namespace pyaclnn::sim
