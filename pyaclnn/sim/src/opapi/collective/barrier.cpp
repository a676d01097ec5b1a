// Ranks that wait for one another, and experts that have copies on several ranks.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstdint>
#include <vector>

#include "core/status.hpp"
#include "opapi/collective/exchange.hpp"
#include "opapi/collective/expert_world.hpp"
#include "opapi/collective/experts.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/numbers.hpp"
#include "parameters/DistributeBarrierV2.hpp"
#include "parameters/MoeDistributeBufferReset.hpp"
#include "parameters/MoeUpdateExpert.hpp"

namespace pyaclnn::sim {
namespace {

std::size_t at(std::int64_t value) { return static_cast<std::size_t>(value); }

bool on_a3_or_950() { return chip().soc == Soc::kAscend910_93 || on_950(); }

/// The copies of each expert: how many there are, and then their numbers.
struct Copies {
  std::int64_t rank, world, chosen;
  bool by_token;
  View ids, table, out;

  void operator()(const KernelMemory& memory) const {
    auto numbers = numbers_of<std::int64_t>(memory, ids);
    const auto copies = numbers_of<std::int64_t>(memory, table);
    const std::int64_t width = table.shape[1];
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::int64_t expert = numbers[i];
      if (expert < 0 || expert >= table.shape[0])
        fail(kRtAicoreException, "expertIds has %lld, there are %lld experts", ll(expert),
             ll(table.shape[0]));
      const std::int64_t count = copies[at(expert * width)];
      if (count < 1 || count >= width)
        fail(kRtAicoreException, "eplbTable has %lld copies of expert %lld in %lld columns",
             ll(count), ll(expert), ll(width));
      const std::int64_t each = by_token ? 1 : (world + count - 1) / count;
      const std::int64_t copy = by_token ? std::int64_t(i) / chosen % count : rank / each;
      numbers[i] = copies[at(expert * width + 1 + copy)];
    }
    write_numbers(memory, out, numbers);
  }
};

/// Which experts of a token have a weight that is worth the way.
struct Pruning {
  View weights, thresholds, mask, out;

  void operator()(const KernelMemory& memory) const {
    const auto numbers = numbers_of<float>(memory, weights);
    const auto least = numbers_of<float>(memory, thresholds);
    std::vector<std::int64_t> active;
    if (mask.dtype != ACL_DT_UNDEFINED) active = numbers_of<std::int64_t>(memory, mask);
    const std::size_t chosen = least.size();
    std::vector<std::int64_t> kept(numbers.size(), 0);
    for (std::size_t row = 0; row < numbers.size() / chosen; ++row) {
      if (!active.empty() && active[row] == 0) continue;
      float sum = 0;
      for (std::size_t i = 0; i < chosen; ++i) sum += numbers[row * chosen + i];
      for (std::size_t i = 0; i < chosen; ++i)
        kept[row * chosen + i] = numbers[row * chosen + i] >= least[i] * sum ? 1 : 0;
    }
    write_numbers(memory, out, kept);
  }
};

/// What tensors say of a barrier, where they are there.
struct BarrierTerms {
  View limit;  // microseconds; kernels read it without a sign
  View elastic;
  std::int64_t world;

  Terms operator()(const KernelMemory& memory, int rank) const {
    Terms terms;
    if (is_there(limit)) {
      const auto most = std::uint32_t(numbers_of<std::int64_t>(memory, limit).front());
      if (most == 0) fail(kRtAicoreException, "timeOut is 0: a rank that waits at all is late");
      terms.limit = std::chrono::microseconds(most);
    }
    if (!is_there(elastic)) return terms;
    const std::vector<int> members =
        remaining(numbers_of<std::int64_t>(memory, elastic), world, rank);
    if (!members.empty()) terms.left_out = all_but(members, world);
    return terms;
  }
};

void check_line(const Plan& plan, const TensorArgument& tensor, std::int64_t length) {
  if (tensor.given())
    check_tiling(plan, tensor.shape() == Dims{length} && tensor.dtype() == ACL_INT32,
                 "%s has shape %s, it must be int32 of %lld", tensor.name(),
                 tensor.shape().text().c_str(), ll(length));
}

}  // namespace

void distribute_barrier(const Check&, Plan& plan, const DistributeBarrierV2Parameters& g) {
  check_kernel_exists(plan, on_a3_or_950());
  const std::int64_t most = on_950() ? 1024 : 384;
  check_tiling(plan, g.worldSize >= 2 && g.worldSize <= most,
               "worldSize is %lld, it must be 2 to %lld", ll(g.worldSize), ll(most));
  check_line(plan, g.timeOut, 1);
  check_line(plan, g.elasticInfo, 4 + 2 * g.worldSize);
  const Ranks ranks = ranks_of(plan, g.group, {int(g.worldSize)});
  plan.reads(g.xRef);
  meet(plan, ranks,
       BarrierTerms{read_or_none(plan, g.timeOut), read_or_none(plan, g.elasticInfo), g.worldSize});
}

