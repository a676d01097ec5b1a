// SPDX-License-Identifier: MIT
#include "opapi/collective/expert_world.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>

#include "core/status.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/numbers.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kElasticHead = 4;  // whether, and how many ranks and experts are left

std::size_t at(std::int64_t value) { return static_cast<std::size_t>(value); }

/// Whether the first version's kernel is for so many ranks: whole nodes of 8, but on the 950.
bool takes_first(std::int64_t ranks, bool a2) {
  constexpr std::int64_t kNode = 8, kMost = 256, kOther = 144;
  if (a2) return ranks % kNode == 0 && ranks <= kMost;
  return ranks % (on_950() ? 2 : kNode) == 0 &&
         (kMost % ranks == 0 || ranks == kOther || ranks == 2 * kOther);
}

/// Whether the kernel is for so many ranks.
bool takes(const ExpertWorld& w, bool a2) {
  const std::int64_t ranks = w.ranks;
  if (w.is_first() && !w.by_server) return takes_first(ranks, a2);
  const bool far = on_950() && behaves(Behaviour::kExchangesMore);
  if (!a2) return ranks >= 2 && ranks <= (far ? 1024 : 768);
  if (w.by_server) return ranks == 16 || ranks == 32 || ranks == 64;
  constexpr std::int64_t kMany[] = {16, 32, 64, 128, 192, 256, 384};
  if (ranks > 256 && !behaves(Behaviour::kExchangesFarther)) return false;
  return (ranks >= 2 && ranks <= 8) ||
         std::find(std::begin(kMany), std::end(kMany), ranks) != std::end(kMany);
}

/// Whether A2's kernel takes more experts and longer rows.
bool takes_more(const ExpertWorld& w) {
  return !w.is_first() && behaves(Behaviour::kExchangesMore);
}

/// Refuses experts that are not there in such numbers, or not on so many ranks.
void check_experts(const Plan& plan, const ExpertWorld& w, bool a2) {
  constexpr std::int64_t kMostNumbers = 0x7fffffff, kMostShared = 4, kMostHere = 2048;
  const bool few = w.is_first() || w.by_server || (a2 && !takes_more(w));
  const std::int64_t most = few ? 512 : 1024;
  check_tiling(plan, w.experts > 0 && w.experts <= most, "moeExpertNum is %lld, it may be %lld",
               ll(w.experts), ll(most));
  check_tiling(plan, w.shard == 0, "expertShardType is %lld, it must be 0", ll(w.shard));
  const bool one = !a2 && w.is_first();
  const std::int64_t most_shared = a2 ? 0 : one ? 1 : kMostShared;
  check_tiling(plan, w.shared >= (one ? 1 : 0) && w.shared <= most_shared,
               "sharedExpertNum is %lld", ll(w.shared));
  check_tiling(plan, w.shared_ranks >= 0 && w.shared_ranks < (a2 ? 1 : w.ranks),
               "sharedExpertRankNum is %lld of %lld ranks", ll(w.shared_ranks), ll(w.ranks));
  const bool divides = w.shared_ranks == 0 ? w.shared <= 1
                                           : w.shared > 0 && w.shared_ranks % w.shared == 0 &&
                                                 (!one || w.ranks % w.shared_ranks == 0);
  check_tiling(plan, divides, "sharedExpertNum is %lld beside %lld ranks", ll(w.shared),
               ll(w.shared_ranks));
  check_tiling(plan, w.experts % (w.ranks - w.shared_ranks) == 0,
               "moeExpertNum is %lld beside %lld ranks", ll(w.experts),
               ll(w.ranks - w.shared_ranks));
  check_tiling(plan, a2 || w.homes().each() * w.ranks <= kMostHere,
               "%lld experts of a rank beside %lld ranks; their product may be 2048",
               ll(w.homes().each()), ll(w.ranks));
  for (const std::int64_t numbers : {w.zero, w.copied, w.constant})
    check_tiling(plan, numbers >= 0 && numbers <= kMostNumbers,
                 "zeroExpertNum, copyExpertNum or constExpertNum is %lld", ll(numbers));
  check_tiling(plan, w.experts + w.without_weights() <= kMostNumbers,
               "%lld experts, of which there may be 2147483647",
               ll(w.experts + w.without_weights()));
  check_tiling(plan, !a2 || w.constant == 0, "constExpertNum is %lld, it must be 0",
               ll(w.constant));
}

