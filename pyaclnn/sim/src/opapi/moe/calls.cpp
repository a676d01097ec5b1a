// What the operators of mixtures of experts ask of their kernels.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/checked.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/words.hpp"
#include "opapi/matmul/scaled_blocks.hpp"
#include "opapi/moe/checks.hpp"
#include "opapi/moe/combine.hpp"
#include "opapi/moe/gating.hpp"
#include "opapi/moe/routing.hpp"
#include "parameters/MoeFinalizeRoutingV2Grad.hpp"
#include "parameters/MoeFusedTopk.hpp"
#include "parameters/MoeGatingTopK.hpp"
#include "parameters/MoeGatingTopKSoftmax.hpp"
#include "parameters/MoeGatingTopKSoftmaxV2.hpp"
#include "parameters/MoeInitRoutingQuant.hpp"
#include "parameters/MoeInitRoutingQuantV2.hpp"
#include "parameters/MoeInitRoutingV3.hpp"
#include "parameters/MoeTokenPermute.hpp"
#include "parameters/MoeTokenPermuteWithEp.hpp"

namespace pyaclnn::sim {
namespace {

/// How many of all rows are wanted; a number that is not positive says how many are not.
std::int64_t wanted_rows(std::int64_t number, std::int64_t all) {
  return number > 0 ? number : std::max(number, -all) + all;
}

}  // namespace

void moe_gating_top_k_softmax(const Check&, Plan& plan,
                              const MoeGatingTopKSoftmaxParameters& given) {
  Gate g{given.x, Score::kSoftmax, given.k};
  g.finished = &given.finishedOptional;
  g.weights = &given.yOut;
  g.experts = &given.expertIdxOut;
  g.rows = &given.rowIdxOut;
  gate(plan, g, 1024);
}

void moe_gating_top_k_softmax_v2(const Check&, Plan& plan,
                                 const MoeGatingTopKSoftmaxV2Parameters& given) {
  Gate g{given.x, given.renorm == 0 ? Score::kSoftmax : Score::kSoftmaxOfChosen, given.k};
  g.finished = &given.finishedOptional;
  g.weights = &given.yOut;
  g.experts = &given.expertIdxOut;
  if (given.renorm == 0 && given.outputSoftmaxResultFlag) {
    g.scores = &given.softmaxResultOutOptional;
  }
  gate(plan, g, 1024);
}

void moe_gating_top_k(const Check&, Plan& plan, const MoeGatingTopKParameters& given) {
  Gate g{given.x, given.normType == 0 ? Score::kSoftmax : Score::kSigmoid, given.k};
  g.groups = given.groupCount;
  g.chosen_groups = given.kGroup;
  g.best_of_group = given.groupSelectMode + 1;
  g.divides_by_sum = given.normType == 1 || given.renorm == 1;
  g.eps = float(given.eps);
  g.factor = float(given.routedScalingFactor);
  g.bias = &given.biasOptional;
  g.weights = &given.yOut;
  g.experts = &given.expertIdxOut;
  if (given.outFlag) g.scores = &given.outOut;
  const std::int64_t of_group = given.x.shape()[1] / given.groupCount;
  gate(plan, g, (Checked(given.kGroup) * of_group).saturated());
}

void moe_fused_topk(const Check&, Plan& plan, const MoeFusedTopkParameters& given) {
  Gate g{given.x, Score::kSigmoid, given.topK};
  g.groups = given.groupNum;
  g.chosen_groups = given.groupTopk;
  g.best_of_group = given.topN;
  g.divides_by_sum = given.isNorm;
  if (given.isNorm) g.factor = given.scale;
  g.bias = &given.addNum;
  g.weights = &given.y;
  g.experts = &given.indices;
  g.keeps_zeros = true;
  if (given.enableExpertMapping) {
    g.map_counts = &given.mappingNum;
    g.map = &given.mappingTable;
  }
  gate(plan, g, given.x.shape()[1]);
}

void moe_init_routing(const Check&, Plan& plan, const MoeInitRoutingQuantParameters& given) {
  Routing r{given.x, given.expertIdx};
  if (given.expandedXOut.dtype() == ACL_INT8) {
    r.quant = RowQuant::kStaticHalf;
    r.one_scale = float(given.scale);
    r.one_offset = float(given.offset);
  }
  r.labels = &given.rowIdx;
  r.rows = &given.expandedXOut;
  r.places = &given.expandedRowIdxOut;
  r.sorted = &given.expandedExpertIdxOut;
  const std::int64_t active = std::min(given.x.shape()[0], given.activeNum);
  route(plan, r, (Checked(active) * given.expertIdx.shape()[1]).saturated());
}

void moe_init_routing_v2(const Check&, Plan& plan, const MoeInitRoutingQuantV2Parameters& given) {
  Routing r{given.x, given.expertIdx};
  r.last_expert = given.expertNum;
  r.rows = &given.expandedXOut;
  r.places = &given.expandedRowIdxOut;
  if (given.dropPadMode == 1) {
    r.limited = true;
    r.capacity = given.expertCapacity;
    if (given.expertTokensBeforeCapacityFlag) {
      r.counts = &given.expertTokensBeforeCapacityOutOptional;
    }
  } else if (given.expertTokensCountOrCumsumFlag > 0) {
    r.counts = &given.expertTokensCountOrCumsumOutOptional;
    r.counted = given.expertTokensCountOrCumsumFlag == 1 ? Counted::kRunning : Counted::kEach;
  }
  if (given.expandedXOut.dtype() == ACL_INT8) {
    r.scale = &given.scaleOptional;
    if (given.quantMode == 0) {
      r.quant = RowQuant::kStaticHalf;
      r.offset = &given.offsetOptional;
    } else {
      check_smooth(plan, given.scaleOptional, given.expertNum, given.x.shape()[1]);
      r.quant = RowQuant::kDynamicThroughHalf;
      r.scales = &given.dynamicQuantScaleOutOptional;
    }
  }
  const std::int64_t all = given.expertIdx.elements();
  const std::int64_t active = given.activeNum > 0 ? given.activeNum : all + given.activeNum;
  if (given.expandedXOut.dtype() != ACL_INT4) return route(plan, r, active);
  check_tiling(plan, !on_950() && given.quantMode == 1 && given.dropPadMode == 0,
               "int4 goes with quantMode 1 and dropPadMode 0, on Atlas A2 and A3");
  r.scale = &given.scaleOptional;
  r.scales = &given.dynamicQuantScaleOutOptional;
  route_as_int4(plan, r, std::min(active, all), given.expandedXOut);
}

void moe_init_routing_v3(const Check&, Plan& plan, const MoeInitRoutingV3Parameters& given) {
  const ExpertRange range = expert_range(plan, given.activeExpertRangeOptional, given.expertNum);
  const std::int64_t pairs = given.expertIdx.elements();
  const aclDataType type = given.x.dtype();
  // Two numbers of 4 bits are moved as a byte.
  TensorMeta from = given.x.meta(), to = given.expandedXOut.meta();
  if (type == ACL_FLOAT4_E2M1) {
    check_extents(plan, &given.expandedXOut, Dims{pairs, given.x.shape()[1]});
    const bool in_pairs = !given.scaleOptional.given() || given.x.shape()[1] % 64 == 0;
    if (!(in_pairs && has_whole_bytes(given.x) && has_whole_bytes(given.expandedXOut)))
      fail_not_simulated(plan, "x of float4 with gaps, or with parts of pairs of blocks");
    from = bytes_of_numbers(given.x), to = bytes_of_numbers(given.expandedXOut);
  }
  const TensorArgument x(given.x.name(), given.x.index(), &from);
  const TensorArgument rows(given.expandedXOut.name(), given.expandedXOut.index(), &to);
  Routing r{x, given.expertIdx};
  r.limited = true;
  r.first_expert = range.first;
  r.last_expert = range.last;
  r.scale = &given.scaleOptional;
  r.rows = &rows;
  r.places = &given.expandedRowIdxOut;
  r.sources = given.rowIdxType == 1;
  if (given.dropPadMode == 1) {
    r.first_expert = 0;
    r.last_expert = given.expertNum;
    r.capacity = given.expertCapacity;
  }
  const bool behind = given.quantMode > 1;  // quantised once they are in order
  const bool in_blocks =
      type == ACL_FLOAT8_E4M3FN || type == ACL_FLOAT8_E5M2 || type == ACL_FLOAT4_E2M1;
  const bool scaled = given.scaleOptional.given();
  check_kernel_exists(plan,
                      !scaled || in_blocks == (given.scaleOptional.dtype() == ACL_FLOAT8_E8M0));
  if (in_blocks && given.dropPadMode == 1)
    fail_not_simulated(plan, "rooms of float8 or float4, which CANN leaves as they were");
  if (in_blocks) {  // whose scales are in order as rows are
    check_tiling(plan, !scaled || given.expandedScaleOut.dtype() == ACL_FLOAT8_E8M0,
                 "expandedScaleOut is of another type than the scales");
    check_extents(plan, &given.scaleOptional,
                  Dims{given.x.shape()[0], mx_pairs(given.x.shape()[1]), 2});
    r.scale = nullptr;
  } else if (!behind) {
    set_row_quant(plan, r, given.quantMode, given.offsetOptional, given.expandedScaleOut);
  }
  if (given.expertTokensNumFlag) {
    const Dims pairs{given.expertNum, 2};
    const Dims each{range.last - range.first};
    r.counts = &given.expertTokensCountOrCumsumOut;
    check_extents(plan, r.counts, given.expertTokensNumType == 2 ? pairs : each);
    constexpr Counted kinds[] = {Counted::kRunning, Counted::kEach, Counted::kPairs};
    r.counted = kinds[given.expertTokensNumType];
  }
  if (behind)
    return route_quantised(plan, r, pairs,
                           {given.quantMode, given.x, given.scaleOptional, given.expandedXOut,
                            given.expandedScaleOut});
  const std::int64_t active = given.activeNum > 0 ? given.activeNum : pairs;
  route(plan, r, active);
  if (!in_blocks || !scaled) return;
  Routing of_scales{given.scaleOptional, given.expertIdx};
  of_scales.limited = r.limited;
  of_scales.first_expert = r.first_expert;
  of_scales.last_expert = r.last_expert;
  of_scales.rows = &given.expandedScaleOut;
  route(plan, of_scales, active);
}

void moe_token_permute(const Check&, Plan& plan, const MoeTokenPermuteParameters& given) {
  Routing r{given.tokens, given.indices};
  r.rows = &given.permuteTokensOut;
  r.places = &given.sortedIndicesOut;
  route(plan, r, wanted_rows(given.numOutTokens, given.indices.elements()));
}

void moe_token_permute_with_ep(const Check&, Plan& plan,
                               const MoeTokenPermuteWithEpParameters& given) {
  const std::int64_t all = given.indices.elements();
  ExpertRange range = expert_range(plan, given.rangeOptional, all);
  // CANN takes a range without rows for all rows.
  if (range.first == range.last) range = {0, all};
  const bool ranged = names_range(given.rangeOptional);
  Routing r{given.tokens, given.indices};
  r.first_row = range.first;
  r.rows = &given.permuteTokensOut;
  r.places = &given.sortedIndicesOut;
  if (ranged && given.probsOptional.given()) {
    r.scale = &given.probsOptional;
    r.scale_of_pairs = true;
    r.scales = &given.permuteProbsOut;
  }
  route(plan, r, ranged ? range.last - range.first : wanted_rows(given.numOutTokens, all));
}

void moe_finalize_routing_v2_grad(const Check&, Plan& plan,
                                  const MoeFinalizeRoutingV2GradParameters& given) {
  const std::int64_t columns = given.gradY.shape()[1];
  const std::int64_t rows = given.expandedRowIdx.shape()[0];
  const std::int64_t active = given.activeNum > 0 ? std::min(given.activeNum, rows) : rows;
  check_extents(plan, &given.gradExpandedXOut,
                given.dropPadMode == 1 ? Dims{given.expertNum, given.expertCapacity, columns}
                                       : Dims{active, columns});
  CombinationGradient c{given.gradY, given.expandedRowIdx, columns_or_one(given.scalesOptional),
                        given.gradExpandedXOut};
  if (given.scalesOptional.given()) {
    c.rows = &given.expandedXOptional;
    c.scales = &given.scalesOptional;
    c.bias = &given.biasOptional;
    c.experts = &given.expertIdxOptional;
    c.scales_grad = &given.gradScalesOut;
  }
  combine_backward(plan, c);
}

}  // namespace pyaclnn::sim
