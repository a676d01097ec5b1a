// Attention to blocks of keys that NSA selects for each row, and its gradients.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/checked.hpp"
#include "opapi/attention/sparse_plans.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/contiguous.hpp"
#include "parameters/NsaSelectedAttention.hpp"
#include "parameters/NsaSelectedAttentionGrad.hpp"
#include "parameters/NsaSelectedAttentionInfer.hpp"

namespace pyaclnn::sim {
namespace {

/// Blocks of 16 to 128 keys, of which 1 to 128 are chosen.
void check_choice(const Plan& plan, const TensorArgument& indices, std::int64_t size,
                  std::int64_t count) {
  constexpr std::int64_t kUnit = 16;
  constexpr std::int64_t kMost = 128;
  check_inside(plan, size > 0 && size <= kMost && size % kUnit == 0,
               "selectedBlockSize is %lld, it must be a multiple of 16 up to 128", ll(size));
  check_inside(plan, count > 0 && count <= kMost, "selectedBlockCount is %lld, it must be 1 to 128",
               ll(count));
  check_inside(plan, indices.dtype() == ACL_INT32, "topkIndices is not int32");
}

/// What the forward and the backward operator share, all of it in TND.
void plan_selected(Plan& plan, const TensorArgument& query, const TensorArgument& key,
                   const TensorArgument& value, const TensorArgument& indices,
                   const TensorArgument& mask, const IntArrayIn& row_sums,
                   const IntArrayIn& column_sums, std::int64_t heads, std::int64_t mode,
                   std::int64_t size, std::int64_t count, bool needs_mask, Attention& attention) {
  needs_kernel(plan, on_a2_or_a3());
  constexpr std::int64_t kWhole = 0;
  constexpr std::int64_t kLeftUp = 2;
  check_choice(plan, indices, size, count);
  check_inside(plan, mode == kWhole || mode == kLeftUp, "sparseMode is %lld, it must be 0 or 2",
               ll(mode));
  check_inside(plan,
               kHalves.contains(query.dtype()) && key.dtype() == query.dtype() &&
                   value.dtype() == query.dtype(),
               "query, key and value must be of one type, float16 or bfloat16");
  check_operands(plan, check_inside, query, key, value, "TND");
  check_inside(plan, heads == query.shape()[1], "headNum is %lld, query has %lld heads", ll(heads),
               ll(query.shape()[1]));
  check_inside(plan, indices.shape() == Dims({query.shape()[0], key.shape()[1], count}),
               "topkIndices has shape %s, it must have %lld blocks for each row and head of keys",
               indices.shape().text().c_str(), ll(count));
  check_inside(plan,
               row_sums.given() && column_sums.given() && !row_sums.values().empty() &&
                   row_sums.values().size() == column_sums.values().size(),
               "actualSeqQLen and actualSeqKvLen must have a number for each sequence");
  if (mask.given()) {
    check_inside(plan, mask.dtype() == ACL_BOOL || mask.dtype() == ACL_UINT8,
                 "attenMask is neither bool nor uint8");
    check_inside(plan, mask.rank() == 2, "attenMask has %zu dimensions, it must have 2",
                 mask.rank());
  }
  attention.query.view = staged_heads(plan, query, "TND");
  attention.key.view = staged_heads(plan, key, "TND");
  attention.value.view = staged_heads(plan, value, "TND");
  attention.sequences = sequences_of(lengths_of(row_sums.values(), true),
                                     lengths_of(column_sums.values(), true), true, true);
  check_fits(plan, check_inside, attention);
  // What stands in the mask is not looked at.
  if (mode == kLeftUp && (mask.given() || !needs_mask)) {
    for (AttentionSequence& sequence : attention.sequences) sequence.ahead = 0;
  }
  AttentionLists lists;
  lists.view = staged_heads(plan, indices, "TND");
  lists.column_block = size;
  lists.is_packed = true;
  attention.lists = lists;
}

Dims statistics_shape(const TensorArgument& query) {
  constexpr std::int64_t kAlike = 8;
  return {query.shape()[0], query.shape()[1], kAlike};
}

}  // namespace

void nsa_selected_attention(const Check& check, Plan& plan,
                            const NsaSelectedAttentionParameters& given) {
  const TensorArgument& query = given.query;
  const TensorArgument& key = given.key;
  const TensorArgument& value = given.value;
  if (given.softmaxMaxOut.is_empty() && given.softmaxSumOut.is_empty() &&
      given.attentionOut.is_empty())
    return;
  check.that(given.inputLayout.text == "TND", "inputLayout is %s, it must be TND",
             given.inputLayout.text.c_str());
  for (const TensorArgument* tensor : {&query, &key, &value})
    check.that(tensor->rank() == 3, "%s has %zu dimensions, it must have 3", tensor->name(),
               tensor->rank());
  constexpr std::int64_t kMostDepth = 768;
  const std::int64_t depth = query.shape()[2];
  check.that(depth == key.shape()[2] && depth >= value.shape()[2] && depth <= kMostDepth,
             "heads of query, key and value have %lld, %lld and %lld values", ll(depth),
             ll(key.shape()[2]), ll(value.shape()[2]));
  for (const TensorArgument* tensor : {&query, &key, &value})
    check.that(!tensor->is_empty(), "%s has no elements", tensor->name());
  Attention attention;
  plan_selected(plan, query, key, value, given.topkIndices, given.attenMaskOptional,
                given.actualSeqQLenOptional, given.actualSeqKvLenOptional, given.headNum,
                given.sparseMode, given.selectedBlockSize, given.selectedBlockCount, true,
                attention);
  attention.scale = static_cast<float>(given.scaleValue);
  const Dims statistics = statistics_shape(query);
  attention.maximum = {laid_out_result(plan, ACL_FLOAT, statistics, given.softmaxMaxOut, "TND")};
  attention.sum = {laid_out_result(plan, ACL_FLOAT, statistics, given.softmaxSumOut, "TND")};
  attention.out = laid_out_result(plan, query.dtype(), attended_shape(query, value.shape()[2]),
                                  given.attentionOut, "TND");
  if (end_of(attention.sequences, false) < query.shape()[0]) {
    for (const TensorArgument* out : {static_cast<const TensorArgument*>(&given.softmaxMaxOut),
                                      static_cast<const TensorArgument*>(&given.softmaxSumOut),
                                      static_cast<const TensorArgument*>(&given.attentionOut)})
      launch_zero(plan, *out);
  }
  launch_attention(plan, std::move(attention));
}

void nsa_selected_attention_grad(const Check& check, Plan& plan,
                                 const NsaSelectedAttentionGradParameters& given) {
  const TensorArgument& query = given.query;
  check.dtype_in(kHalves, query);
  check.same_dtype(query, given.key, given.value, given.attentionOut, given.attentionOutGrad,
                   given.dqOut, given.dkOut, given.dvOut);
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.softmaxMax, given.softmaxSum);
  check.dtype_in(DtypeSet{ACL_INT32}, given.topkIndices);
  if (query.is_empty()) return;
  check_inside(plan, given.inputLayout.text == "TND", "inputLayout is %s, it must be TND",
               given.inputLayout.text.c_str());
  AttentionGradients gradients;
  Attention& forward = gradients.forward;
  plan_selected(plan, query, given.key, given.value, given.topkIndices, given.attenMaskOptional,
                given.actualSeqQLenOptional, given.actualSeqKvLenOptional, given.headNum,
                given.sparseMode, given.selectedBlockSize, given.selectedBlockCount, false,
                forward);
  forward.scale = static_cast<float>(given.scaleValue);
  for (const TensorArgument* saved : {&given.softmaxMax, &given.softmaxSum})
    check_inside(plan, saved->shape() == statistics_shape(query), "%s has shape %s", saved->name(),
                 saved->shape().text().c_str());
  for (const TensorArgument* saved : {&given.attentionOut, &given.attentionOutGrad})
    check_inside(plan, saved->shape() == attended_shape(query, given.value.shape()[2]),
                 "%s has shape %s", saved->name(), saved->shape().text().c_str());
  forward.maximum = {staged_heads(plan, given.softmaxMax, "TND")};
  forward.sum = {staged_heads(plan, given.softmaxSum, "TND")};
  forward.out = staged_heads(plan, given.attentionOut, "TND");
  gradients.grad = staged_heads(plan, given.attentionOutGrad, "TND");
  for (const auto& [out, of] :
       {std::pair<const TensorArgument*, const TensorArgument*>{&given.dqOut, &query},
        {&given.dkOut, &given.key},
        {&given.dvOut, &given.value}})
    check.shape_is(*out, of->shape(), of->name());
  plan_gradients(plan, gradients, query, given.key, given.value, given.dqOut, given.dkOut,
                 given.dvOut, "TND");
  launch_attention_gradients(plan, std::move(gradients));
}