/// Refuses a second communicator, of two ranks that each have a part of the same experts.
void check_pair(const Plan& plan, const ExpertWorld& w) {
  check_tiling(plan, w.ranks_tp >= 0 && w.ranks_tp <= 2, "tpWorldSize is %lld", ll(w.ranks_tp));
  check_tiling(plan, w.rank_tp >= 0 && w.rank_tp < (w.in_pairs() ? 2 : 1),
               "tpRankId is %lld of %lld", ll(w.rank_tp), ll(w.ranks_tp));
  if (!w.in_pairs()) return;
  if (chip().soc != Soc::kAscend910_93) fail_not_simulated(plan, "a second communicator, groupTp");
  check_tiling(plan, w.group_tp.given() && !w.group_tp.text.empty(), "groupTp is empty");
  check_tiling(plan, w.group_tp.text != w.group.text, "groupEp and groupTp are one");
}

/// Refuses what says which ranks are left, beside what does not go with it.
void check_elastic(const Plan& plan, const ExpertWorld& w, bool a2) {
  if (!w.elastic.given()) return;
  check_tiling(plan, !a2, "elasticInfo must be null");
  check_tiling(plan, !w.in_pairs(), "elasticInfo beside tpWorldSize 2");
  check_tiling(plan, w.elastic.shape() == Dims{kElasticHead + 2 * w.ranks},
               "elasticInfo has shape %s, it must be [%lld]", w.elastic.shape().text().c_str(),
               ll(kElasticHead + 2 * w.ranks));
}

}  // namespace

void check_names(const Check& check, const ExpertWorld& w, bool back) {
  check.that_given(w.group.given() && !w.group.text.empty(), "groupEp");
  const bool fits = w.group.text.size() <= kLongestGroup && w.group_tp.text.size() <= kLongestGroup;
  if (!back) return check.that_given(fits, "a name of at most 127 characters");
  check.that(fits, "groupEp or groupTp has more than 127 characters");
}

Ranks pair_of(Plan& plan, const ExpertWorld& w) {
  if (!w.in_pairs()) return {};
  check_tiling(plan, w.homes().each() == 1, "%lld experts of a rank beside tpWorldSize 2",
               ll(w.homes().each()));
  return ranks_of(plan, w.group_tp, {2});
}

Ranks check_world(Plan& plan, const ExpertWorld& w, const TensorArgument& tokens,
                  const TensorArgument& experts) {
  const bool a2 = chip().soc == Soc::kAscend910B;
  check_kernel_exists(plan, on_a2_or_a3() || on_950());
  const std::string& algorithm = w.algorithm.text;
  if (algorithm == "hierarchy" && chip().soc == Soc::kAscend910_93)
    fail_not_simulated(plan, "commAlg hierarchy on this chip");
  check_tiling(
      plan,
      algorithm.empty() || algorithm.rfind("fullmesh", 0) == 0 || (a2 && algorithm == "hierarchy"),
      "commAlg is \"%.32s\"", algorithm.c_str());
  check_tiling(plan, w.ranks > 0 && w.rank >= 0 && w.rank < w.ranks, "epRankId is %lld of %lld",
               ll(w.rank), ll(w.ranks));
  check_pair(plan, w);
  check_experts(plan, w, a2);
  check_elastic(plan, w, a2);
  check_tiling(plan, experts.rank() == 2, "expertIds has %zu dimensions, it must have 2",
               experts.rank());
  const std::int64_t rows = experts.shape()[0];
  const std::int64_t chosen = experts.shape()[1];
  const bool few = a2 && (w.is_first() || !w.by_server);
  check_tiling(plan, rows > 0 && rows <= (few ? 256 : 512), "expertIds has %lld rows", ll(rows));
  const std::int64_t most_chosen = w.is_first() && !a2 ? 8 : kMostChosen;
  check_tiling(plan,
               chosen > 0 && chosen <= most_chosen && chosen <= w.experts + w.without_weights(),
               "expertIds has %lld columns", ll(chosen));
  check_tiling(plan, w.batch == 0 || (w.batch >= rows * w.ranks && w.batch % w.ranks == 0),
               "globalBs is %lld beside %lld rows on %lld ranks", ll(w.batch), ll(rows),
               ll(w.ranks));
  const std::int64_t width = tokens.rank() == 0 ? 0 : tokens.shape().back();
  constexpr std::int64_t kUsual = 7168;
  const std::int64_t widest = takes_more(w) ? 10240 : kUsual;
  const bool fits = a2             ? width > 0 && width <= widest && width % 32 == 0
                    : w.is_first() ? width == kUsual
                                   : width >= 1024 && width <= 8192;
  check_tiling(plan, tokens.rank() == 2 && fits, "%s has shape %s", tokens.name(),
               tokens.shape().text().c_str());
  check_tiling(plan, takes(w, a2), "epWorldSize is %lld", ll(w.ranks));
  return ranks_of(plan, w.group, {int(w.ranks)});
}

