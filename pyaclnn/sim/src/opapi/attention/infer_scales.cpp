// SPDX-License-Identifier: MIT
#include "opapi/attention/infer_scales.hpp"

#include <algorithm>
#include <iterator>

#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/contiguous.hpp"

namespace pyaclnn::sim {
namespace {

/// Of what a scale has a number, by the value of the mode's attribute.
enum AntiquantMode : std::int64_t {
  kChannels = 0,  // or one for all
  kTokens = 1,
  kHeads = 2,
  kTokensOfHeads = 3,
  kTokensInPages = 4,
  kTokensOfHeadsInPages = 5,
};

/// Scale or offset of integers.
View antiquant_view(Plan& plan, const TensorArgument& tensor, std::int64_t part, std::int64_t parts,
                    std::int64_t mode, AttentionRows& rows) {
  const Dims keys = AttentionRows::shape_of(rows.view);
  const std::int64_t count = tensor.elements() / parts;
  check_tiling(plan, tensor.elements() % parts == 0, "%s has shape %s", tensor.name(),
               tensor.shape().text().c_str());
  View view = contiguous_view(plan, tensor);
  view.offset += part * count;
  if (mode == kChannels) {
    const bool is_one = count == 1;
    check_tiling(plan, is_one || count == keys[1] * keys[3],
                 "%s has shape %s, it must have one number, or one for each of %lld heads of %lld",
                 tensor.name(), tensor.shape().text().c_str(), ll(keys[1]), ll(keys[3]));
    view.shape = {1, keys[1], 1, keys[3]};
    view.strides = {0, is_one ? 0 : keys[3], 0, is_one ? 0 : 1};
    return view;
  }
  const bool of_pages = mode >= kTokensInPages;
  const bool by_token = mode != kHeads;
  const bool by_head = mode != kTokens && mode != kTokensInPages;
  rows.scales_sequences = by_token && !of_pages && rows.pages.has_value();
  check_tiling(plan, !of_pages || rows.pages.has_value(),
               "%s has numbers for tokens in pages, and there is no blockTable", tensor.name());
  const bool by_sequence = rows.scales_sequences;
  const std::int64_t batches = by_sequence ? rows.pages->shape[0] : by_token ? keys[0] : 1;
  const std::int64_t heads = by_head ? keys[1] : 1;
  const std::int64_t room = by_sequence ? rows.pages->shape[1] * keys[2] : by_token ? keys[2] : 1;
  const std::int64_t length = batches * heads == 0 ? 0 : count / (batches * heads);
  const bool may_be_longer = by_token && !of_pages;
  check_tiling(
      plan, count == length * batches * heads && (may_be_longer ? length >= room : length == room),
      "%s has shape %s, it must have %lld numbers for each of %lld heads of %lld", tensor.name(),
      tensor.shape().text().c_str(), ll(room), ll(heads), ll(batches));
  view.shape = {batches, heads, room, 1};
  view.strides = {heads * length, by_head ? length : 0, by_token ? 1 : 0, 0};
  return view;
}

}  // namespace

void plan_antiquant(const Check& check, Plan& plan, const InferCall& given, Attention& attention) {
  struct Part {
    AttentionRows& rows;
    const TensorArgument& scale;
    const TensorArgument& offset;
    std::int64_t mode;
    std::int64_t number;
  };
  const bool is_split = given.keyAntiquantScaleOptional.given();
  check_tiling(plan, is_split || given.antiquantScaleOptional.given(),
               "key is of integers, and keyAntiquantScale and antiquantScale are null");
  check_tiling(plan, !is_split || given.valueAntiquantScaleOptional.given(),
               "keyAntiquantScale is given, and valueAntiquantScale is null");
  const Part split[] = {{attention.key, given.keyAntiquantScaleOptional,
                         given.keyAntiquantOffsetOptional, given.keyAntiquantMode, 0},
                        {attention.value, given.valueAntiquantScaleOptional,
                         given.valueAntiquantOffsetOptional, given.valueAntiquantMode, 0}};
  const Part joint[] = {{attention.key, given.antiquantScaleOptional, given.antiquantOffsetOptional,
                         given.antiquantMode, 0},
                        {attention.value, given.antiquantScaleOptional,
                         given.antiquantOffsetOptional, given.antiquantMode, 1}};
  check_tiling(plan,
               !is_split || given.keyAntiquantMode == given.valueAntiquantMode ||
                   (given.keyAntiquantMode == kChannels && given.valueAntiquantMode == kTokens),
               "keyAntiquantMode is %lld and valueAntiquantMode %lld", ll(given.keyAntiquantMode),
               ll(given.valueAntiquantMode));
  for (const Part& part : is_split ? split : joint) {
    const std::int64_t parts = is_split ? 1 : 2;
    check_tiling(
        plan, part.mode >= kChannels && part.mode <= (is_split ? kTokensOfHeadsInPages : kTokens),
        "the antiquantMode of %s is %lld", part.scale.name(), ll(part.mode));
    check_tiling(plan, part.mode <= kTokens || attention.query.view.shape[2] == 1,
                 "the antiquantMode of %s is %lld, which is for queries of one token",
                 part.scale.name(), ll(part.mode));
    check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16, ACL_FLOAT}, part.scale);
    const bool is_of_queries = part.mode == kChannels || part.mode == kHeads;
    check_tiling(plan, part.scale.dtype() == (is_of_queries ? given.query.dtype() : ACL_FLOAT),
                 "%s must be of %s", part.scale.name(),
                 is_of_queries ? "the type of query" : "float32");
    part.rows.scale = antiquant_view(plan, part.scale, part.number, parts, part.mode, part.rows);
    if (!part.offset.given()) continue;
    check.same_dtype(part.scale, part.offset);
    part.rows.offset = antiquant_view(plan, part.offset, part.number, parts, part.mode, part.rows);
  }
}

