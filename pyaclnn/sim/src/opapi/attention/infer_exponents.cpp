// Attention for inference of floats of 8 bits throughout, whose groups of 32 share an exponent: of
// queries and keys 32 values of a token and head, of values 32 tokens of a head's column.
// SPDX-License-Identifier: MIT
#include "objects/dtype.hpp"
#include "opapi/attention/infer_scales.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/contiguous.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGroup = 32;
constexpr std::int64_t kPair = 2;     // exponents that lie beside one another
constexpr std::int64_t kLane = 16;    // of exponents beside caches in fractals
constexpr std::int64_t kColumns = 8;  // the mode of exponents of values

/// A tensor's elements in another order, behind one another.
View ordered(Plan& plan, const View& from, const Dims& shape, const Dims& strides) {
  View source = from;
  source.shape = shape;
  source.strides = strides;
  const TensorArgument to = plan.scratch("exponents", from.dtype, shape);
  launch_flat_copy(plan, plan.writes(to), 0, source, 0, to.elements());
  return plan.reads(to);
}

View described(View view, const Dims& shape, const Dims& strides) {
  view.shape = shape;
  view.strides = strides;
  return view;
}

View exponents_of(Plan& plan, const TensorArgument& tensor, const Dims& shape) {
  check_tiling(plan, tensor.dtype() == ACL_FLOAT8_E8M0 && tensor.shape() == shape,
               "%s is of %s and has shape %s, it must be of float8_e8m0 and %s", tensor.name(),
               dtype_name(tensor.dtype()), tensor.shape().text().c_str(), shape.text().c_str());
  return contiguous_view(plan, tensor);
}

/// Of rows behind one another, [tokens, heads, depth / 64, 2].
View of_tokens(Plan& plan, const TensorArgument& tensor, const Dims& rows) {
  const std::int64_t groups = rows[3] / kGroup;
  const View view = exponents_of(plan, tensor, Dims{rows[2], rows[1], groups / kPair, kPair});
  return described(view, {1, rows[1], rows[2], groups, kGroup},
                   {0, groups, rows[1] * groups, 1, 0});
}

/// The same, or [heads of keys, tokens, heads that share them, depth / 64, 2].
View of_queries(Plan& plan, const TensorArgument& tensor, const Dims& rows,
                std::int64_t key_heads) {
  if (tensor.rank() != 5) return of_tokens(plan, tensor, rows);
  const std::int64_t groups = rows[3] / kGroup;
  const std::int64_t tokens = rows[2];
  const std::int64_t shared = rows[1] / key_heads;
  const View view =
      exponents_of(plan, tensor, Dims{key_heads, tokens, shared, groups / kPair, kPair});
  const View turned = ordered(plan, view, {tokens, key_heads, shared, groups},
                              {shared * groups, tokens * shared * groups, groups, 1});
  return described(turned, {1, rows[1], tokens, groups, kGroup},
                   {0, groups, rows[1] * groups, 1, 0});
}

View of_keys(Plan& plan, const TensorArgument& tensor, const AttentionRows& keys) {
  const Dims rows = AttentionRows::shape_of(keys.view);
  if (!keys.pages.has_value()) return of_tokens(plan, tensor, rows);
  const std::int64_t pages = rows[0], heads = rows[1], block = rows[2];
  const std::int64_t groups = rows[3] / kGroup;
  View view;
  if (keys.view.shape.size() > 4) {
    view =
        exponents_of(plan, tensor, Dims{pages, heads, block / kLane, groups / kPair, kLane, kPair});
    view = ordered(plan, view, {pages * heads * block / kLane, kLane, groups / kPair, kPair},
                   {groups * kLane, kPair, kLane * kPair, 1});
  } else {
    view = exponents_of(plan, tensor, Dims{pages, heads, block, groups / kPair, kPair});
  }
  return described(view, {pages, heads, block, groups, kGroup},
                   {heads * block * groups, block * groups, groups, 1, 0});
}

/// A row for each group of tokens.
View of_values(Plan& plan, const TensorArgument& tensor, const AttentionRows& values) {
  const Dims rows = AttentionRows::shape_of(values.view);
  const std::int64_t heads = rows[1], depth = rows[3];
  constexpr std::int64_t kBoth = kGroup * kPair;
  const std::int64_t pairs = (rows[2] + kBoth - 1) / kBoth;
  View view;
  if (!values.pages.has_value()) {
    view = exponents_of(plan, tensor, Dims{pairs, heads, depth, kPair});
    view = ordered(plan, view, {heads, pairs, kPair, depth},
                   {depth * kPair, heads * depth * kPair, 1, kPair});
  } else if (values.view.shape.size() > 4) {
    const std::int64_t lanes = depth / kLane;
    view = exponents_of(plan, tensor, Dims{rows[0], heads, lanes, pairs, kLane, kPair});
    view = ordered(plan, view, {rows[0] * heads, pairs, kPair, lanes, kLane},
                   {depth * pairs * kPair, kLane * kPair, 1, pairs * kLane * kPair, kPair});
  } else {
    view = exponents_of(plan, tensor, Dims{rows[0], heads, pairs, depth, kPair});
    view = ordered(plan, view, {rows[0] * heads * pairs, kPair, depth}, {depth * kPair, 1, kPair});
  }
  const std::int64_t groups = pairs * kPair;
  return described(view, {rows[0], heads, groups, depth},
                   {heads * groups * depth, groups * depth, depth, 1});
}

}  // namespace

