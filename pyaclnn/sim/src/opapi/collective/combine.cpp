// Results of experts on their way back to the tokens' ranks: MoeDistributeCombine, also with a
// normalisation.
//
// What the ranks tell each other follows from the experts' numbers, which both ways are given.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "core/status.hpp"
#include "objects/communicators.hpp"
#include "objects/dtype.hpp"
#include "opapi/collective/exchange.hpp"
#include "opapi/collective/expert_world.hpp"
#include "opapi/collective/experts.hpp"
#include "opapi/collective/sent_rows.hpp"
#include "opapi/collective/server_sums.hpp"
#include "opapi/common/as_stored.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/numbers.hpp"
#include "opapi/norm/rms_norm_forward.hpp"
#include "parameters/MoeDistributeCombineAddRmsNormV2.hpp"
#include "parameters/MoeDistributeCombineV4.hpp"

namespace pyaclnn::sim {
namespace {

constexpr DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};

std::size_t at(std::int64_t value) { return static_cast<std::size_t>(value); }

/// The tensors of a combination, which all versions and those with a normalisation have.
struct Combination {
  const TensorArgument &rows, &experts, &assist, &counts, &weights, &mask, &shared;
  const TensorArgument &tokens, &first_alpha, &second_alpha, &constants, &counts_of_pair;
  const TensorArgument& row_weights;
  std::int64_t narrowing;
  ExpertWorld world;
};

/// Results of experts that have no weights: zeros, the token itself, or a constant beside it.
struct WithoutWeights {
  std::int64_t experts, zero, copied;
  View tokens, first_alpha, second_alpha, constants;

  /// Puts them where they are missing. What is made for it is kept in `made`.
  void operator()(const KernelMemory& memory, const View& ids, const Sending& sending,
                  std::vector<ExpertRow>& found, std::vector<std::vector<float>>& made) const {
    const auto numbers = numbers_of<std::int64_t>(memory, ids);
    for (const std::int32_t place : sending.elsewhere) {
      const std::int64_t token = place / sending.columns;
      const std::int64_t number =
          numbers[at(token * ids.shape[1] + place % sending.columns)] - experts - zero;
      if (number < 0) continue;
      if (number < copied) {
        found[at(place)] = {row_of(memory, tokens, token), tokens.dtype};
      } else {
        made.push_back(constant(memory, token, number - copied));
        found[at(place)] = {made.back().data(), ACL_FLOAT};
      }
    }
  }

  /// Documents have alpha1 * x + alpha2 * v; in kernels, these factors are the softmax of the
  /// products of both rows with the token.
  std::vector<float> constant(const KernelMemory& memory, std::int64_t token,
                              std::int64_t number) const {
    const std::vector<float> x = line(memory, tokens, token), v = line(memory, constants, number);
    const std::vector<float> one = line(memory, first_alpha, number),
                             two = line(memory, second_alpha, number);
    const float first = std::inner_product(x.begin(), x.end(), one.begin(), 0.0f);
    const float second = std::inner_product(x.begin(), x.end(), two.begin(), 0.0f);
    const float most = std::max(first, second);
    const float of_x = std::exp(first - most), of_v = std::exp(second - most);
    std::vector<float> result(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      result[i] = of_x / (of_x + of_v) * x[i] + of_v / (of_x + of_v) * v[i];
    return result;
  }

  static std::vector<float> line(const KernelMemory& memory, const View& matrix, std::int64_t row) {
    std::vector<float> result(at(matrix.shape[1]));
    loader<float>(matrix.dtype)(row_of(memory, matrix, row), 1, matrix.shape[1], result.data());
    return result;
  }
};

/// A row as it is behind an exchange in int8, where eight numbers share a scale: these are divided
/// by the scale of float32 and multiplied by that of the row's type, which goes with them.
void through_int8(std::vector<float>& line, aclDataType dtype) {
  constexpr std::size_t kBlock = 8;
  for (std::size_t begin = 0; begin < line.size(); begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, line.size());
    float most = 0;
    for (std::size_t i = begin; i < end; ++i) most = std::max(most, std::fabs(line[i]));
    const float scale = most * (1.0f / 127.0f), sent = as_stored(scale, dtype);
    for (std::size_t i = begin; i < end; ++i) {
      const float narrow = as_stored(line[i] / scale, ACL_FLOAT16);
      line[i] = (std::isnan(narrow) ? 0.0f : std::nearbyint(narrow)) * sent;
    }
  }
}

struct Combine {
  Ranks ranks, pair;
  Homes all;
  bool narrows;  // to int8
  WithoutWeights without_weights;
  View rows;
  View scales;  // of rows of 8 bit floats; rows go as what these stand for
  View ids, counts, weights, mask, shared, out, counts_of_pair, times, elastic;
  View row_weights;  // where rows are added up by server, which these go with
  std::int64_t rank_of_pair;

