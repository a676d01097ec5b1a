// Tokens on their way to experts on other ranks, and back: MoeDistributeDispatch and Combine.
//
// The rows of a rank lie by expert, then by the rank they come from, then by token. Whatever else
// the two tell each other follows from the experts' numbers, which both are given.
// SPDX-License-Identifier: MIT
#include "opapi/collective/experts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/status.hpp"
#include "objects/communicators.hpp"
#include "objects/dtype.hpp"
#include "opapi/collective/exchange.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/numbers.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/norm/rms_norm_forward.hpp"
#include "parameters/MoeDistributeCombineAddRmsNormV2.hpp"
#include "parameters/MoeDistributeCombineV4.hpp"
#include "parameters/MoeDistributeDispatchV4.hpp"

namespace pyaclnn::sim {
namespace {

constexpr DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};

using Counts = std::vector<std::int32_t>;
using Bytes = std::vector<unsigned char>;

std::size_t at(std::int64_t value) { return static_cast<std::size_t>(value); }

bool given(const TensorArgument& tensor) { return tensor.given(); }
bool wanted(const TensorArgument& tensor) { return tensor.given() && !tensor.is_empty(); }

/// What both operators are told of experts and ranks.
struct World {
  const Text &group, &group_tp;
  std::int64_t ranks, rank, experts, ranks_tp, rank_tp, shard, shared, shared_ranks, batch;
  const Text& algorithm;
  std::int64_t zero, copied, constant;