bool goes_by_server(const ExpertWorld& w) {
  if (chip().soc != Soc::kAscend910B || w.ranks <= kServerRanks) return false;
  if (w.algorithm.given() && !w.algorithm.text.empty()) return w.algorithm.text == "hierarchy";
  const auto is = [](const char* variable, const char* value) {
    const char* const text = std::getenv(variable);
    return text != nullptr && std::strcmp(text, value) == 0;
  };
  return is("HCCL_INTRA_PCIE_ENABLE", "1") && is("HCCL_INTRA_ROCE_ENABLE", "0");
}

std::int64_t ExpertWorld::count_room(const Dims& ids) const {
  if (!by_server) return most_here() * ranks * pair();
  // Kernels keep behind them what they know of the sums.
  const std::int64_t tokens = batch == 0 ? ids[0] * ranks : batch;
  return experts + 2 * tokens * ids[1] * servers();
}

void check_by_server(const Plan& plan, const ExpertWorld& w, const TensorArgument& mask,
                     const TensorArgument& weights, const TensorArgument& rows_weights) {
  if (!w.by_server) return;
  check_tiling(plan, weights.given(), "%s is null beside commAlg hierarchy", weights.name());
  check_tiling(plan, wanted(rows_weights), "%s is null beside commAlg hierarchy",
               rows_weights.name());
  // CANN documents that there must be none, and kernels do not look.
  if (mask.given() || w.without_weights() > 0)
    fail_not_simulated(plan, "a mask or experts without weights beside commAlg hierarchy");
}

std::int64_t room(const ExpertWorld& w, const Dims& experts) {
  const std::int64_t all = w.batch == 0 ? experts[0] * w.ranks : w.batch;
  const Homes homes = w.homes();
  const std::int64_t of_chosen = all * std::min(homes.each(), experts[1]);
  if (homes.shared_ranks == 0) return of_chosen;
  const std::int64_t senders = (w.ranks + homes.copies() - 1) / homes.copies();
  const std::int64_t of_shared = all / w.ranks * senders;
  if (w.elastic.given()) return std::max(of_shared, of_chosen);
  return homes.is_shared() ? of_shared : of_chosen;
}

void check_windows(const Plan& plan, const ExpertWorld& w, const Dims& experts, std::int64_t width,
                   bool in_parts) {
  if (w.is_first() || chip().soc == Soc::kAscend910B) return;
  constexpr std::int64_t kUnit = 512, kPart = 480, kLine = 32, kLabel = 44;
  const auto units = [](std::int64_t bytes, std::int64_t of) { return (bytes + of - 1) / of; };
  const std::int64_t most = w.batch == 0 ? experts[0] : w.batch / w.ranks;
  const std::int64_t token = units(2 * width, kLine) * kLine + kLabel;
  const std::int64_t there = units(token, in_parts ? kPart : kUnit) * kUnit;
  const std::int64_t back = units(2 * width, kUnit) * kUnit;
  const Homes homes = w.homes();
  check_window(plan, 2 * std::uint64_t(most * (there * w.ranks * homes.each() +
                                               back * (experts[1] + homes.shared))));
  if (w.in_pairs()) check_window(plan, 2 * std::uint64_t(room(w, experts) * (there + back)));
}

void check_mask(const Plan& plan, const ExpertWorld& w, const TensorArgument& mask,
                const Dims& experts) {
  if (!mask.given()) return;
  check_tiling(plan, w.batch <= experts[0] * w.ranks || chip().soc == Soc::kAscend910B,
               "xActiveMask goes with as many tokens on all ranks, globalBs is %lld", ll(w.batch));
  const bool two = chip().soc != Soc::kAscend910B && mask.shape() == experts;
  check_tiling(plan, two || mask.shape() == Dims{experts[0]}, "xActiveMask has shape %s",
               mask.shape().text().c_str());
}