  void operator()(const KernelMemory& memory) const {
    Exchange& with = *memory.exchanges[ranks.place];
    const Party party = party_of(memory, all, elastic);
    const Homes& homes = party.homes;
    const Sending sending(memory, ids, mask, homes);
    const std::size_t weight = by_server() ? sizeof(float) : 0;
    const std::size_t each = at(rows.shape[1]) * dtype_size(dtype()) + weight;
    std::vector<Bytes> back = returned(memory, homes, each), in(at(homes.ranks));
    for (std::int64_t e = 0; e < homes.all(); ++e) {
      Bytes& from = in[at(homes.home(e))];
      from.resize(from.size() + sending.places[at(e)].size() * each);
    }
    const Waiting waiting;
    party.move(with, parcels(back), parcels(in));
    waiting.write(memory, times, party);
    sum(memory, homes, sending, in, each);
  }

  /// The rows that each rank gets back, by expert.
  std::vector<Bytes> returned(const KernelMemory& memory, const Homes& homes,
                              std::size_t each) const {
    const auto ends = numbers_of<std::int64_t>(memory, counts);
    const std::size_t parts = at(homes.here() * homes.ranks);
    const std::vector<float> weight =
        by_server() ? numbers_of<float>(memory, row_weights) : std::vector<float>();
    const Bytes added = pair.count > 0 ? scattered(memory, ends[parts - 1], each) : Bytes();
    std::vector<Bytes> back(at(homes.ranks));
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < parts; ++i) {
      if (ends[i] < begin || ends[i] > rows.shape[0])
        fail(kRtAicoreException, "epSendCounts has %lld behind %lld, of %lld rows", ll(ends[i]),
             ll(begin), ll(rows.shape[0]));
      const bool own = homes.parted && std::int64_t(i) < homes.shared_ranks && homes.is_shared();
      Bytes& to = back[own ? at(homes.rank) : i % back.size()];
      std::size_t next = to.size();
      to.resize(next + at(ends[i] - begin) * each);
      for (; begin < ends[i]; ++begin, next += each) {
        make(memory, begin, added.empty() ? nullptr : &added[at(begin) * each],
             reinterpret_cast<std::byte*>(&to[next]));
        if (by_server())
          std::memcpy(&to[next + each - sizeof(float)], &weight[at(begin)], sizeof(float));
      }
    }
    return back;
  }

  bool by_server() const { return is_there(row_weights); }
  aclDataType dtype() const { return is_there(scales) ? ACL_FLOAT : rows.dtype; }

  /// What the other rank of a pair has for the rows that arrived here, which it has behind its own.
  Bytes scattered(const KernelMemory& memory, std::int64_t here, std::size_t each) const {
    const std::int64_t there =
        numbers_of<std::int64_t>(memory, counts_of_pair)[at(1 - rank_of_pair)];
    if (here < 0 || there < 0 || here + there > rows.shape[0])
      fail(kRtAicoreException, "%lld rows and %lld of the pair, of %lld rows", ll(here), ll(there),
           ll(rows.shape[0]));
    Bytes result(at(here) * each), sent(at(there) * each);
    if (there > 0) std::memcpy(sent.data(), row_of(memory, rows, here), sent.size());
    Exchange& with = *memory.exchanges[pair.place];
    with.move(for_other(with.rank(), sent), for_other(with.rank(), result));
    return result;
  }

  /// Sums of bfloat16 are rounded to the nearest; of two, the first version takes the larger.
  float pair_sum(float sum) const {
    return all.parted && rows.dtype == ACL_BF16 ? bfloat16_from_zero(sum) : sum;
  }