namespace {

/// A number of float32, or of a word whose lower half is its bits.
View number_of(const Check& check, Plan& plan, const TensorArgument& tensor, bool may_be_word) {
  check_tiling(plan, tensor.given() && !tensor.is_empty(),
               "query is of int8, and %s is null or empty", tensor.name());
  const DtypeSet floats{ACL_FLOAT};
  check.dtype_in(may_be_word ? floats | DtypeSet{ACL_UINT64} : floats, tensor);
  check_tiling(plan, !on_950() || tensor.shape() == Dims{1}, "%s has shape %s, it must be [1]",
               tensor.name(), tensor.shape().text().c_str());
  plan.stage(tensor).contiguous();
  View view = plan.reads(tensor);
  if (view.dtype == ACL_UINT64) view.offset *= 2;
  view.dtype = ACL_FLOAT;
  return view;
}

/// One number, or one for each head and column.
View scale_of_result(Plan& plan, const TensorArgument& tensor, const Dims& out) {
  const std::int64_t heads = out[1];
  const std::int64_t depth = out[3];
  const bool is_one = tensor.elements() == 1;
  check_tiling(plan, is_one || tensor.elements() == heads * depth,
               "%s has shape %s, it must have one number, or one for each of %lld heads of %lld",
               tensor.name(), tensor.shape().text().c_str(), ll(heads), ll(depth));
  View view = contiguous_view(plan, tensor);
  view.shape = {1, is_one ? 1 : heads, 1, is_one ? 1 : depth};
  view.strides = {0, depth, 0, 1};
  return view;
}

void plan_rounding(const Check& check, Plan& plan, const InferCall& given, Attention& attention) {
  const TensorArgument& scale = given.quantScale2Optional;
  const TensorArgument& offset = given.quantOffset2Optional;
  check_tiling(plan, scale.given() && !scale.is_empty(),
               "attentionOut is of int8, and quantScale2 is null or empty");
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_BF16}, scale);
  check_tiling(plan, scale.dtype() == ACL_FLOAT || given.query.dtype() == ACL_BF16,
               "quantScale2 is of bfloat16, and query is not");
  const bool is_one = scale.elements() == 1;
  const bool is_alone = !given.queryPaddingSizeOptional.given() &&
                        !given.kvPaddingSizeOptional.given() && !given.softmaxLseFlag;
  check_tiling(plan, is_one || on_950() || is_alone,
               "quantScale2 has more than one number, which goes without paddings and softmaxLse");
  AttentionRounding rounding;
  rounding.scale = scale_of_result(plan, scale, attention.out.shape);
  if (offset.given()) {
    check_tiling(plan, offset.dtype() == scale.dtype() && offset.elements() == scale.elements(),
                 "quantOffset2 is not like quantScale2");
    rounding.offset = scale_of_result(plan, offset, attention.out.shape);
  }
  attention.rounding = rounding;
}

}  // namespace