/// Ranks exchange through no memory that would have to be cleared, so those that reach each other
/// meet, if at all.
void moe_distribute_buffer_reset(const Check& check, Plan& plan,
                                 const MoeDistributeBufferResetParameters& g) {
  check.not_null(g.elasticInfo);
  check.that_given(g.groupEp.given(), "groupEp");
  constexpr std::size_t kLongestName = 127;
  check.that(!g.groupEp.text.empty() && g.groupEp.text.size() <= kLongestName,
             "groupEp has %zu characters, it must have 1 to 127", g.groupEp.text.size());
  check.dtype_in(DtypeSet{ACL_INT32}, g.elasticInfo);
  check_kernel_exists(plan, chip().soc == Soc::kAscend910_93);
  constexpr std::int64_t kServer = 16, kMost = 128;
  check_tiling(plan,
               g.epWorldSize >= kServer && g.epWorldSize <= kMost && g.epWorldSize % kServer == 0,
               "epWorldSize is %lld, it must be a multiple of 16 up to 128", ll(g.epWorldSize));
  check_tiling(plan, g.needSync == 0 || g.needSync == 1, "needSync is %lld, it must be 0 or 1",
               ll(g.needSync));
  check_line(plan, g.elasticInfo, g.epWorldSize);
  const Ranks ranks = ranks_of(plan, g.groupEp, {int(g.epWorldSize)});
  const View reachable = plan.reads(g.elasticInfo);
  if (g.needSync == 0) return;
  meet(plan, ranks, [reachable](const KernelMemory& memory, int) {
    Terms terms;
    for (const std::int64_t reached : numbers_of<std::int64_t>(memory, reachable))
      terms.left_out.push_back(reached == 0);
    return terms;
  });
}

void moe_update_expert(const Check&, Plan& plan, const MoeUpdateExpertParameters& g) {
  check_kernel_exists(plan, on_a3_or_950());
  check_tiling(plan, g.balanceMode == 0 || g.balanceMode == 1,
               "balanceMode is %lld, it must be 0 or 1", ll(g.balanceMode));
  const bool by_rank = g.balanceMode == 0;
  constexpr std::int64_t kMostRanks = 768;
  check_tiling(plan,
               !by_rank || (g.worldSize >= 2 && g.worldSize <= kMostRanks && g.localRankId >= 0 &&
                            g.localRankId < g.worldSize),
               "localRankId is %lld of %lld", ll(g.localRankId), ll(g.worldSize));
  const Dims& ids = g.expertIds.shape();
  const Dims& table = g.eplbTable.shape();
  check_tiling(plan, ids.size() == 2 && ids[0] > 0 && ids[0] <= 512 && ids[1] > 0 && ids[1] <= 16,
               "expertIds has shape %s", ids.text().c_str());
  check_tiling(plan,
               table.size() == 2 && table[0] > 0 && table[0] <= 1024 && table[0] >= ids[1] &&
                   table[1] > 1 && table[1] <= (by_rank ? g.worldSize : kMostRanks) + 1,
               "eplbTable has shape %s", table.text().c_str());
  const TensorArgument& weights = g.expertScalesOptional;
  const TensorArgument& thresholds = g.pruningThresholdOptional;
  const TensorArgument& mask = g.activeMaskOptional;
  check_tiling(plan, !weights.given() || weights.shape() == ids, "expertScales has shape %s",
               weights.given() ? weights.shape().text().c_str() : "");
  check_tiling(plan,
               !thresholds.given() || thresholds.shape() == Dims{ids[1]} ||
                   thresholds.shape() == (Dims{1, ids[1]}),
               "pruningThreshold is not of the %lld that are chosen", ll(ids[1]));
  check_tiling(plan, !mask.given() || mask.shape() == Dims{ids[0]},
               "activeMask is not of the %lld tokens", ll(ids[0]));
  check_tiling(plan, weights.given() == thresholds.given() && (weights.given() || !mask.given()),
               "expertScales, pruningThreshold and activeMask go together");
  for (const TensorArgument* out : {&g.balancedExpertIds, &g.balancedActiveMask})
    check_tiling(plan, out->shape() == ids, "%s has shape %s", out->name(),
                 out->shape().text().c_str());
  plan.launch(Copies{g.localRankId, g.worldSize, ids[1], !by_rank, plan.reads(g.expertIds),
                     plan.reads(g.eplbTable), plan.writes(g.balancedExpertIds)});
  const View kept = plan.writes(g.balancedActiveMask);
  if (weights.given())
    plan.launch(
        Pruning{plan.reads(weights), plan.reads(thresholds), read_or_none(plan, mask), kept});
}

}  // namespace pyaclnn::sim