  /// A row as it is behind the exchange; `added` is that of the pair's other rank.
  void make(const KernelMemory& memory, std::int64_t row, const unsigned char* added,
            std::byte* to) const {
    const std::byte* const from = row_of(memory, rows, row);
    const std::int64_t width = rows.shape[1];
    if ((!narrows || by_server()) && !is_there(scales) && added == nullptr) {
      std::memcpy(to, from, at(width) * dtype_size(rows.dtype));
      return;
    }
    std::vector<float> line(at(width));
    loader<float>(rows.dtype)(from, 1, width, line.data());
    if (added != nullptr) {
      std::vector<float> other(line.size());
      loader<float>(rows.dtype)(reinterpret_cast<const std::byte*>(added), 1, width, other.data());
      for (std::size_t i = 0; i < line.size(); ++i) line[i] = pair_sum(line[i] + other[i]);
    }
    if (narrows) through_int8(line, rows.dtype);
    if (is_there(scales)) {
      const std::byte* const exponents = row_of(memory, scales, row);
      for (std::size_t i = 0; i < line.size(); ++i) {
        const auto bits = std::to_integer<std::uint32_t>(exponents[i / at(kMxBlock)]) << 23;
        float scale;  // 0 where the exponent is
        std::memcpy(&scale, &bits, sizeof scale);
        line[i] *= scale;
      }
    }
    storer<float>(dtype(), Rounding::kNearestEven)(line.data(), width, to, 1);
  }

  void sum(const KernelMemory& memory, const Homes& homes, const Sending& sending,
           const std::vector<Bytes>& in, std::size_t each) const {
    std::vector<ExpertRow> found(at(ids.shape[0] * sending.columns));
    std::vector<float> weight_of(by_server() ? found.size() : 0);
    std::vector<std::size_t> next(in.size(), 0);
    for (std::int64_t e = 0; e < homes.all(); ++e) {
      const std::size_t home = at(homes.home(e));
      for (const std::int32_t place : sending.places[at(e)]) {
        found[at(place)] = {in[home].data() + next[home], dtype()};
        next[home] += each;
        if (by_server())
          std::memcpy(&weight_of[at(place)], &in[home][next[home] - sizeof(float)], sizeof(float));
      }
    }
    if (by_server()) {
      ServerSums{kServerRanks * homes.each(), narrows, ids, out}(memory, found, weight_of);
      return;
    }
    std::vector<std::vector<float>> made;
    without_weights(memory, ids, sending, found, made);
    WeightedSum{ids.shape[1], weights, shared, out}(memory, sending, found);
  }
};

/// The tensors that results are made of which come from no other rank.
void check_without_weights(const Plan& plan, const Combination& c, const Dims& shape) {
  const ExpertWorld& w = c.world;
  const bool a2 = chip().soc == Soc::kAscend910B;
  check_tiling(plan, (w.copied == 0 && w.constant == 0) || c.tokens.given(),
               "oriX is null beside copyExpertNum %lld, constExpertNum %lld", ll(w.copied),
               ll(w.constant));
  if (c.tokens.given())
    check_tiling(plan, c.tokens.shape() == shape, "oriX has shape %s, it must be %s",
                 c.tokens.shape().text().c_str(), shape.text().c_str());
  const Dims constants{w.constant, shape[1]};
  for (const TensorArgument* tensor : {&c.first_alpha, &c.second_alpha, &c.constants}) {
    check_tiling(plan, w.constant == 0 || tensor->given(), "%s is null beside constExpertNum %lld",
                 tensor->name(), ll(w.constant));
    if (tensor->given())
      check_tiling(plan, !a2 && tensor->shape() == constants, "%s has shape %s", tensor->name(),
                   tensor->shape().text().c_str());
  }
}