bool has_exponents(const InferCall& given) {
  return on_late_950() && given.query.dtype() == ACL_FLOAT8_E4M3FN &&
         given.queryQuantMode == kGroups && given.keyAntiquantMode == kGroups &&
         given.valueAntiquantMode == kColumns;
}

void check_exponents(const Check& check, const Plan& plan, const InferCall& given) {
  const TensorArgument* const none[] = {
      &given.deqScale1Optional,          &given.deqScale2Optional,
      &given.quantScale2Optional,        &given.quantOffset2Optional,
      &given.antiquantScaleOptional,     &given.antiquantOffsetOptional,
      &given.keyAntiquantOffsetOptional, &given.valueAntiquantOffsetOptional,
      &given.pseShiftOptional,           &given.queryPaddingSizeOptional,
      &given.kvPaddingSizeOptional,      &given.learnableSinkOptional,
      &given.keySharedPrefixOptional};
  for (const TensorArgument* tensor : none)
    check_tiling(plan, !tensor->given(), "%s is given beside exponents of groups", tensor->name());
  for (const TensorArgument* tensor :
       {&given.dequantScaleQueryOptional, &given.keyAntiquantScaleOptional,
        &given.valueAntiquantScaleOptional})
    check_tiling(plan, tensor->given(), "%s is null beside exponents of groups", tensor->name());
  if (given.quantScale1Optional.given())
    check.dtype_in(DtypeSet{ACL_FLOAT}, given.quantScale1Optional);
  check_tiling(plan, given.key.tensors.size() == 1, "key is a list of %zu tensors",
               given.key.tensors.size());
  check_tiling(plan, given.inputLayout.text == "TND", "inputLayout is %s, it must be TND",
               given.inputLayout.text.c_str());
  const aclDataType result = given.attentionOut.dtype();
  const bool is_turned = given.queryRopeOptional.given();
  check_tiling(plan, result == ACL_BF16 || (result == ACL_FLOAT16 && !is_turned),
               "attentionOut is of %s, it must be of bfloat16%s", dtype_name(result),
               is_turned ? " beside rotary parts" : " or float16");
  for (const TensorArgument* rope : {&given.queryRopeOptional, &given.keyRopeOptional}) {
    if (rope->given())
      check_tiling(plan, rope->dtype() == ACL_BF16, "%s is of %s, not of bfloat16", rope->name(),
                   dtype_name(rope->dtype()));
  }
  check_tiling(plan, given.innerPrecise == 0 || given.innerPrecise == 1,
               "innerPrecise is %lld, it must be 0 or 1", ll(given.innerPrecise));
  constexpr std::int64_t kRightDown = 3;
  const bool is_masked = given.attenMaskOptional.given();
  check_tiling(plan, given.sparseMode == (is_masked ? kRightDown : 0),
               "sparseMode is %lld, it must be 0, or 3 with attenMask", ll(given.sparseMode));
  if (!given.blockTableOptional.given()) return;
  check_tiling(plan, given.blockSize == 512 || given.blockSize == 1024,
               "blockSize is %lld, it must be 512 or 1024", ll(given.blockSize));
  check_tiling(plan, given.key.tensors[0].rank() > 3, "key has %zu dimensions, it must have 4 or 5",
               given.key.tensors[0].rank());
}

void plan_exponents(Plan& plan, const InferCall& given, Attention& attention) {
  const std::int64_t depth = attention.query.view.shape[3];
  const Dims values = AttentionRows::shape_of(attention.value.view);
  check_tiling(plan, (depth == 64 || depth == 128) && values[3] == depth,
               "heads have %lld values, and %lld: they must have 64 or 128", ll(depth),
               ll(values[3]));
  attention.query.scale =
      of_queries(plan, given.dequantScaleQueryOptional, attention.query.view.shape,
                 AttentionRows::shape_of(attention.key.view)[1]);
  attention.key.scale = of_keys(plan, given.keyAntiquantScaleOptional, attention.key);
  attention.value.scale = of_values(plan, given.valueAntiquantScaleOptional, attention.value);
  attention.value.rows_of_scale = kGroup;
  AttentionBytes bytes;
  bytes.plain_weight = 1.0f;
  bytes.in_halves = false;
  if (const TensorArgument& weight = given.quantScale1Optional; weight.given()) {
    check_tiling(plan, weight.shape() == Dims{1}, "quantScale1 has shape %s, it must be [1]",
                 weight.shape().text().c_str());
    bytes.weight = contiguous_view(plan, weight);
  }
  attention.bytes = bytes;
}

}  // namespace pyaclnn::sim