bool has_byte_latents(const InferCall& given) {
  return given.query.dtype() == ACL_INT8 && given.queryQuantMode == kTokensOfHeads;
}

void plan_byte_latents(const Check& check, Plan& plan, const InferCall& given, const View& rows,
                       Attention& attention) {
  constexpr std::int64_t kLatent = 512;
  constexpr std::int64_t kMostTokens = 16;
  constexpr std::int64_t kBlock = 128;
  const Dims& query = attention.query.view.shape;
  check_tiling(
      plan,
      attention.key.view.shape[1] == 1 && query[3] == kLatent &&
          (query[0] == 1 || query[2] <= kMostTokens) && given.blockSize == kBlock,
      "query is of int8 with rotary parts: it must have up to 16 tokens of 512 values, and "
      "key one head in pages of 128 rows");
  for (const TensorArgument* scale :
       {&given.keyAntiquantScaleOptional, &given.valueAntiquantScaleOptional})
    check_tiling(plan, scale->given() && scale->shape() == Dims{1},
                 "%s must be given, with one number", scale->name());
  AttentionBytes bytes;
  bytes.score = number_of(check, plan, given.keyAntiquantScaleOptional, false);
  bytes.value = number_of(check, plan, given.valueAntiquantScaleOptional, false);
  bytes.rows = rows;
  bytes.in_halves = false;
  attention.bytes = bytes;
}

namespace {

/// Refuses what goes with latent vectors of int8 no more than CANN's division of work has it.
void check_byte_latents(const Plan& plan, const InferCall& given) {
  const TensorArgument* const none[] = {&given.deqScale1Optional,
                                        &given.quantScale1Optional,
                                        &given.deqScale2Optional,
                                        &given.antiquantScaleOptional,
                                        &given.antiquantOffsetOptional,
                                        &given.keyAntiquantOffsetOptional,
                                        &given.valueAntiquantOffsetOptional,
                                        &given.quantScale2Optional,
                                        &given.quantOffset2Optional,
                                        &given.pseShiftOptional,
                                        &given.queryPaddingSizeOptional,
                                        &given.kvPaddingSizeOptional,
                                        &given.learnableSinkOptional};
  for (const TensorArgument* tensor : none)
    check_tiling(plan, !tensor->given(), "%s is given beside latent vectors of int8",
                 tensor->name());
  for (const TensorArgument* tensor : {&given.queryRopeOptional, &given.keyRopeOptional,
                                       &given.blockTableOptional, &given.dequantScaleQueryOptional})
    check_tiling(plan, tensor->given(), "%s is null beside latent vectors of int8", tensor->name());
  const std::string& layout = given.inputLayout.text;
  constexpr const char* kLayouts[] = {"BSH", "BSND", "TND", "BSH_NBSD", "BSND_NBSD", "TND_NTD"};
  check_tiling(plan,
               std::find(std::begin(kLayouts), std::end(kLayouts), layout) != std::end(kLayouts),
               "inputLayout is %s, which latent vectors of int8 have not", layout.c_str());
  check_tiling(plan,
               given.attentionOut.dtype() == ACL_BF16 &&
                   given.queryRopeOptional.dtype() == ACL_BF16 &&
                   given.keyRopeOptional.dtype() == ACL_BF16 &&
                   given.dequantScaleQueryOptional.dtype() == ACL_FLOAT,
               "rotary parts and the result must be of bfloat16, dequantScaleQuery of float32");
  check_tiling(plan, given.keyAntiquantMode == 0 && given.valueAntiquantMode == 0,
               "keyAntiquantMode is %lld, valueAntiquantMode %lld, they must be 0",
               ll(given.keyAntiquantMode), ll(given.valueAntiquantMode));
  check_tiling(plan, given.key.tensors[0].rank() == 5, "key has %zu dimensions, it must have 5",
               given.key.tensors[0].rank());
}

}  // namespace