/// Refusals of a combination, and its kernel, which fills `out` of [tokens, width].
void plan_combination(Plan& plan, const Combination& c, const TensorArgument* performance,
                      const TensorArgument& out) {
  const ExpertWorld& w = c.world;
  const Ranks ranks = check_world(plan, w, c.rows, c.experts);
  const Homes homes = w.homes();
  const Dims& experts = c.experts.shape();
  const Ranks pair = pair_of(plan, w);
  const std::int64_t least = w.pair() * room(w, experts);
  check_tiling(plan, c.rows.shape()[0] >= least, "expandX has %lld rows, of %lld",
               ll(c.rows.shape()[0]), ll(least));
  if (w.in_pairs()) {
    check_tiling(plan, c.narrowing == 0, "commQuantMode is %lld beside tpWorldSize 2",
                 ll(c.narrowing));
    check_tiling(plan, c.counts_of_pair.given() && c.counts_of_pair.shape() == Dims{2},
                 "tpSendCounts is null, or not of two numbers");
  }
  check_tiling(plan, c.weights.shape() == experts, "expertScales has shape %s, expertIds %s",
               c.weights.shape().text().c_str(), experts.text().c_str());
  check_tiling(plan,
               w.is_first() || chip().soc == Soc::kAscend910B ||
                   (c.assist.rank() == 1 && c.assist.elements() >= room(w, experts) * kAssist),
               "%s has shape %s beside %lld rows", c.assist.name(), c.assist.shape().text().c_str(),
               ll(room(w, experts)));
  const std::int64_t counts = w.count_room(experts);
  check_tiling(plan, c.counts.rank() == 1 && c.counts.elements() >= counts,
               "epSendCounts has shape %s, of %lld numbers", c.counts.shape().text().c_str(),
               ll(counts));
  check_by_server(plan, w, c.mask, c.weights, c.row_weights);
  if (w.by_server) {
    check_tiling(plan, c.row_weights.rank() == 1 && c.row_weights.elements() >= c.rows.shape()[0],
                 "%s has shape %s beside %lld rows", c.row_weights.name(),
                 c.row_weights.shape().text().c_str(), ll(c.rows.shape()[0]));
    if (c.tokens.given() || c.shared.given())
      fail_not_simulated(plan, "oriX or sharedExpertX beside commAlg hierarchy");
  }
  check_mask(plan, w, c.mask, experts);
  check_windows(plan, w, experts, c.rows.shape()[1], false);
  const View times = performance == nullptr ? View() : times_of(plan, w, *performance);
  const Dims shape{experts[0], c.rows.shape()[1]};
  check_without_weights(plan, c, shape);
  if (c.shared.given()) {
    check_tiling(plan, w.shared_ranks == 0, "sharedExpertX beside sharedExpertRankNum %lld",
                 ll(w.shared_ranks));
    check_shared_rows(plan, c.shared, shape);
  }
  const auto packed = [&](const TensorArgument& tensor) {
    return wanted(tensor) ? plan.reads(without_gaps(plan, tensor)) : View();
  };
  const TensorArgument rows = without_gaps(plan, c.rows);
  View sent, scales;
  if (c.narrowing > 2) {
    const aclDataType type = c.narrowing == 3 ? ACL_FLOAT8_E5M2 : ACL_FLOAT8_E4M3FN;
    const TensorArgument narrow = plan.scratch("narrow", type, rows.shape());
    const TensorArgument exponents =
        plan.scratch("exponents", ACL_FLOAT8_E8M0, Dims{rows.shape()[0], 2 * mx_pairs(shape[1])});
    quantise_mx(plan, rows, narrow, exponents);
    sent = plan.reads(narrow);
    scales = plan.reads(exponents);
  } else {
    sent = plan.reads(rows);
  }
  Combine combine{ranks,
                  pair,
                  homes,
                  c.narrowing == 2,
                  {w.experts, w.zero, w.copied, packed(c.tokens), packed(c.first_alpha),
                   packed(c.second_alpha), packed(c.constants)},
                  sent,
                  scales,
                  plan.reads(c.experts),
                  plan.reads(c.counts),
                  plan.reads(c.weights),
                  read_or_none(plan, c.mask),
                  View(),
                  View(),
                  w.in_pairs() ? plan.reads(c.counts_of_pair) : View(),
                  times,
                  read_or_none(plan, w.elastic),
                  w.by_server ? plan.reads(c.row_weights) : View(),
                  w.rank_tp};
  if (c.shared.given())
    combine.shared = plan.reads(reshaped(plan, without_gaps(plan, c.shared), shape));
  combine.out = plan.writes(reshaped(plan, out, shape));
  plan.launch(std::move(combine));
}