  std::int64_t local() const { return experts / ranks; }
};

template <class Parameters>
World world_of(const Parameters& g) {
  return {g.groupEp,     g.groupTp,  g.epWorldSize,     g.epRankId,        g.moeExpertNum,
          g.tpWorldSize, g.tpRankId, g.expertShardType, g.sharedExpertNum, g.sharedExpertRankNum,
          g.globalBs,    g.commAlg,  g.zeroExpertNum,   g.copyExpertNum,   g.constExpertNum};
}

/// A name that is too long is 161001 on the way to the experts, 161002 on the way back.
void check_names(const Check& check, const World& w, bool back) {
  check.that_given(w.group.given() && !w.group.text.empty(), "groupEp");
  const bool fits = w.group.text.size() <= kLongestGroup && w.group_tp.text.size() <= kLongestGroup;
  if (!back) return check.that_given(fits, "a name of at most 127 characters");
  check.that(fits, "groupEp or groupTp has more than 127 characters");
}

/// Whether the kernel is for so many ranks.
bool takes(std::int64_t ranks, bool a2) {
  if (!a2) return ranks >= 2 && ranks <= 768;
  constexpr std::int64_t kMany[] = {16, 32, 64, 128, 192, 256, 384};
  return (ranks >= 2 && ranks <= 8) ||
         std::find(std::begin(kMany), std::end(kMany), ranks) != std::end(kMany);
}

Ranks check_world(Plan& plan, const World& w, const TensorArgument& tokens,
                  const TensorArgument& experts) {
  const bool a2 = chip().soc == Soc::kAscend910B;
  check_kernel_exists(plan, on_a2_or_a3() || on_950());
  const std::string algorithm = w.algorithm.given() ? w.algorithm.text : "";
  if (algorithm == "hierarchy") fail_not_simulated(plan, "the hierarchical algorithm");
  check_tiling(plan, algorithm.empty() || algorithm.rfind("fullmesh", 0) == 0,
               "commAlg is \"%.32s\"", algorithm.c_str());
  check_tiling(plan, w.rank >= 0 && w.rank < w.ranks, "epRankId is %lld of %lld", ll(w.rank),
               ll(w.ranks));
  const std::int64_t most = a2 ? 512 : 1024;
  check_tiling(plan, w.experts > 0 && w.experts <= most && w.experts % w.ranks == 0,
               "moeExpertNum is %lld beside %lld ranks; it may be %lld", ll(w.experts), ll(w.ranks),
               ll(most));
  check_tiling(plan, w.shard == 0, "expertShardType is %lld, it must be 0", ll(w.shard));
  if (w.ranks_tp > 1) fail_not_simulated(plan, "a second communicator, groupTp");
  check_tiling(plan, w.ranks_tp >= 0 && w.rank_tp == 0, "tpWorldSize is %lld, tpRankId %lld",
               ll(w.ranks_tp), ll(w.rank_tp));
  check_tiling(plan, w.shared >= 0 && w.shared <= (a2 ? 0 : 1) && w.shared_ranks >= 0,
               "sharedExpertNum is %lld, sharedExpertRankNum %lld", ll(w.shared),
               ll(w.shared_ranks));
  if (w.shared_ranks > 0)
    fail_not_simulated(plan, "experts that are shared, on ranks of their own");
  if (w.zero != 0 || w.copied != 0 || w.constant != 0)
    fail_not_simulated(plan, "experts without weights");
  check_tiling(plan, experts.rank() == 2, "expertIds has %zu dimensions, it must have 2",
               experts.rank());
  const std::int64_t rows = experts.shape()[0];
  const std::int64_t chosen = experts.shape()[1];
  check_tiling(plan, rows > 0 && rows <= (a2 ? 256 : 512), "expertIds has %lld rows", ll(rows));
  check_tiling(plan, chosen > 0 && chosen <= kMostChosen && chosen <= w.experts,
               "expertIds has %lld columns", ll(chosen));
  check_tiling(plan, w.batch == 0 || (w.batch >= rows * w.ranks && w.batch % w.ranks == 0),
               "globalBs is %lld beside %lld rows on %lld ranks", ll(w.batch), ll(rows),
               ll(w.ranks));
  const std::int64_t width = tokens.rank() == 0 ? 0 : tokens.shape().back();
  const bool fits =
      a2 ? width > 0 && width <= 7168 && width % 32 == 0 : width >= 1024 && width <= 8192;
  check_tiling(plan, tokens.rank() == 2 && fits, "%s has shape %s", tokens.name(),
               tokens.shape().text().c_str());
  check_tiling(plan, takes(w.ranks, a2), "epWorldSize is %lld", ll(w.ranks));
  return ranks_of(plan, w.group, {int(w.ranks)});
}

/// Rows that a rank may get.
std::int64_t room(const World& w, const Dims& experts) {
  const std::int64_t all = w.batch == 0 ? experts[0] * w.ranks : w.batch;
  return all * std::min(w.local(), experts[1]);
}

void check_mask(const Plan& plan, const TensorArgument& mask, const Dims& experts) {
  if (!given(mask)) return;
  const bool two = chip().soc != Soc::kAscend910B && mask.shape() == experts;
  check_tiling(plan, two || mask.shape() == Dims{experts[0]}, "xActiveMask has shape %s",
               mask.shape().text().c_str());
}

std::vector<Parcel> parcels(std::vector<Bytes>& from) {
  std::vector<Parcel> result;
  for (Bytes& bytes : from) result.push_back({bytes.data(), bytes.size()});
  return result;
}

std::vector<Parcel> parcels(Counts& from, std::size_t each) {
  std::vector<Parcel> result;
  for (std::size_t i = 0; i < from.size(); i += each)
    result.push_back({from.data() + i, each * sizeof from[0]});
  return result;
}

View written_or_none(Plan& plan, const TensorArgument& tensor) {
  return wanted(tensor) ? plan.writes(tensor) : View();
}

/// What goes with a row.
struct Label {
  float scale = 0;
  float weight = 0;
  std::int32_t rank = 0;
  std::int32_t place = 0;
};

struct Dispatch {
  Ranks ranks;
  std::int64_t experts, local, numbering;
  bool quantises, by_place;  // by_place: the first version's index, a number for each place
  View x, ids, mask, smooth, weights;
  View rows, scales, index, numbers, received, row_weights;