std::vector<int> remaining(const std::vector<std::int64_t>& elastic, std::int64_t ranks,
                           std::int64_t rank) {
  if (elastic[0] == 0) return {};
  const std::int64_t* const numbers = elastic.data() + kElasticHead;
  const std::int64_t* const members = numbers + ranks;
  const std::int64_t count = elastic[1];
  if (count < 1 || count > ranks)
    fail(kRtAicoreException, "elasticInfo leaves %lld of %lld ranks", ll(count), ll(ranks));
  std::vector<int> result;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t member = members[i];
    if (member < 0 || member >= ranks || numbers[member] != i)
      fail(kRtAicoreException, "elasticInfo has rank %lld at %lld, which its first table has not",
           ll(member), ll(i));
    result.push_back(int(member));
  }
  if (numbers[rank] < 0 || numbers[rank] >= count || members[numbers[rank]] != rank)
    fail(kRtAicoreException, "elasticInfo leaves out rank %lld, which is here", ll(rank));
  return result;
}

std::vector<bool> all_but(const std::vector<int>& members, std::int64_t ranks) {
  std::vector<bool> result(at(ranks), true);
  for (const int member : members) result[at(member)] = false;
  return result;
}

Party party_of(const KernelMemory& memory, const Homes& all, const View& elastic) {
  Party party{all, {}, {}};
  std::vector<std::int64_t> numbers;
  if (is_there(elastic)) {
    numbers = numbers_of<std::int64_t>(memory, elastic);
    party.members = remaining(numbers, all.ranks, all.rank);
  }
  if (party.members.empty()) {
    party.members.resize(at(all.ranks));
    std::iota(party.members.begin(), party.members.end(), 0);
    return party;
  }
  Homes& homes = party.homes;
  homes.ranks = numbers[1];
  homes.shared_ranks = numbers[2];
  homes.experts = numbers[3];
  homes.left = all.experts - homes.experts;
  homes.rank = numbers[at(kElasticHead + all.rank)];
  const bool fits =
      homes.shared_ranks >= 0 && homes.shared_ranks < homes.ranks && homes.left >= 0 &&
      homes.experts == all.each() * (homes.ranks - homes.shared_ranks) &&
      (homes.shared_ranks == 0 || (homes.shared > 0 && homes.shared_ranks % homes.shared == 0));
  if (!fits)
    fail(kRtAicoreException,
         "elasticInfo leaves %lld ranks, of which %lld are of shared experts, and %lld experts",
         ll(homes.ranks), ll(homes.shared_ranks), ll(homes.experts));
  party.left_out = all_but(party.members, all.ranks);
  return party;
}

void Party::move(Exchange& with, const std::vector<Parcel>& outgoing,
                 const std::vector<Parcel>& incoming) const {
  if (left_out.empty()) return with.move(outgoing, incoming);
  std::vector<Parcel> to(left_out.size()), from(left_out.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    to[at(members[i])] = outgoing[i];
    from[at(members[i])] = incoming[i];
  }
  with.move(to, from, {left_out, std::nullopt});
}

std::vector<Parcel> parcels(std::vector<Bytes>& from) {
  std::vector<Parcel> result;
  for (Bytes& bytes : from) result.push_back({bytes.data(), bytes.size()});
  return result;
}

std::vector<Parcel> for_other(int rank, Bytes& bytes) {
  std::vector<Parcel> result(2, Parcel{nullptr, 0});
  result[at(1 - rank)] = {bytes.data(), bytes.size()};
  return result;
}

void Waiting::write(const KernelMemory& memory, const View& times, const Party& party) const {
  if (!is_there(times)) return;
  const auto since = std::chrono::steady_clock::now() - begin_;
  const std::int64_t waited = std::chrono::duration_cast<std::chrono::microseconds>(since).count();
  auto all = numbers_of<std::int64_t>(memory, times);
  for (const int member : party.members) all[at(member)] = std::max(all[at(member)], waited);
  write_numbers(memory, times, all);
}

View times_of(Plan& plan, const ExpertWorld& w, const TensorArgument& times) {
  if (!times.given()) return View();
  check_tiling(plan, times.shape() == Dims{w.ranks},
               "performanceInfo has shape %s beside %lld ranks", times.shape().text().c_str(),
               ll(w.ranks));
  plan.reads(times);
  return plan.writes(times);
}

}  // namespace pyaclnn::sim