/// What a combination takes beside that, and what of it is not there.
template <class Parameters>
Combination check_combination(const Check& check, Plan& plan, const Parameters& g) {
  const Combination c{g.expandX,
                      g.expertIds,
                      g.assistInfoForCombine,
                      g.epSendCounts,
                      g.expertScales,
                      g.xActiveMaskOptional,
                      g.sharedExpertXOptional,
                      g.oriXOptional,
                      g.constExpertAlpha1Optional,
                      g.constExpertAlpha2Optional,
                      g.constExpertVOptional,
                      g.tpSendCountsOptional,
                      g.expandScalesOptional,
                      g.commQuantMode,
                      world_of(g)};
  check.not_null(c.rows, c.experts, c.assist, c.counts, c.weights);
  check_names(check, c.world, true);
  check.dtype_in(kHalves, c.rows);
  check.dtype_in(DtypeSet{ACL_INT32}, c.experts, c.assist, c.counts);
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.weights);
  if (c.row_weights.given()) check.dtype_in(DtypeSet{ACL_FLOAT}, c.row_weights);
  if (c.mask.given()) check.dtype_in(DtypeSet{ACL_BOOL}, c.mask);
  if (c.counts_of_pair.given()) check.dtype_in(DtypeSet{ACL_INT32}, c.counts_of_pair);
  for (const TensorArgument* like :
       {&c.shared, &c.tokens, &c.first_alpha, &c.second_alpha, &c.constants})
    if (like->given()) check.same_dtype(c.rows, *like);
  for (const TensorArgument* none :
       {&g.activationScaleOptional, &g.weightScaleOptional, &g.groupListOptional})
    check_tiling(plan, !wanted(*none), "%s must be null", none->name());
  if (c.world.elastic.given()) check.dtype_in(DtypeSet{ACL_INT32}, c.world.elastic);
  check_tiling(plan, !on_950() || c.world.algorithm.text.empty(),
               "commAlg is \"%.32s\", it must be empty or null", c.world.algorithm.text.c_str());
  check_tiling(plan, g.outDtype == 0 && g.groupListType == 0,
               "outDtype is %lld, groupListType %lld; both must be 0", ll(g.outDtype),
               ll(g.groupListType));
  const bool a2 = chip().soc == Soc::kAscend910B;
  const std::int64_t mode = g.commQuantMode;
  const bool floats = (mode == 3 || mode == 4) && on_950() && !c.world.is_first();
  const bool bytes = mode == 2 && (!a2 || c.world.by_server);
  check_tiling(plan, mode == 0 || bytes || floats, "commQuantMode is %lld", ll(mode));
  return c;
}

}  // namespace

void moe_distribute_combine(const Check& check, Plan& plan,
                            const MoeDistributeCombineV4Parameters& g) {
  check.not_null(g.xOut);
  const Combination c = check_combination(check, plan, g);
  if (g.performanceInfoOptional.given())
    check.dtype_in(DtypeSet{ACL_INT64}, g.performanceInfoOptional);
  check.same_dtype(c.rows, g.xOut);
  check_tiling(plan,
               c.experts.rank() == 2 && c.rows.rank() == 2 &&
                   g.xOut.shape() == (Dims{c.experts.shape()[0], c.rows.shape()[1]}),
               "%s has shape %s", g.xOut.name(), g.xOut.shape().text().c_str());
  const TensorArgument landed = without_gaps(plan, g.xOut);
  plan.writes(landed);
  plan_combination(plan, c, &g.performanceInfoOptional, landed);
  land(plan, landed, g.xOut);
}

void moe_distribute_combine_add_rms_norm(const Check& check, Plan& plan,
                                         const MoeDistributeCombineAddRmsNormV2Parameters& g) {
  check.not_null(g.residualX, g.gamma, g.yOut, g.rstdOut, g.xOut);
  const Combination c = check_combination(check, plan, g);
  check_kernel_exists(plan, chip().soc == Soc::kAscend910_93 || on_950());
  check.dtype_in(DtypeSet{ACL_BF16}, c.rows, g.residualX, g.gamma, g.yOut, g.xOut);
  check.dtype_in(DtypeSet{ACL_FLOAT}, g.rstdOut);
  check_tiling(plan, c.experts.rank() == 2 && c.rows.rank() == 2, "expertIds is no matrix");
  const Dims shape{c.experts.shape()[0], 1, c.rows.shape()[1]};
  for (const TensorArgument* tensor : {&g.residualX, &g.yOut, &g.xOut})
    check_tiling(plan, tensor->shape() == shape, "%s has shape %s, it must be %s", tensor->name(),
                 tensor->shape().text().c_str(), shape.text().c_str());
  check_tiling(plan, g.gamma.shape() == Dims{shape[2]}, "gamma has shape %s",
               g.gamma.shape().text().c_str());
  const TensorArgument combined = plan.scratch("combined", c.rows.dtype(), shape);
  plan_combination(plan, c, nullptr, combined);
  add_rms_norm(plan, combined, g.residualX, g.gamma, double(g.normEps), g.yOut, g.rstdOut, g.xOut);
}

}  // namespace pyaclnn::sim