  void operator()(const KernelMemory& memory) const {
    Exchange& with = *memory.exchanges[ranks.place];
    const Sending sending(memory, ids, mask, experts);
    std::vector<Bytes> out = packed(memory, sending, with.rank());
    Counts sent(at(experts)), counts(at(experts));  // [rank][expert of that rank]
    for (std::size_t e = 0; e < sent.size(); ++e) sent[e] = std::int32_t(sending.places[e].size());
    with.move(parcels(sent, at(local)), parcels(counts, at(local)));
    const std::size_t each = row_bytes() + sizeof(Label);
    std::vector<Bytes> in(at(ranks.count));
    std::int64_t total = 0;
    for (std::size_t peer = 0; peer < in.size(); ++peer) {
      const auto* begin = counts.data() + peer * at(local);
      if (std::any_of(begin, begin + local, [](std::int32_t n) { return n < 0; }))
        fail(kRtAicoreException, "rank %zu sends less than nothing", peer);
      const auto rows_in = std::accumulate(begin, begin + local, std::int64_t(0));
      in[peer].resize(at(rows_in) * each);
      total += rows_in;
    }
    // Before anything is written: what does not fit is an error here, and so on all ranks.
    if (total > rows.shape[0])
      fail(kRtAicoreException, "%lld rows arrive, expandX has room for %lld", ll(total),
           ll(rows.shape[0]));
    with.move(parcels(out), parcels(in));
    place(memory, counts, in);
    if (by_place) write_numbers(memory, index, sending.earlier(ids.shape.product()));
  }

  std::size_t row_bytes() const { return at(rows.shape[1]) * dtype_size(rows.dtype); }

  std::vector<Bytes> packed(const KernelMemory& memory, const Sending& sending, int rank) const {
    const std::size_t width = at(x.shape[1]);
    const std::int64_t chosen = ids.shape[1];
    const std::vector<float> factors =
        is_there(smooth) ? numbers_of<float>(memory, smooth) : std::vector<float>();
    const std::vector<float> weight =
        is_there(weights) ? numbers_of<float>(memory, weights) : std::vector<float>();
    const LoadFn load = loader<float>(x.dtype);
    std::vector<float> line(width);
    std::vector<Bytes> out(at(ranks.count));
    for (std::int64_t e = 0; e < experts; ++e) {
      Bytes& to = out[at(e / local)];
      for (const std::int32_t place : sending.places[at(e)]) {
        Label label{0, weight.empty() ? 0 : weight[at(place)], rank, place};
        const std::byte* const row = row_of(memory, x, place / chosen);
        const std::size_t begin = to.size();
        to.resize(begin + row_bytes() + sizeof label);
        if (quantises) {
          load(row, 1, x.shape[1], line.data());
          label.scale = quantise_row(line, factors.empty() ? nullptr : &factors[at(e) * width]);
          for (std::size_t i = 0; i < width; ++i)
            to[begin + i] = static_cast<unsigned char>(static_cast<std::int8_t>(line[i]));
        } else {
          std::memcpy(&to[begin], row, row_bytes());
        }
        std::memcpy(&to[begin + row_bytes()], &label, sizeof label);
      }
    }
    return out;
  }

  void place(const KernelMemory& memory, const Counts& counts, const std::vector<Bytes>& in) const {
    std::vector<float> scale, weight;
    std::vector<std::int32_t> assist;
    Counts ends;
    std::vector<std::int64_t> of_experts;
    std::vector<std::size_t> next(in.size(), 0);
    std::int64_t row = 0;
    for (std::int64_t e = 0; e < local; ++e) {
      const std::int64_t before = row;
      for (std::size_t peer = 0; peer < in.size(); ++peer) {
        for (std::int32_t i = 0; i < counts[peer * at(local) + at(e)]; ++i, ++row) {
          const unsigned char* from = in[peer].data() + next[peer];
          next[peer] += row_bytes() + sizeof(Label);
          std::memcpy(row_of(memory, rows, row), from, row_bytes());
          Label label;
          std::memcpy(&label, from + row_bytes(), sizeof label);
          scale.push_back(label.scale);
          weight.push_back(label.weight);
          assist.insert(assist.end(), {label.rank, std::int32_t(label.place / ids.shape[1]),
                                       std::int32_t(label.place % ids.shape[1])});
        }
        ends.push_back(std::int32_t(row));
      }
      of_experts.push_back(numbering == 0 ? row : row - before);
    }
    if (quantises) write_numbers(memory, scales, scale);
    if (is_there(row_weights)) write_numbers(memory, row_weights, weight);
    if (!by_place) write_numbers(memory, index, assist);
    write_numbers(memory, received, ends);
    write_numbers(memory, numbers, of_experts);
  }
};

/// The tensors of a combination, which all versions and those with a normalisation have.
struct Combination {
  const TensorArgument &rows, &experts, &assist, &counts, &weights, &mask, &shared;
  World world;
};

struct Combine {
  Ranks ranks;
  std::int64_t experts, local;
  View rows, ids, counts, weights, mask, shared, out;

