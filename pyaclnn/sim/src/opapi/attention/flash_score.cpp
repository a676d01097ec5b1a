// The operators of attention for training, in all versions, and their gradients.
// SPDX-License-Identifier: MIT
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "core/release.hpp"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/attention/attention_gradients.hpp"
#include "opapi/attention/flash_pairs.hpp"
#include "opapi/attention/layouts.hpp"
#include "opapi/attention/narrow_attention.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "parameters/FlashAttentionScoreGradV4.hpp"
#include "parameters/FlashAttentionScoreV4.hpp"
#include "parameters/FlashAttentionUnpaddingScoreGradV5.hpp"
#include "parameters/FlashAttentionVarLenScoreV5.hpp"
#include "parameters/QuantFlashAttentionScore.hpp"

namespace pyaclnn::sim {
namespace {

const DtypeSet kFloats{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

/// The kernel's result is copied to `out`, which has to be like it.
void copy_result(Plan& plan, aclDataType dtype, const Dims& shape, const TensorArgument& out) {
  check_launches(plan, out.dtype() == dtype && out.shape() == shape,
                 "%s has shape %s, it must be %s and of the type of the operands", out.name(),
                 out.shape().text().c_str(), shape.text().c_str());
  plan.result(dtype, shape).copy_to(out);
}

/// The query's shape with the depth of values.
Dims attended_shape(const FlashCall& call, const FlashSizes& sizes) {
  Dims shape = call.query.shape();
  const bool has_heads_axis = shape.size() == 4 || call.layout == "TND";
  shape.set(shape.size() - 1, has_heads_axis ? sizes.value_depth : sizes.value_depth * sizes.heads);
  return shape;
}

View heads_of(const View& view, const FlashCall& call, std::int64_t heads) {
  return by_heads(view, call.layout, heads);
}

bool is_wanted(const TensorArgument& out) { return is_there(out) && out.shape() != Dims{0}; }

/// Refuses what the kernel's division of work refuses of what the forward pass left.
template <class Given>
void check_saved(Plan& plan, const FlashCall& call, const FlashSizes& sizes, const Given& given) {
  const Dims shape = statistics_shape(call, sizes);
  for (const TensorArgument* saved : {&given.softmaxMaxOptional, &given.softmaxSumOptional}) {
    check_launches(plan, is_there(*saved), "softmaxMax or softmaxSum is null");
    check_launches(plan, saved->dtype() == ACL_FLOAT && saved->shape() == shape,
                   "%s has shape %s, it must be %s of float32", saved->name(),
                   saved->shape().text().c_str(), shape.text().c_str());
    plan.stage(*saved).contiguous();
  }
  const Dims attended = attended_shape(call, sizes);
  for (const TensorArgument* result : {&given.attentionInOptional, &given.dy}) {
    check_launches(plan, result->shape() == attended && result->dtype() == call.query.dtype(),
                   "%s has shape %s, it must be %s and of the type of query", result->name(),
                   result->shape().text().c_str(), attended.text().c_str());
    plan.stage(*result).contiguous();
  }
}

/// What forward and backward operators name alike, and what they do not.
template <class Given>
FlashCall flash_call(const Given& given, const TensorArgument& query_rope,
                     const TensorArgument& key, const TensorArgument& key_rope,
                     const TensorArgument& pse, const TensorArgument& sink,
                     const Text& statistics_layout, bool has_free_rope) {
  return {given.query,
          query_rope,
          key,
          key_rope,
          given.value,
          pse,
          given.dropMaskOptional,
          given.attenMaskOptional,
          sink,
          given.prefixOptional,
          given.actualSeqQLenOptional,
          given.actualSeqKvLenOptional,
          given.qStartIdxOptional,
          given.kvStartIdxOptional,
          given.scaleValue,
          given.keepProb,
          given.preTokens,
          given.nextTokens,
          given.headNum,
          given.inputLayout.text,
          given.innerPrecise,
          given.sparseMode,
          given.pseType,
          statistics_layout.text,
          has_free_rope};
}

/// The same call, with the numbers that its dropout is drawn from.
template <class Given>
FlashCall drawn(FlashCall call, const Given& given) {
  call.seed = given.seed;
  call.offset = given.offset;
  return call;
}

/// The newest versions are those of the 950 alone.
void check_newest(const Plan& plan) {
  check_launches(plan, on_950(), "there is no kernel for %s", chip().name);
}

/// 161001 for a scale that CANN's division of the work refuses: one of so many tokens each.
void check_scale(const Plan& plan, const TensorArgument& scale, std::int64_t batch,
                 std::int64_t heads, std::int64_t tokens, std::int64_t block) {
  const Dims shape{batch, heads, (tokens + block - 1) / block, 1};
  check_launches(plan, scale.dtype() == ACL_FLOAT && scale.shape() == shape,
                 "%s has shape %s, it must be %s of float32", scale.name(),
                 scale.shape().text().c_str(), shape.text().c_str());
}

constexpr std::int64_t kRowsOfScale = 128;
constexpr std::int64_t kKeysOfScale = 256;
constexpr std::int64_t kValuesOfScale = 512;

/// Whether operands have 8 bits, which the kernels of the 950 have.
bool is_small(const TensorArgument& query) {
  const DtypeSet small{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, ACL_HIFLOAT8};
  return on_950() && small.contains(query.dtype());
}

/// Plans the forward operator; `check_launch` refuses what only its kernel does.
template <class Given, class CheckLaunch>
void plan_score(const Check& check, Plan& plan, const Given& given, const FlashCall& call,
                CheckLaunch check_launch) {
  const TensorArgument& maximum = given.softmaxMaxOut;
  const TensorArgument& sum = given.softmaxSumOut;
  const TensorArgument& out = given.attentionOutOut;
  if (maximum.is_empty() && sum.is_empty() && out.is_empty()) return;
  check.same_dtype(call.query, call.key, call.value);
  check.dtype_in(kFloats, call.query);
  constexpr std::int64_t kDistance = 2;
  if (call.pse_type == kDistance || call.pse_type == kDistance + 1) {
    check.that(call.pse.given(), "pseType is %lld and there is no pse",
               static_cast<long long>(call.pse_type));
    check.dtype_in(DtypeSet{ACL_FLOAT}, call.pse);
  } else if (call.pse.given()) {
    check.same_dtype(out, call.pse);
  }
  if (call.sink.given()) check.dtype_in(DtypeSet{ACL_FLOAT}, call.sink);
  const FlashSizes sizes = flash_sizes(check, call);
  constexpr std::int64_t kMostDepth = 768;
  check.that(sizes.depth <= kMostDepth, "heads have %lld values, at most 768 are allowed",
             static_cast<long long>(sizes.depth));
  check_rope(check, call, sizes);
  check_launch();
  const Dims statistics = statistics_shape(call, sizes);
  const auto plan_results = [&] {
    copy_result(plan, ACL_FLOAT, statistics, maximum);
    copy_result(plan, ACL_FLOAT, statistics, sum);
    copy_result(plan, call.query.dtype(), attended_shape(call, sizes), out);
  };
  const auto clear = [&] {
    for (const TensorArgument* result : {&maximum, &sum, &out}) launch_zero(plan, *result);
  };
  if (!sizes.has_pairs()) {
    plan_results();
    return clear();
  }
  Attention attention;
  plan_pairs(plan, call, sizes, false, attention);
  plan_results();
  if (has_tail(attention, false)) clear();
  attention.maximum = statistics_of(plan.writes(maximum), call);
  attention.sum = statistics_of(plan.writes(sum), call);
  attention.out = heads_of(plan.writes(out), call, sizes.heads);
  launch_attention(plan, std::move(attention));
}

/// Plans the backward operator.
template <class Given, class CheckLaunch>
void plan_score_grad(const Check& check, Plan& plan, const Given& given, const FlashCall& call,
                     CheckLaunch check_launch) {
  const bool wants_pse = is_wanted(given.dpseOut);
  if (given.dqOut.is_empty() && given.dkOut.is_empty() && given.dvOut.is_empty() &&
      (!given.dpseOut.given() || given.dpseOut.is_empty()))
    return;
  check.that(call.heads > 0, "headNum is %lld, it must be positive",
             static_cast<long long>(call.heads));
  constexpr std::size_t kLeastRank = 3;
  for (const TensorArgument* tensor :
       {&call.query, &call.key, &call.value, &given.dy, &given.attentionInOptional, &given.dqOut,
        &given.dkOut, &given.dvOut})
    check.that(tensor->rank() >= kLeastRank, "%s has %zu dimensions, it must have 3 at least",
               tensor->name(), tensor->rank());
  if (call.sink.given()) check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, call.query);
  const FlashSizes sizes = flash_sizes(check, call);
  check_rope(check, call, sizes);
  check.same_dtype(call.query, call.key, call.value, given.dy);
  check.dtype_in(kFloats, call.query);
  check_launch();
  const aclDataType dtype = call.query.dtype();
  const auto plan_results = [&] {
    copy_result(plan, dtype, call.query.shape(), given.dqOut);
    copy_result(plan, dtype, call.key.shape(), given.dkOut);
    copy_result(plan, dtype, call.value.shape(), given.dvOut);
  };
  if (!sizes.has_pairs()) {
    plan_results();
    for (const TensorArgument* out : {&given.dqOut, &given.dkOut, &given.dvOut})
      launch_zero(plan, *out);
    return;
  }
  check_saved(plan, call, sizes, given);
  AttentionGradients gradients;
  Attention& forward = gradients.forward;
  plan_pairs(plan, call, sizes, true, forward);
  plan_results();
  forward.maximum = statistics_of(plan.reads(given.softmaxMaxOptional), call);
  forward.sum = statistics_of(plan.reads(given.softmaxSumOptional), call);
  forward.out = heads_of(plan.reads(given.attentionInOptional), call, sizes.heads);
  gradients.grad = heads_of(plan.reads(given.dy), call, sizes.heads);
  if (has_tail(forward, false)) launch_zero(plan, given.dqOut);
  if (has_tail(forward, true)) {
    launch_zero(plan, given.dkOut);
    launch_zero(plan, given.dvOut);
  }
  gradients.query = heads_of(plan.writes(given.dqOut), call, sizes.heads);
  gradients.key = heads_of(plan.writes(given.dkOut), call, sizes.key_heads);
  gradients.value = heads_of(plan.writes(given.dvOut), call, sizes.key_heads);
  if (forward.query.rope.has_value()) {
    check.that_given(is_wanted(given.dqRopeOut) && is_wanted(given.dkRopeOut),
                     "dqRopeOut or dkRopeOut");
    copy_result(plan, dtype, call.query_rope.shape(), given.dqRopeOut);
    copy_result(plan, dtype, call.key_rope.shape(), given.dkRopeOut);
    if (has_tail(forward, false)) launch_zero(plan, given.dqRopeOut);
    if (has_tail(forward, true)) launch_zero(plan, given.dkRopeOut);
    gradients.query_rope = heads_of(plan.writes(given.dqRopeOut), call, sizes.heads);
    gradients.key_rope = heads_of(plan.writes(given.dkRopeOut), call, sizes.key_heads);
  }
  // CANN leaves a gradient of float32 as it is. Into one of 16 bits it copies its kernel's, which
  // computes none: what is in the workspace.
  if (wants_pse && given.dpseOut.dtype() != ACL_FLOAT) {
    check_launches(plan, is_there(call.pse), "there is a dpse and no pse");
    copy_result(plan, dtype, call.pse.shape(), given.dpseOut);
    const TensorArgument unwritten = plan.scratch("dpse", dtype, call.pse.shape());
    launch_flat_copy(plan, plan.writes(given.dpseOut), 0, plan.reads(unwritten), 0,
                     unwritten.elements());
  }
  if (forward.sink.has_value() && is_wanted(given.dsinkOut)) {
    copy_result(plan, ACL_FLOAT, call.sink.shape(), given.dsinkOut);
    gradients.sink = plan.writes(given.dsinkOut);
  }
  launch_attention_gradients(plan, std::move(gradients));
}

}  // namespace

void flash_attention_score(const Check& check, Plan& plan,
                           const FlashAttentionVarLenScoreV5Parameters& given) {
  const bool is_empty = given.softmaxMaxOut.is_empty() && given.softmaxSumOut.is_empty() &&
                        given.attentionOutOut.is_empty();
  if (on_a2_or_a3() && !is_empty)
    check_not_in_nz(
        check, {&given.softmaxMaxOut, &given.softmaxSumOut, &given.attentionOutOut, &given.query,
                &given.queryRope, &given.key, &given.keyRope, &given.value,
                &given.realShiftOptional, &given.dropMaskOptional, &given.paddingMaskOptional,
                &given.attenMaskOptional, &given.sinkOptional});
  const FlashCall call =
      flash_call(given, given.queryRope, given.key, given.keyRope, given.realShiftOptional,
                 given.sinkOptional, given.softmaxOutLayout, false);
  plan_score(check, plan, given, call, [] {});
}

void flash_attention_score_v4(const Check& check, Plan& plan,
                              const FlashAttentionScoreV4Parameters& given) {
  const FlashCall call =
      drawn(flash_call(given, given.queryRopeOptional, given.key, given.keyRopeOptional,
                       given.realShiftOptional, given.sinkOptional, given.softmaxOutLayout, true),
            given);
  plan_score(check, plan, given, call, [&] {
    check_newest(plan);
    const FlashSizes sizes = flash_sizes(check, call);
    const auto check_unread = [&](const TensorArgument& scale, std::int64_t heads,
                                  std::int64_t tokens, std::int64_t block) {
      if (!is_there(scale)) return;
      check_launches(plan, !behaves(Behaviour::kRefusesScales), "%s must be null", scale.name());
      check_scale(plan, scale, sizes.batch, heads, tokens, block);
    };
    check_unread(given.dScaleQOptional, sizes.heads, sizes.rows, kRowsOfScale);
    check_unread(given.dScaleKOptional, sizes.key_heads, sizes.columns, kKeysOfScale);
    check_unread(given.dScaleVOptional, sizes.key_heads, sizes.columns, kValuesOfScale);
  });
}

void flash_attention_score_grad(const Check& check, Plan& plan,
                                const FlashAttentionUnpaddingScoreGradV5Parameters& given) {
  const FlashCall call =
      flash_call(given, given.queryRope, given.keyIn, given.keyInRope, given.pseShiftOptional,
                 given.sinkInOptional, given.softmaxInLayout, false);
  plan_score_grad(check, plan, given, call, [] {});
}

void flash_attention_score_grad_v4(const Check& check, Plan& plan,
                                   const FlashAttentionScoreGradV4Parameters& given) {
  const FlashCall call =
      drawn(flash_call(given, given.queryRopeOptional, given.keyIn, given.keyRopeOptional,
                       given.pseShiftOptional, given.sinkInOptional, given.softmaxInLayout, true),
            given);
  plan_score_grad(check, plan, given, call, [&] { check_newest(plan); });
}

namespace {

/// 161001 for scales that CANN's division of the work refuses.
void check_scales(Plan& plan, const FlashSizes& sizes,
                  const QuantFlashAttentionScoreParameters& given) {
  check_scale(plan, given.dScaleQ, sizes.batch, sizes.heads, sizes.rows, kRowsOfScale);
  check_scale(plan, given.dScaleK, sizes.batch, sizes.key_heads, sizes.columns, kKeysOfScale);
  check_scale(plan, given.dScaleV, sizes.batch, sizes.key_heads, sizes.columns, kValuesOfScale);
  check_launches(plan, given.pScale.dtype() == ACL_FLOAT && given.pScale.elements() >= 1,
                 "pScale must be a number of float32");
}

/// Operands of float8, whose work CANN divides; it has no kernel that goes with it: 361001.
void refuse_float8(Plan& plan, const QuantFlashAttentionScoreParameters& given,
                   const FlashCall& call, const FlashSizes& sizes) {
  check_scales(plan, sizes, given);
  const Dims statistics = statistics_shape(call, sizes);
  copy_result(plan, ACL_FLOAT, statistics, given.softmaxMaxOut);
  copy_result(plan, ACL_FLOAT, statistics, given.softmaxSumOut);
  copy_result(plan, ACL_BF16, attended_shape(call, sizes), given.attentionOutOut);
  fail(ACLNN_ERR_RUNTIME_ERROR, "%s: no kernel is built for %s", plan.api(),
       dtype_name(call.query.dtype()));
}

/// Operands of hifloat8, of the two shapes that CANN has a kernel for.
void plan_narrow(const Check& check, Plan& plan, const QuantFlashAttentionScoreParameters& given,
                 const FlashCall& call) {
  const FlashSizes sizes = flash_sizes(check, call);
  if (call.query.dtype() != ACL_HIFLOAT8) return refuse_float8(plan, given, call, sizes);
  constexpr std::int64_t kHeadSize = 128;
  const bool is_square = sizes.rows == 57600 && sizes.columns == 57600 && sizes.heads == 5;
  const bool is_wide = sizes.rows == 7200 && sizes.columns == 512 && sizes.heads == 40;
  check_launches(plan,
                 call.layout == "BSND" && sizes.batch == 1 && sizes.heads == sizes.key_heads &&
                     sizes.depth == kHeadSize && sizes.value_depth == kHeadSize &&
                     (is_square || is_wide),
                 "query of hifloat8 has shape %s, key %s: CANN takes [1, 57600, 5, 128] of both "
                 "and [1, 7200, 40, 128] with [1, 512, 40, 128]",
                 call.query.shape().text().c_str(), call.key.shape().text().c_str());
  check_scales(plan, sizes, given);
  const Dims statistics{sizes.batch, sizes.heads, sizes.rows, 1};
  copy_result(plan, ACL_FLOAT, statistics, given.softmaxMaxOut);
  copy_result(plan, ACL_FLOAT, statistics, given.softmaxSumOut);
  copy_result(plan, ACL_BF16, call.query.shape(), given.attentionOutOut);
  NarrowAttention attention;
  attention.query = heads_of(plan.reads(call.query), call, sizes.heads);
  attention.key = heads_of(plan.reads(call.key), call, sizes.heads);
  attention.value = heads_of(plan.reads(call.value), call, sizes.heads);
  attention.query_scale = plan.reads(given.dScaleQ);
  attention.key_scale = plan.reads(given.dScaleK);
  attention.value_scale = plan.reads(given.dScaleV);
  attention.weight_scale = plan.reads(given.pScale);
  attention.maximum = plan.writes(given.softmaxMaxOut);
  attention.sum = plan.writes(given.softmaxSumOut);
  attention.out = heads_of(plan.writes(given.attentionOutOut), call, sizes.heads);
  attention.scale = static_cast<float>(call.scale);
  launch_narrow_attention(plan, std::move(attention));
}

}  // namespace

void quant_flash_attention_score(const Check& check, Plan& plan,
                                 const QuantFlashAttentionScoreParameters& given) {
  // CANN passes on neither the mask nor what goes with it.
  constexpr std::int64_t kEndless = 2147483647;
  const TensorArgument none{Absent{}};
  const IntArrayIn nothing{Absent{}};
  const std::string any;
  const FlashCall call{given.query, none,     given.key, none,          given.value,
                       none,        none,     none,      none,          nothing,
                       nothing,     nothing,  nothing,   nothing,       given.scaleValue,
                       1.0,         kEndless, kEndless,  given.headNum, given.inputLayout.text,
                       0,           0,        1,         any,           false};
  const auto check_launch = [&] {
    check_inside(plan,
                 given.dScaleQ.given() && given.dScaleK.given() && given.dScaleV.given() &&
                     given.pScale.given(),
                 "dScaleQ, dScaleK, dScaleV or pScale is null");
    check_launches(plan, on_950(), "there is no kernel for %s", chip().name);
  };
  const bool is_empty = given.softmaxMaxOut.is_empty() && given.softmaxSumOut.is_empty() &&
                        given.attentionOutOut.is_empty();
  if (is_small(given.query) && !is_empty) {
    check.same_dtype(given.query, given.key, given.value);
    check_launch();
    return plan_narrow(check, plan, given, call);
  }
  plan_score(check, plan, given, call, [&] {
    check_launch();
    check_scales(plan, flash_sizes(check, call), given);
  });
}

}  // namespace pyaclnn::sim