void nsa_selected_attention_infer(const Check& check, Plan& plan,
                                  const NsaSelectedAttentionInferParameters& given) {
  if (given.output.is_empty()) return;
  const TensorArgument& query = given.query;
  const std::string& layout = given.layoutOptional.text;
  const std::int64_t heads = given.numHeads;
  const std::int64_t key_heads = given.numKeyValueHeads;
  check.that(layout == "BSND" || layout == "BSH" || layout == "TND", "layoutOptional is %s",
             layout.c_str());
  constexpr std::int64_t kMostGroup = 16;
  check_inside(
      plan, heads > 0 && key_heads > 0 && heads % key_heads == 0 && heads / key_heads <= kMostGroup,
      "there are %lld heads of queries and %lld of keys", ll(heads), ll(key_heads));
  check.same_dtype(query, given.key, given.value);
  check.dtype_in(kHalves, query);
  check.dtype_in(DtypeSet{ACL_INT32}, given.topkIndices);
  const std::size_t key_rank = layout == "BSND" ? 4 : 3;
  check.that(query.rank() == rank_of_layout(layout) && given.key.rank() == key_rank &&
                 given.value.rank() == key_rank,
             "query, key and value have shapes %s, %s and %s", query.shape().text().c_str(),
             given.key.shape().text().c_str(), given.value.shape().text().c_str());
  constexpr std::int64_t kDepth = 192;
  constexpr std::int64_t kValueDepth = 128;
  const auto width = [](const TensorArgument& tensor) { return tensor.shape()[tensor.rank() - 1]; };
  check.that(width(query) == (layout == "BSH" ? kDepth * heads : kDepth) &&
                 width(given.key) == (key_rank == 4 ? kDepth : kDepth * key_heads) &&
                 width(given.value) == (key_rank == 4 ? kValueDepth : kValueDepth * key_heads),
             "heads of queries and keys must have 192 values, those of values 128");
  for (const TensorArgument* tensor : {&query, &given.key, &given.value})
    check.that(!tensor->is_empty(), "%s has no elements", tensor->name());
  needs_kernel(plan, on_a2_or_a3());
  const std::size_t last = query.rank() - 2;
  check_inside(plan, layout == "BSH" || query.shape()[last] == heads,
               "numHeads is %lld, query has %lld", ll(heads), ll(query.shape()[last]));
  check_inside(plan, key_rank == 3 || given.key.shape()[2] == key_heads,
               "numKeyValueHeads is %lld, key has %lld", ll(key_heads),
               ll(key_rank == 3 ? key_heads : given.key.shape()[2]));
  check_choice(plan, given.topkIndices, given.selectBlockSize, given.selectBlockCount);
  const bool is_packed = layout == "TND";
  const Lengths rows = lengths_of(given.actualQSeqLenOptional.values(), false);
  const Lengths columns = lengths_of(given.actualKvSeqLenOptional.values(), false);
  const auto batch = std::int64_t(rows.size());
  check_inside(
      plan, batch > 0 && rows.size() == columns.size() && (is_packed || batch == query.shape()[0]),
      "%zu sequences of queries and %zu of keys", rows.size(), columns.size());
  constexpr std::int64_t kMostRows = 4;
  for (std::size_t i = 0; i < rows.size(); ++i)
    check_inside(plan, rows[i] >= 1 && rows[i] <= kMostRows && rows[i] <= columns[i],
                 "a sequence has %lld queries and %lld keys", ll(rows[i]), ll(columns[i]));
  const std::string pages = key_rank == 4 ? "BSND" : "BSH";
  Attention attention;
  attention.query.view = staged_heads(plan, query, layout, heads);
  attention.key.view = staged_heads(plan, given.key, pages, key_heads);
  attention.value.view = staged_heads(plan, given.value, pages, key_heads);
  const Dims& keys = attention.key.view.shape;
  check_inside(plan,
               attention.value.view.shape[2] == keys[2] && keys[0] > 0 &&
                   given.pageBlockSize == keys[2] && (keys[2] == 64 || keys[2] == 128),
               "pages have %lld keys, pageBlockSize is %lld, it must be 64 or 128", ll(keys[2]),
               ll(given.pageBlockSize));
  const TensorArgument& table = given.blockTableOptional;
  check_inside(plan, table.dtype() == ACL_INT32 && table.rank() == 2 && table.shape()[0] == batch,
               "blockTable has shape %s", table.shape().text().c_str());
  plan.stage(table).contiguous();
  attention.key.pages = attention.value.pages = plan.reads(table);
  attention.value.view.shape.set(0, std::min(attention.value.view.shape[0], keys[0]));
  attention.sequences = sequences_of(rows, columns, is_packed, false);
  for (AttentionSequence& sequence : attention.sequences) {
    check_inside(plan, sequence.columns <= table.shape()[1] * keys[2],
                 "a sequence has %lld keys, its pages have %lld", ll(sequence.columns),
                 ll(table.shape()[1] * keys[2]));
    sequence.key_batch = 0;
  }
  see_right_down(attention.sequences);
  check_inside(plan, end_of(attention.sequences, false) <= attention.query.view.shape[2],
               "sequences have %lld queries, there are %lld",
               ll(end_of(attention.sequences, false)), ll(attention.query.view.shape[2]));
  const TensorArgument& indices = given.topkIndices;
  const std::int64_t all_rows = attention.query.view.shape[0] * attention.query.view.shape[2];
  check_inside(plan,
               indices.rank() >= 3 && width(indices) == given.selectBlockCount &&
                   Checked(all_rows) * key_heads * given.selectBlockCount == indices.elements(),
               "topkIndices has shape %s", indices.shape().text().c_str());
  AttentionLists lists;
  lists.view = contiguous_view(plan, indices);
  const std::int64_t count = given.selectBlockCount;
  lists.view.shape = {attention.query.view.shape[0], key_heads, attention.query.view.shape[2],
                      count};
  lists.view.strides = {attention.query.view.shape[2] * key_heads * count, count, key_heads * count,
                        1};
  lists.column_block = given.selectBlockSize;
  lists.is_packed = is_packed;
  attention.lists = lists;
  attention.scale = static_cast<float>(given.scaleValue);
  Dims shape = query.shape();
  shape.set(shape.size() - 1, layout == "BSH" ? kValueDepth * heads : kValueDepth);
  plan.result(query.dtype(), shape).copy_to(given.output);
  attention.out = by_heads(plan.writes(given.output), layout, heads);
  launch_zero(plan, given.output);
  launch_attention(plan, std::move(attention));
}

}  // namespace pyaclnn::sim