  void operator()(const KernelMemory& memory) const {
    Exchange& with = *memory.exchanges[ranks.place];
    const Sending sending(memory, ids, mask, experts);
    const std::size_t each = at(rows.shape[1]) * dtype_size(rows.dtype);
    std::vector<Bytes> back = returned(memory, each), in(at(ranks.count));
    for (std::int64_t e = 0; e < experts; ++e) {
      Bytes& from = in[at(e / local)];
      from.resize(from.size() + sending.places[at(e)].size() * each);
    }
    with.move(parcels(back), parcels(in));
    sum(memory, sending, in, each);
  }

  /// The rows that each rank gets back, by expert.
  std::vector<Bytes> returned(const KernelMemory& memory, std::size_t each) const {
    const auto ends = numbers_of<std::int64_t>(memory, counts);
    std::vector<Bytes> back(at(ranks.count));
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < at(experts); ++i) {
      if (ends[i] < begin || ends[i] > rows.shape[0])
        fail(kRtAicoreException, "epSendCounts has %lld behind %lld, of %lld rows", ll(ends[i]),
             ll(begin), ll(rows.shape[0]));
      Bytes& to = back[i % at(ranks.count)];
      if (ends[i] > begin) {
        const auto* from = reinterpret_cast<const unsigned char*>(row_of(memory, rows, begin));
        to.insert(to.end(), from, from + at(ends[i] - begin) * each);
      }
      begin = ends[i];
    }
    return back;
  }

  void sum(const KernelMemory& memory, const Sending& sending, const std::vector<Bytes>& in,
           std::size_t each) const {
    const std::int64_t chosen = ids.shape[1];
    std::vector<const unsigned char*> found(at(ids.shape.product()), nullptr);
    std::vector<std::size_t> next(in.size(), 0);
    for (std::int64_t e = 0; e < experts; ++e) {
      for (const std::int32_t place : sending.places[at(e)]) {
        found[at(place)] = in[at(e / local)].data() + next[at(e / local)];
        next[at(e / local)] += each;
      }
    }
    WeightedSum{rows.dtype, chosen, weights, shared, out}(memory, found);
  }
};

/// Refusals of a combination, and its kernel, which fills `out` of [tokens, width].
void plan_combination(Plan& plan, const Combination& c, const TensorArgument& out) {
  const World& w = c.world;
  const Ranks ranks = check_world(plan, w, c.rows, c.experts);
  const Dims& experts = c.experts.shape();
  check_tiling(plan, c.rows.shape()[0] >= room(w, experts), "expandX has %lld rows, of %lld",
               ll(c.rows.shape()[0]), ll(room(w, experts)));
  check_tiling(plan, c.weights.shape() == experts, "expertScales has shape %s, expertIds %s",
               c.weights.shape().text().c_str(), experts.text().c_str());
  check_tiling(plan, c.counts.rank() == 1 && c.counts.elements() >= w.experts,
               "epSendCounts has shape %s beside %lld experts", c.counts.shape().text().c_str(),
               ll(w.experts));
  check_mask(plan, c.mask, experts);
  const Dims shape{experts[0], c.rows.shape()[1]};
  if (given(c.shared))
    check_tiling(plan, c.shared.elements() == shape.product() && !c.shared.is_empty(),
                 "sharedExpertX has shape %s", c.shared.shape().text().c_str());
  const TensorArgument rows = without_gaps(plan, c.rows);
  Combine combine{ranks,
                  w.experts,
                  w.local(),
                  plan.reads(rows),
                  plan.reads(c.experts),
                  plan.reads(c.counts),
                  plan.reads(c.weights),
                  read_or_none(plan, c.mask),
                  View(),
                  View()};
  if (given(c.shared))
    combine.shared = plan.reads(reshaped(plan, without_gaps(plan, c.shared), shape));
  combine.out = plan.writes(reshaped(plan, out, shape));
  plan.launch(std::move(combine));
}

