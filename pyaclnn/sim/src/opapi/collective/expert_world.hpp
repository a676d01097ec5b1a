// What MoeDistributeDispatch and Combine are told of experts and ranks, what they refuse of it, and
// how they move what is theirs.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "objects/communicators.hpp"
#include "opapi/collective/exchange.hpp"
#include "opapi/collective/experts.hpp"
#include "opapi/collective/server_sums.hpp"
#include "opapi/common/arguments.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

using Counts = std::vector<std::int32_t>;
using Bytes = std::vector<unsigned char>;

/// What both operators are told of experts and ranks.
struct ExpertWorld {
  const Text &group, &group_tp;
  std::int64_t ranks, rank, experts, ranks_tp, rank_tp, shard, shared, shared_ranks, batch;
  const Text& algorithm;
  std::int64_t zero, copied, constant;
  const TensorArgument& elastic;
  bool by_server = false;

  /// The first versions are told of no algorithm.
  bool is_first() const { return *algorithm.name() == 0; }
  Homes homes() const {
    return {
        ranks,     rank, experts, shared_ranks > 0 ? shared : 0, shared_ranks, without_weights(),
        is_first()};
  }
  std::int64_t without_weights() const { return zero + copied + constant; }
  bool in_pairs() const { return ranks_tp > 1; }
  std::int64_t pair() const { return in_pairs() ? 2 : 1; }
  /// Whether tokens are narrow floats, or become these.
  bool takes_narrow() const { return on_950() && !is_first(); }
  std::int64_t servers() const { return ranks / kServerRanks; }
  /// Numbers that the counts of rows have room for.
  std::int64_t count_room(const Dims& experts) const;
  /// Experts that this rank has, or that it may come to have where ranks may leave.
  std::int64_t most_here() const { return elastic.given() ? homes().each() : homes().here(); }
};

/// The ranks that take part in one run, by their numbers among those that are left, and the experts
/// that they have.
struct Party {
  Homes homes;
  std::vector<int> members;    // in the communicator
  std::vector<bool> left_out;  // of all its ranks; empty: none

  /// Pieces are by number.
  void move(Exchange& with, const std::vector<Parcel>& outgoing,
            const std::vector<Parcel>& incoming) const;
};

/// Those of elasticInfo, where it is there and says that ranks have left; 507015 where its numbers
/// do not go together, or leave this rank out.
Party party_of(const KernelMemory& memory, const Homes& all, const View& elastic);
/// The ranks that the tables of an elasticInfo leave, or none where all are there.
std::vector<int> remaining(const std::vector<std::int64_t>& elastic, std::int64_t ranks,
                           std::int64_t rank);
/// The others.
std::vector<bool> all_but(const std::vector<int>& members, std::int64_t ranks);

/// Whether tokens go to the server of their experts before they go to these, and results are added
/// up there: on Atlas A2 where it is asked for, or variables of the environment say so.
bool goes_by_server(const ExpertWorld& w);

template <class Parameters>
ExpertWorld world_of(const Parameters& g) {
  ExpertWorld w{g.groupEp,         g.groupTp,
                g.epWorldSize,     g.epRankId,
                g.moeExpertNum,    g.tpWorldSize,
                g.tpRankId,        g.expertShardType,
                g.sharedExpertNum, g.sharedExpertRankNum,
                g.globalBs,        g.commAlg,
                g.zeroExpertNum,   g.copyExpertNum,
                g.constExpertNum,  g.elasticInfoOptional};
  w.by_server = goes_by_server(w);
  return w;
}

/// A name that is too long is 161001 on the way to the experts, 161002 on the way back.
void check_names(const Check& check, const ExpertWorld& w, bool back);
/// 561002 where experts, ranks, tokens or their expertIds do not go together; the communicator.
Ranks check_world(Plan& plan, const ExpertWorld& w, const TensorArgument& tokens,
                  const TensorArgument& experts);
/// The second communicator, or none.
Ranks pair_of(Plan& plan, const ExpertWorld& w);
/// Refuses what does not go with sums by server.
void check_by_server(const Plan& plan, const ExpertWorld& w, const TensorArgument& mask,
                     const TensorArgument& weights, const TensorArgument& rows_weights);
/// Rows that a rank may get.
std::int64_t room(const ExpertWorld& w, const Dims& experts);
/// 561002 where HCCL_BUFFSIZE has no room for tokens and results, which kernels of A3 and the
/// Ascend950 keep twice; `in_parts`: in those of commAlg fullmesh_v2.
void check_windows(const Plan& plan, const ExpertWorld& w, const Dims& experts, std::int64_t width,
                   bool in_parts);
void check_mask(const Plan& plan, const ExpertWorld& w, const TensorArgument& mask,
                const Dims& experts);

/// What goes to each rank, or comes from it.
std::vector<Parcel> parcels(std::vector<Bytes>& from);
/// What a rank gives the other of a pair, or takes.
std::vector<Parcel> for_other(int rank, Bytes& bytes);

/// Microseconds that a rank waits for others, which become theirs in a tensor where they are more.
class Waiting {
 public:
  void write(const KernelMemory& memory, const View& times, const Party& party) const;

 private:
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// A tensor of times of each rank, refused where it has another shape.
View times_of(Plan& plan, const ExpertWorld& w, const TensorArgument& times);

}  // namespace pyaclnn::sim