void check_integers(const Check& check, Plan& plan, const InferCall& given) {
  if (has_byte_latents(given)) return check_byte_latents(plan, given);
  check_tiling(plan, !given.dequantScaleQueryOptional.given(),
               "dequantScaleQuery is given, and queryQuantMode is %lld", ll(given.queryQuantMode));
  const bool is_bytes = given.query.dtype() == ACL_INT8;
  const bool gives_bytes = given.attentionOut.dtype() == ACL_INT8;
  if ((is_bytes || gives_bytes) && on_310p())
    fail_not_simulated(plan, "quantised queries or results");
  if (!is_bytes) {
    if (!gives_bytes) check.same_dtype(given.query, given.attentionOut);
    for (const TensorArgument* tensor :
         {&given.deqScale1Optional, &given.quantScale1Optional, &given.deqScale2Optional})
      check_tiling(plan, !tensor->given(), "%s is given, and query is not of int8", tensor->name());
  } else {
    check_tiling(plan, given.key.tensors[0].dtype() == ACL_INT8,
                 "query is of int8, key must be as well");
    check_tiling(plan, gives_bytes || given.attentionOut.dtype() == ACL_FLOAT16,
                 "query is of int8, attentionOut must be of float16 or int8");
    check_tiling(plan, on_950() || !given.blockTableOptional.given(),
                 "query is of int8, and blockTable is given");
    check_tiling(plan, !given.learnableSinkOptional.given() && !given.queryRopeOptional.given(),
                 "query is of int8, and learnableSink or queryRope is given");
  }
  if (!gives_bytes) {
    for (const TensorArgument* tensor : {&given.quantScale2Optional, &given.quantOffset2Optional})
      check_tiling(plan, !tensor->given(), "%s is given, and attentionOut is not of int8",
                   tensor->name());
  }
  const std::string& layout = given.inputLayout.text;
  const bool has_samples =
      layout == "BSH" || layout == "BSND" || layout == "BNSD" || layout == "BNSD_BSND";
  check_tiling(plan, (!is_bytes && !gives_bytes) || has_samples,
               "inputLayout is %s, for int8 it must be BSH, BSND, BNSD or BNSD_BSND",
               layout.c_str());
}

void plan_integers(const Check& check, Plan& plan, const InferCall& given, Attention& attention) {
  if (has_byte_latents(given)) return;
  const Dims& query = attention.query.view.shape;
  const bool is_bytes = given.query.dtype() == ACL_INT8;
  const bool gives_bytes = given.attentionOut.dtype() == ACL_INT8;
  if (!is_bytes && !gives_bytes) return;
  const std::int64_t value_depth = attention.value.view.shape[3];
  check_tiling(plan, on_950() || (query[3] % 32 == 0 && value_depth % 32 == 0),
               "heads have %lld and %lld values, for int8 they must be a multiple of 32",
               ll(query[3]), ll(value_depth));
  if (is_bytes) {
    check_tiling(plan, on_950() || query[2] > 1,
                 "query is of int8 and has one token, which the 950 alone takes");
    AttentionBytes bytes;
    bytes.score = number_of(check, plan, given.deqScale1Optional, true);
    bytes.weight = number_of(check, plan, given.quantScale1Optional, false);
    bytes.value = number_of(check, plan, given.deqScale2Optional, true);
    attention.bytes = bytes;
  }
  if (gives_bytes) plan_rounding(check, plan, given, attention);
}

void check_rounded_rows(Plan& plan, const InferCall& given, const Attention& attention) {
  if (!attention.rounding.has_value() || on_950() || attention.query.view.shape[2] == 1) return;
  constexpr std::int64_t kBand = 4;
  check_tiling(plan, given.sparseMode != kBand || (given.preTokens >= 0 && given.nextTokens >= 0),
               "attentionOut is of int8, and preTokens or nextTokens is negative");
  if (!attention.rounding->offset.has_value()) return;
  for (const AttentionSequence& sequence : attention.sequences)
    check_tiling(
        plan, sequence.ahead >= 0 && sequence.behind + sequence.columns - sequence.rows >= 0,
        "quantOffset2 is given, and some rows see no column, whose result would be without it");
}

}  // namespace pyaclnn::sim