/// What a combination takes beside that, and what of it is not there.
template <class Parameters>
Combination check_combination(const Check& check, Plan& plan, const Parameters& g) {
  const Combination c{
      g.expandX,      g.expertIds,           g.assistInfoForCombine,  g.epSendCounts,
      g.expertScales, g.xActiveMaskOptional, g.sharedExpertXOptional, world_of(g)};
  check.not_null(c.rows, c.experts, c.assist, c.counts, c.weights);
  check_names(check, c.world, true);
  check.dtype_in(kHalves, c.rows);
  check.dtype_in(DtypeSet{ACL_INT32}, c.experts, c.assist, c.counts);
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.weights);
  if (given(c.mask)) check.dtype_in(DtypeSet{ACL_BOOL}, c.mask);
  if (given(c.shared)) check.same_dtype(c.rows, c.shared);
  for (const TensorArgument* none :
       {&g.activationScaleOptional, &g.weightScaleOptional, &g.groupListOptional})
    check_tiling(plan, !wanted(*none), "%s must be null", none->name());
  if (wanted(g.elasticInfoOptional)) fail_not_simulated(plan, "ranks that are missing");
  check_tiling(plan, g.outDtype == 0 && g.groupListType == 0,
               "outDtype is %lld, groupListType %lld; both must be 0", ll(g.outDtype),
               ll(g.groupListType));
  if (g.commQuantMode != 0) fail_not_simulated(plan, "a communication of int8");
  return c;
}

}  // namespace

Sending::Sending(const KernelMemory& memory, const View& experts, const View& mask,
                 std::int64_t count) {
  places.resize(at(count));
  const auto numbers = numbers_of<std::int64_t>(memory, experts);
  const std::size_t chosen = at(experts.shape[1]);
  std::vector<std::int64_t> active;
  if (is_there(mask)) active = numbers_of<std::int64_t>(memory, mask);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool by_place = active.size() == numbers.size();
    if (!active.empty() && active[by_place ? i : i / chosen] == 0) continue;
    if (numbers[i] < 0 || numbers[i] >= count)
      fail(kRtAicoreException, "expertIds has %lld, there are %lld experts", ll(numbers[i]),
           ll(count));
    places[at(numbers[i])].push_back(std::int32_t(i));
  }
}

std::vector<std::int32_t> Sending::earlier(std::int64_t all) const {
  std::vector<std::int32_t> result(at(all), 0);
  for (const auto& of_expert : places) {
    for (std::size_t i = 0; i < of_expert.size(); ++i) result[at(of_expert[i])] = std::int32_t(i);
  }
  return result;
}

bool is_there(const View& view) { return view.dtype != ACL_DT_UNDEFINED; }

View read_or_none(Plan& plan, const TensorArgument& tensor) {
  return given(tensor) ? plan.reads(tensor) : View();
}

std::byte* row_of(const KernelMemory& memory, const View& matrix, std::int64_t row) {
  return first_element(memory, matrix, row * matrix.shape[1]);
}

float quantise_row(std::vector<float>& line, const float* smooth) {
  float most = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (smooth != nullptr) line[i] *= smooth[i];
    most = std::max(most, std::fabs(line[i]));
  }
  const float factor = 127.0f / most;
  for (float& v : line) {
    const float scaled = v * factor;
    v = std::isnan(scaled) ? 0.0f : std::clamp(std::nearbyint(scaled), -128.0f, 127.0f);
  }
  return 1.0f / factor;
}

