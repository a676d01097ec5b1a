// SPDX-License-Identifier: MIT
#include "opapi/attention/infer_scales.hpp"

#include <algorithm>
#include <iterator>

#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/copy/contiguous.hpp"

namespace pyaclnn::sim {
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
               "attentionOut is of %s, and quantScale2 is null or empty",
               dtype_name(given.attentionOut.dtype()));
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
  return is_byte(given.query.dtype()) && given.queryQuantMode == kTokensOfHeads;
}

void plan_byte_latents(const Check& check, Plan& plan, const InferCall& given, const View& rows,
                       Attention& attention) {
  constexpr std::int64_t kLatent = 512;
  constexpr std::int64_t kMostTokens = 16;
  constexpr std::int64_t kBlock = 128;
  const Dims& query = attention.query.view.shape;
  check_tiling(plan,
               attention.key.view.shape[1] == 1 && query[3] == kLatent &&
                   (query[0] == 1 || query[2] <= kMostTokens) &&
                   (given.blockSize == kBlock || !given.blockTableOptional.given()),
               "query is of %s with rotary parts: it must have up to 16 tokens of 512 values, and "
               "key one head in pages of 128 rows",
               dtype_name(given.query.dtype()));
  for (const TensorArgument* scale :
       {&given.keyAntiquantScaleOptional, &given.valueAntiquantScaleOptional})
    check_tiling(plan, scale->given() && scale->shape() == Dims{1},
                 "%s must be given, with one number", scale->name());
  AttentionBytes bytes;
  bytes.score = number_of(check, plan, given.keyAntiquantScaleOptional, false);
  bytes.value = number_of(check, plan, given.valueAntiquantScaleOptional, false);
  bytes.rows = rows;
  bytes.plain_weight = largest_quantised(given.query.dtype());
  bytes.in_halves = false;
  attention.bytes = bytes;
}

namespace {

/// What the 950 has of latent vectors of floats of 8 bits, beyond what all have.
void check_float_latents(const Plan& plan, const InferCall& given) {
  const std::string& layout = given.inputLayout.text;
  check_tiling(plan, given.key.tensors[0].rank() != 4 || layout[1] == 'N',
               "key has 4 dimensions, which goes with BNSD and TND, not with %s", layout.c_str());
  check_tiling(
      plan,
      given.numHeads > 0 && given.numHeads <= 128 && (given.numHeads & (given.numHeads - 1)) == 0,
      "numHeads is %lld, it must be a power of two up to 128", ll(given.numHeads));
  check_tiling(plan,
               (given.sparseMode == 0 || given.sparseMode == 3) &&
                   given.attenMaskOptional.given() == (given.sparseMode == 3),
               "sparseMode is %lld: it must be 0, or 3 with attenMask", ll(given.sparseMode));
}

/// Refuses what goes with latent vectors of 8 bits no more than CANN's division of work has it.
void check_byte_latents(const Plan& plan, const InferCall& given) {
  const bool is_int8 = given.query.dtype() == ACL_INT8;
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
    check_tiling(plan, !tensor->given(), "%s is given beside latent vectors of 8 bits",
                 tensor->name());
  for (const TensorArgument* tensor : {&given.queryRopeOptional, &given.keyRopeOptional,
                                       &given.blockTableOptional, &given.dequantScaleQueryOptional})
    check_tiling(plan, tensor->given() || (!is_int8 && tensor == &given.blockTableOptional),
                 "%s is null beside latent vectors of 8 bits", tensor->name());
  const std::string& layout = given.inputLayout.text;
  constexpr const char* kLayouts[] = {"BSH",       "BSND",    "TND",  "BSH_NBSD",
                                      "BSND_NBSD", "TND_NTD", "BNSD", "BNSD_NBSD"};
  const auto* const end = std::end(kLayouts) - (is_int8 ? 2 : 0);
  check_tiling(plan, std::find(std::begin(kLayouts), end, layout) != end,
               "inputLayout is %s, which latent vectors of %s have not", layout.c_str(),
               dtype_name(given.query.dtype()));
  check_tiling(plan,
               given.attentionOut.dtype() == ACL_BF16 &&
                   given.queryRopeOptional.dtype() == ACL_BF16 &&
                   given.keyRopeOptional.dtype() == ACL_BF16 &&
                   given.dequantScaleQueryOptional.dtype() == ACL_FLOAT,
               "rotary parts and the result must be of bfloat16, dequantScaleQuery of float32");
  check_tiling(plan, given.keyAntiquantMode == 0 && given.valueAntiquantMode == 0,
               "keyAntiquantMode is %lld, valueAntiquantMode %lld, they must be 0",
               ll(given.keyAntiquantMode), ll(given.valueAntiquantMode));
  if (!is_int8) return check_float_latents(plan, given);
  check_tiling(plan, given.key.tensors[0].rank() == 5, "key has %zu dimensions, it must have 5",
               given.key.tensors[0].rank());
}

}  // namespace

void check_integers(const Check& check, Plan& plan, const InferCall& given) {
  if (has_byte_latents(given)) return check_byte_latents(plan, given);
  if (has_exponents(given)) return check_exponents(check, plan, given);
  if (given.queryQuantMode != 0) fail_not_simulated(plan, "a queryQuantMode but 0, 3 and 6");
  check_tiling(plan, !given.dequantScaleQueryOptional.given(),
               "dequantScaleQuery is given, and queryQuantMode is %lld", ll(given.queryQuantMode));
  const aclDataType result = given.attentionOut.dtype();
  check_tiling(plan, !is_byte(given.query.dtype()) || given.query.dtype() == ACL_INT8,
               "query is of %s, which goes with a queryQuantMode of 3, not %lld",
               dtype_name(given.query.dtype()), ll(given.queryQuantMode));
  const bool is_bytes = given.query.dtype() == ACL_INT8;
  const bool gives_bytes = is_byte(result);
  check_tiling(plan, result == ACL_INT8 || !gives_bytes || !given.keySharedPrefixOptional.given(),
               "attentionOut is of %s, and keySharedPrefix is given", dtype_name(result));
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
    check_tiling(plan, result == ACL_INT8 || result == ACL_FLOAT16,
                 "query is of int8, attentionOut must be of float16 or int8");
    check_tiling(plan, on_950() || !given.blockTableOptional.given(),
                 "query is of int8, and blockTable is given");
    check_tiling(plan, !given.learnableSinkOptional.given() && !given.queryRopeOptional.given(),
                 "query is of int8, and learnableSink or queryRope is given");
  }
  if (!gives_bytes) {
    for (const TensorArgument* tensor : {&given.quantScale2Optional, &given.quantOffset2Optional})
      check_tiling(plan, !tensor->given(), "%s is given, and attentionOut is of %s", tensor->name(),
                   dtype_name(result));
  }
  const std::string& layout = given.inputLayout.text;
  check_tiling(plan, (!is_bytes && !gives_bytes) || has_samples(layout),
               "inputLayout is %s, for 8 bits it must be BSH, BSND, BNSD or BNSD_BSND",
               layout.c_str());
}

void plan_integers(const Check& check, Plan& plan, const InferCall& given, Attention& attention) {
  if (has_byte_latents(given)) return;
  if (has_exponents(given)) return plan_exponents(plan, given, attention);
  const Dims& query = attention.query.view.shape;
  const bool is_bytes = given.query.dtype() == ACL_INT8;
  const bool gives_bytes = is_byte(given.attentionOut.dtype());
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