void WeightedSum::operator()(const KernelMemory& memory,
                             const std::vector<const unsigned char*>& found) const {
  const auto factors = numbers_of<float>(memory, weights);
  const auto width = out.shape[1];
  const LoadFn load = loader<float>(dtype);
  const StoreFn store = storer<float>(out.dtype, Rounding::kNearestEven);
  std::vector<float> total(at(width)), line(at(width));
  for (std::int64_t token = 0; token < out.shape[0]; ++token) {
    const auto begin = found.begin() + token * chosen;
    if (std::all_of(begin, begin + chosen, [](const void* row) { return row == nullptr; }))
      continue;
    std::fill(total.begin(), total.end(), 0.0f);
    for (std::int64_t k = 0; k < chosen; ++k) {
      if (begin[k] == nullptr) continue;
      load(reinterpret_cast<const std::byte*>(begin[k]), 1, width, line.data());
      const float factor = factors[at(token * chosen + k)];
      for (std::size_t i = 0; i < total.size(); ++i) total[i] += factor * line[i];
    }
    if (is_there(shared)) {
      load(row_of(memory, shared, token), 1, width, line.data());
      for (std::size_t i = 0; i < total.size(); ++i) total[i] += line[i];
    }
    store(total.data(), width, row_of(memory, out, token), 1);
  }
}

void moe_distribute_dispatch(const Check& check, Plan& plan,
                             const MoeDistributeDispatchV4Parameters& g) {
  check.not_null(g.x, g.expertIds, g.expandXOut, g.assistInfoForCombineOut, g.expertTokenNumsOut,
                 g.tpRecvCountsOut, g.epRecvCountsOut);
  const World w = world_of(g);
  check_names(check, w, false);
  if (g.quantMode == 2) check.not_null(g.dynamicScalesOut);
  check.dtype_in(kHalves, g.x);
  check.dtype_in(DtypeSet{ACL_INT32}, g.expertIds, g.assistInfoForCombineOut, g.epRecvCountsOut,
                 g.tpRecvCountsOut);
  check.dtype_in(DtypeSet{ACL_INT64}, g.expertTokenNumsOut);
  if (given(g.xActiveMaskOptional)) check.dtype_in(DtypeSet{ACL_BOOL}, g.xActiveMaskOptional);
  for (const TensorArgument* numbers : {&g.scalesOptional, &g.expertScalesOptional})
    if (given(*numbers)) check.dtype_in(DtypeSet{ACL_FLOAT}, *numbers);
  if (wanted(g.elasticInfoOptional)) fail_not_simulated(plan, "ranks that are missing");
  if (wanted(g.performanceInfoOptional)) fail_not_simulated(plan, "times of the communication");
  const bool quantises = g.quantMode == 2;
  if (on_950() && g.quantMode != 0 && (!quantises || g.expandXOut.dtype() != ACL_INT8))
    fail_not_simulated(plan, "quantising but to int8 with a scale for each row");
  check_tiling(plan, g.quantMode == 0 || quantises, "quantMode is %lld, it must be 0 or 2",
               ll(g.quantMode));
  check.dtype_in(DtypeSet{quantises ? ACL_INT8 : g.x.dtype()}, g.expandXOut);
  if (quantises) check.dtype_in(DtypeSet{ACL_FLOAT}, g.dynamicScalesOut);
  const Ranks ranks = check_world(plan, w, g.x, g.expertIds);
  const Dims& experts = g.expertIds.shape();
  const std::int64_t width = g.x.shape()[1];
  check_tiling(plan, g.x.shape()[0] == experts[0], "x and expertIds have other rows");
  check_mask(plan, g.xActiveMaskOptional, experts);
  check_tiling(plan, !given(g.scalesOptional) || quantises, "scales go with quantMode 2");
  if (given(g.scalesOptional))
    check_tiling(plan, g.scalesOptional.shape() == Dims{w.experts, width}, "scales has shape %s",
                 g.scalesOptional.shape().text().c_str());
  if (given(g.expertScalesOptional))
    check_tiling(plan, g.expertScalesOptional.shape() == experts, "expertScales has shape %s",
                 g.expertScalesOptional.shape().text().c_str());
  check_tiling(plan, g.expertTokenNumsType == 0 || g.expertTokenNumsType == 1,
               "expertTokenNumsType is %lld, it must be 0 or 1", ll(g.expertTokenNumsType));
  const TensorArgument& rows = g.expandXOut;
  check_tiling(plan,
               rows.rank() == 2 && rows.shape()[1] == width && rows.shape()[0] >= room(w, experts),
               "expandXOut has shape %s, of %lld rows of %lld at least",
               rows.shape().text().c_str(), ll(room(w, experts)), ll(width));
  const std::int64_t count = rows.shape()[0];
  const bool by_place = *w.algorithm.name() == 0;
  const std::int64_t index = by_place ? experts.product() : count * kAssist;
  check_tiling(plan, g.assistInfoForCombineOut.shape() == Dims{index}, "%s has shape %s",
               g.assistInfoForCombineOut.name(), g.assistInfoForCombineOut.shape().text().c_str());
  check_tiling(plan, g.expertTokenNumsOut.shape() == Dims{w.local()}, "%s has shape %s",
               g.expertTokenNumsOut.name(), g.expertTokenNumsOut.shape().text().c_str());
  check_tiling(plan, g.epRecvCountsOut.rank() == 1 && g.epRecvCountsOut.elements() >= w.experts,
               "%s has shape %s", g.epRecvCountsOut.name(),
               g.epRecvCountsOut.shape().text().c_str());
  for (const TensorArgument* each : {&g.dynamicScalesOut, &g.expandScalesOut})
    check_tiling(plan,
                 !wanted(*each) || (each == &g.dynamicScalesOut && !quantises) ||
                     each->shape() == Dims{count},
                 "%s has shape %s beside %lld rows", each->name(), each->shape().text().c_str(),
                 ll(count));
  if (!rows.meta().is_contiguous()) fail_not_simulated(plan, "an expandXOut with gaps");
  const TensorArgument x = without_gaps(plan, g.x);
  const bool weighs = given(g.expertScalesOptional) && wanted(g.expandScalesOut);
  plan.launch(Dispatch{
      ranks, w.experts, w.local(), g.expertTokenNumsType, quantises, by_place, plan.reads(x),
      plan.reads(g.expertIds), read_or_none(plan, g.xActiveMaskOptional),
      read_or_none(plan, g.scalesOptional), read_or_none(plan, g.expertScalesOptional),
      plan.writes(rows), quantises ? plan.writes(g.dynamicScalesOut) : View(),
      plan.writes(g.assistInfoForCombineOut), plan.writes(g.expertTokenNumsOut),
      plan.writes(g.epRecvCountsOut), weighs ? written_or_none(plan, g.expandScalesOut) : View()});
}

void moe_distribute_combine(const Check& check, Plan& plan,
                            const MoeDistributeCombineV4Parameters& g) {
  check.not_null(g.xOut);
  const Combination c = check_combination(check, plan, g);
  if (wanted(g.performanceInfoOptional)) fail_not_simulated(plan, "times of the communication");
  check.same_dtype(c.rows, g.xOut);
  check_tiling(plan,
               c.experts.rank() == 2 && c.rows.rank() == 2 &&
                   g.xOut.shape() == (Dims{c.experts.shape()[0], c.rows.shape()[1]}),
               "%s has shape %s", g.xOut.name(), g.xOut.shape().text().c_str());
  if (!g.xOut.meta().is_contiguous()) fail_not_simulated(plan, "an xOut with gaps");
  plan.writes(g.xOut);
  plan_combination(plan, c, g.xOut);
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
  plan_combination(plan, c, combined);
  add_rms_norm(plan, combined, g.residualX, g.gamma, double(g.normEps), g.yOut, g.rstdOut, g.xOut);
}

}  // namespace pyaclnn::sim
