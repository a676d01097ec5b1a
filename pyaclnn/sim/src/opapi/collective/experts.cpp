// Tokens on their way to experts on other ranks, and back: MoeDistributeDispatch and Combine.
//
// The rows of a rank lie by expert, then by the rank they come from, then by token. Whatever else
// the two tell each other follows from the experts' numbers, which both are given. Experts that are
// shared are those of the first ranks, one on each; all tokens go there, to one rank of each.
// SPDX-License-Identifier: MIT
#include "opapi/collective/experts.hpp"

#include <algorithm>
#include <chrono>
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
#include "opapi/collective/sent_rows.hpp"
#include "opapi/common/as_stored.hpp"
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
constexpr DtypeSet kTokens950{ACL_FLOAT16,  ACL_BF16,        ACL_FLOAT8_E5M2, ACL_FLOAT8_E4M3FN,
                              ACL_HIFLOAT8, ACL_FLOAT4_E2M1, ACL_FLOAT4_E1M2};
constexpr DtypeSet kSent950{ACL_FLOAT16,       ACL_BF16,     ACL_INT8,        ACL_FLOAT8_E5M2,
                            ACL_FLOAT8_E4M3FN, ACL_HIFLOAT8, ACL_FLOAT4_E2M1, ACL_FLOAT4_E1M2};
constexpr DtypeSet kScales950{ACL_FLOAT, ACL_FLOAT8_E8M0};
constexpr DtypeSet kFloats8{ACL_FLOAT8_E5M2, ACL_FLOAT8_E4M3FN};
constexpr DtypeSet kFloats4{ACL_FLOAT4_E2M1, ACL_FLOAT4_E1M2};

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

  /// The first versions are told of no algorithm.
  bool is_first() const { return *algorithm.name() == 0; }
  Homes homes() const {
    return {ranks, rank, experts, shared_ranks > 0 ? shared : 0, shared_ranks, without_weights()};
  }
  std::int64_t without_weights() const { return zero + copied + constant; }
  bool in_pairs() const { return ranks_tp > 1; }
  std::int64_t pair() const { return in_pairs() ? 2 : 1; }
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

/// Refuses experts that are not there in such numbers, or not on so many ranks.
void check_experts(const Plan& plan, const World& w, bool a2) {
  constexpr std::int64_t kMostNumbers = 0x7fffffff, kMostShared = 4, kMostHere = 2048;
  const std::int64_t most = a2 || w.is_first() ? 512 : 1024;
  check_tiling(plan, w.experts > 0 && w.experts <= most, "moeExpertNum is %lld, it may be %lld",
               ll(w.experts), ll(most));
  check_tiling(plan, w.shard == 0, "expertShardType is %lld, it must be 0", ll(w.shard));
  const bool one = !a2 && w.is_first();
  check_tiling(plan,
               w.shared >= (one ? 1 : 0) && w.shared <= (a2    ? 0
                                                         : one ? 1
                                                               : kMostShared),
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
  if (w.is_first() && w.shared_ranks > 0)
    fail_not_simulated(plan, "experts that are shared, in the first version");
}

/// Refuses a second communicator, of two ranks that each have a part of the same experts.
void check_pair(const Plan& plan, const World& w) {
  check_tiling(plan, w.ranks_tp >= 0 && w.ranks_tp <= 2, "tpWorldSize is %lld", ll(w.ranks_tp));
  check_tiling(plan, w.rank_tp >= 0 && w.rank_tp < (w.in_pairs() ? 2 : 1),
               "tpRankId is %lld of %lld", ll(w.rank_tp), ll(w.ranks_tp));
  if (!w.in_pairs()) return;
  if (chip().soc != Soc::kAscend910_93 || w.is_first())
    fail_not_simulated(plan, "a second communicator, groupTp");
  check_tiling(plan, w.group_tp.given() && !w.group_tp.text.empty(), "groupTp is empty");
  check_tiling(plan, w.group_tp.text != w.group.text, "groupEp and groupTp are one");
}

/// The second communicator, or none.
Ranks pair_of(Plan& plan, const World& w) {
  if (!w.in_pairs()) return {};
  check_tiling(plan, w.homes().each() == 1, "%lld experts of a rank beside tpWorldSize 2",
               ll(w.homes().each()));
  return ranks_of(plan, w.group_tp, {2});
}

Ranks check_world(Plan& plan, const World& w, const TensorArgument& tokens,
                  const TensorArgument& experts) {
  const bool a2 = chip().soc == Soc::kAscend910B;
  check_kernel_exists(plan, on_a2_or_a3() || on_950());
  const std::string algorithm = w.algorithm.given() ? w.algorithm.text : "";
  if (algorithm == "hierarchy") fail_not_simulated(plan, "the hierarchical algorithm");
  check_tiling(plan, algorithm.empty() || algorithm.rfind("fullmesh", 0) == 0,
               "commAlg is \"%.32s\"", algorithm.c_str());
  check_tiling(plan, w.ranks > 0 && w.rank >= 0 && w.rank < w.ranks, "epRankId is %lld of %lld",
               ll(w.rank), ll(w.ranks));
  check_pair(plan, w);
  check_experts(plan, w, a2);
  check_tiling(plan, experts.rank() == 2, "expertIds has %zu dimensions, it must have 2",
               experts.rank());
  const std::int64_t rows = experts.shape()[0];
  const std::int64_t chosen = experts.shape()[1];
  check_tiling(plan, rows > 0 && rows <= (a2 ? 256 : 512), "expertIds has %lld rows", ll(rows));
  const std::int64_t most_chosen = w.is_first() && !a2 ? 8 : kMostChosen;
  check_tiling(plan,
               chosen > 0 && chosen <= most_chosen && chosen <= w.experts + w.without_weights(),
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
  const Homes homes = w.homes();
  if (!homes.is_shared()) return all * std::min(homes.each(), experts[1]);
  const std::int64_t senders = (w.ranks + homes.copies() - 1) / homes.copies();
  return all / w.ranks * senders;
}

void check_mask(const Plan& plan, const World& w, const TensorArgument& mask, const Dims& experts) {
  if (!given(mask)) return;
  check_tiling(plan, w.batch <= experts[0] * w.ranks || chip().soc == Soc::kAscend910B,
               "xActiveMask goes with as many tokens on all ranks, globalBs is %lld", ll(w.batch));
  const bool two = chip().soc != Soc::kAscend910B && mask.shape() == experts;
  check_tiling(plan, two || mask.shape() == Dims{experts[0]}, "xActiveMask has shape %s",
               mask.shape().text().c_str());
}

std::vector<Parcel> parcels(std::vector<Bytes>& from) {
  std::vector<Parcel> result;
  for (Bytes& bytes : from) result.push_back({bytes.data(), bytes.size()});
  return result;
}

/// Parts of these, by rank; `count` says how many each has.
template <class Count>
std::vector<Parcel> parcels(Counts& from, std::int64_t ranks, Count count) {
  std::vector<Parcel> result;
  std::size_t begin = 0;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const std::size_t length = at(count(rank));
    result.push_back({from.data() + begin, length * sizeof from[0]});
    begin += length;
  }
  return result;
}

View written_or_none(Plan& plan, const TensorArgument& tensor) {
  return wanted(tensor) ? plan.writes(tensor) : View();
}

/// Microseconds that a rank waits for others, which become those of a tensor where they are more.
class Waiting {
 public:
  void write(const KernelMemory& memory, const View& times) const {
    if (!is_there(times)) return;
    const auto since = std::chrono::steady_clock::now() - begin_;
    const std::int64_t waited = std::chrono::duration_cast<std::chrono::microseconds>(since).count();
    auto all = numbers_of<std::int64_t>(memory, times);
    for (std::int64_t& each : all) each = std::max(each, waited);
    write_numbers(memory, times, all);
  }

 private:
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// A tensor of times of each rank, refused where it has another shape.
View times_of(Plan& plan, const World& w, const TensorArgument& times) {
  if (!given(times)) return View();
  check_tiling(plan, times.shape() == Dims{w.ranks}, "performanceInfo has shape %s beside %lld ranks",
               times.shape().text().c_str(), ll(w.ranks));
  plan.reads(times);
  return plan.writes(times);
}

/// What goes with a row.
struct Label {
  float weight = 0;
  std::int32_t rank = 0;
  std::int32_t place = 0;
};

/// What a rank gives the other of a pair, or takes.
std::vector<Parcel> for_other(int rank, Bytes& bytes) {
  std::vector<Parcel> result(2, Parcel{nullptr, 0});
  result[at(1 - rank)] = {bytes.data(), bytes.size()};
  return result;
}

struct Dispatch {
  Ranks ranks, pair;
  Homes homes;
  std::int64_t numbering;
  bool by_place;  // the first version's index, a number for each place
  SentRows sent_rows;
  View ids, mask, weights;
  View rows, scales, index, numbers, received, row_weights, received_of_pair, times;
  std::int64_t rank_of_pair;

  void operator()(const KernelMemory& memory) const {
    Exchange& with = *memory.exchanges[ranks.place];
    const Sending sending(memory, ids, mask, homes);
    std::vector<Bytes> out = packed(memory, sending, with.rank());
    const std::int64_t local = homes.here();
    Counts sent(at(homes.all()));            // [rank][expert of that rank]
    Counts counts(at(homes.ranks * local));  // [rank][expert here]
    for (std::size_t e = 0; e < sent.size(); ++e) sent[e] = std::int32_t(sending.places[e].size());
    const Waiting waiting;
    with.move(parcels(sent, homes.ranks, [&](std::int64_t rank) { return homes.of(rank); }),
              parcels(counts, homes.ranks, [&](std::int64_t) { return local; }));
    const std::size_t each = sent_rows.all() + sizeof(Label);
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
    waiting.write(memory, times);
    const Counts ends = place(memory, sending.columns, counts, in);
    if (pair.count > 0) gather(memory, ends);
    if (by_place) write_numbers(memory, index, sending.earlier(ids.shape.product()));
  }

  std::vector<Bytes> packed(const KernelMemory& memory, const Sending& sending, int rank) const {
    const std::int64_t chosen = ids.shape[1];
    const std::vector<float> factors = is_there(sent_rows.factors)
                                           ? numbers_of<float>(memory, sent_rows.factors)
                                           : std::vector<float>();
    const std::vector<float> weight =
        is_there(weights) ? numbers_of<float>(memory, weights) : std::vector<float>();
    const std::size_t row_bytes = sent_rows.all();
    std::vector<Bytes> out(at(ranks.count));
    for (std::int64_t e = 0; e < homes.all(); ++e) {
      Bytes& to = out[at(homes.home(e))];
      const std::int64_t factors_of =
          e < homes.shared_ranks ? e / homes.copies() : e - homes.shared_ranks + homes.shared;
      for (const std::int32_t place : sending.places[at(e)]) {
        const std::int64_t token = place / sending.columns, column = place % sending.columns;
        Label label{0, rank, place};
        if (!weight.empty() && column < chosen) label.weight = weight[at(token * chosen + column)];
        const std::size_t begin = to.size();
        to.resize(begin + row_bytes + sizeof label);
        sent_rows.make(memory, token, factors, factors_of, &to[begin]);
        std::memcpy(&to[begin + row_bytes], &label, sizeof label);
      }
    }
    return out;
  }

  /// The running ends of what each rank sent each expert.
  Counts place(const KernelMemory& memory, std::int64_t columns, const Counts& counts,
               const std::vector<Bytes>& in) const {
    std::vector<float> weight;
    std::vector<std::int32_t> assist;
    Counts ends;
    std::vector<std::int64_t> of_experts;
    std::vector<std::size_t> next(in.size(), 0);
    std::int64_t row = 0;
    const std::int64_t local = homes.here();
    for (std::int64_t e = 0; e < local; ++e) {
      const std::int64_t before = row;
      for (std::size_t peer = 0; peer < in.size(); ++peer) {
        for (std::int32_t i = 0; i < counts[peer * at(local) + at(e)]; ++i, ++row) {
          const unsigned char* from = in[peer].data() + next[peer];
          next[peer] += sent_rows.all() + sizeof(Label);
          put(memory, row, from);
          Label label;
          std::memcpy(&label, from + sent_rows.all(), sizeof label);
          weight.push_back(label.weight);
          assist.insert(assist.end(), {label.rank, std::int32_t(label.place / columns),
                                       std::int32_t(label.place % columns)});
        }
        ends.push_back(std::int32_t(row));
      }
      of_experts.push_back(numbering == 0 ? row : row - before);
    }
    if (is_there(row_weights)) write_numbers(memory, row_weights, weight);
    if (!by_place) write_numbers(memory, index, assist);
    write_numbers(memory, received, ends);
    write_numbers(memory, numbers, of_experts);
    return ends;
  }

  std::byte* scales_of(const KernelMemory& memory, std::int64_t row) const {
    return first_element(memory, scales) + at(row) * sent_rows.scale_bytes;
  }
  void put(const KernelMemory& memory, std::int64_t row, const unsigned char* from) const {
    std::memcpy(row_of(memory, rows, row), from, sent_rows.bytes());
    if (sent_rows.scale_bytes > 0)
      std::memcpy(scales_of(memory, row), from + sent_rows.bytes(), sent_rows.scale_bytes);
  }

  /// The rows of the other rank of a pair follow on those that arrived here.
  void gather(const KernelMemory& memory, Counts ends) const {
    Exchange& with = *memory.exchanges[pair.place];
    const std::size_t each = sent_rows.all(), bytes = ends.size() * sizeof ends[0];
    Bytes own(bytes), other(bytes);
    std::memcpy(own.data(), ends.data(), bytes);
    with.move(for_other(with.rank(), own), for_other(with.rank(), other));
    Counts ends_there(ends.size());
    std::memcpy(ends_there.data(), other.data(), bytes);
    const std::int64_t here = ends.back(), there = ends_there.back();
    if (there < 0 || here + there > rows.shape[0])
      fail(kRtAicoreException, "%lld rows of the pair follow on %lld, expandX has room for %lld",
           ll(there), ll(here), ll(rows.shape[0]));
    own.resize(at(here) * each);
    other.resize(at(there) * each);
    for (std::int64_t row = 0; row < here; ++row) {
      unsigned char* const to = own.data() + at(row) * each;
      std::memcpy(to, row_of(memory, rows, row), sent_rows.bytes());
      if (sent_rows.scale_bytes > 0)
        std::memcpy(to + sent_rows.bytes(), scales_of(memory, row), sent_rows.scale_bytes);
    }
    with.move(for_other(with.rank(), own), for_other(with.rank(), other));
    for (std::int64_t row = 0; row < there; ++row)
      put(memory, here + row, other.data() + at(row) * each);
    ends.insert(ends.end(), ends_there.begin(), ends_there.end());
    write_numbers(memory, received, ends);
    write_numbers(memory, numbers, std::vector<std::int64_t>{here + there});
    std::vector<std::int64_t> of_pair{here, there};
    if (rank_of_pair == 1) std::swap(of_pair[0], of_pair[1]);
    write_numbers(memory, received_of_pair, of_pair);
  }
};

/// Whether a quantMode of the Ascend950 gives numbers of this type.
bool gives(std::int64_t mode, aclDataType x, aclDataType out) {
  switch (mode) {
    case kNoQuant:
      return out == x || (kHalves.contains(x) && out == ACL_HIFLOAT8);
    case kStatic:
      return out == ACL_INT8 || out == ACL_HIFLOAT8;
    case kByRow:
      return out == ACL_INT8 || kFloats8.contains(out);
    case kByGroup:
      return kFloats8.contains(out);
    default:
      return kFloats8.contains(out) || kFloats4.contains(out);
  }
}

/// Refuses types of tokens, rows and scales that do not go with a quantMode.
void check_sent_types(const Check& check, Plan& plan, const World& w,
                      const MoeDistributeDispatchV4Parameters& g) {
  const std::int64_t mode = g.quantMode;
  const aclDataType x = g.x.dtype(), out = g.expandXOut.dtype();
  if (!on_950()) {
    check_tiling(plan, mode == kNoQuant || mode == kByRow, "quantMode is %lld, it must be 0 or 2",
                 ll(mode));
    check.dtype_in(DtypeSet{mode == kByRow ? ACL_INT8 : x}, g.expandXOut);
    if (mode == kByRow) check.dtype_in(DtypeSet{ACL_FLOAT}, g.dynamicScalesOut);
    return;
  }
  check_tiling(plan, mode >= kNoQuant && mode <= (w.is_first() ? kByRow : kMx), "quantMode is %lld",
               ll(mode));
  if (w.is_first() && (mode == kStatic || !(out == ACL_INT8 || out == x)))
    fail_not_simulated(plan, "quantising but to int8 with a scale for each row");
  check_tiling(plan, mode == kNoQuant || kHalves.contains(x),
               "x has dtype %s beside quantMode %lld", dtype_name(x), ll(mode));
  check.dtype_in(mode == kNoQuant && !kHalves.contains(x) ? DtypeSet{x} : kSent950, g.expandXOut);
  check_tiling(plan, gives(mode, x, out), "expandX has dtype %s beside quantMode %lld",
               dtype_name(out), ll(mode));
  if (kFloats4.contains(x) || kFloats4.contains(out))
    fail_not_simulated(plan, "rows of 4 bit floats");
  const TensorArgument& scales = g.scalesOptional;
  const bool own = mode == kNoQuant && !kHalves.contains(x);
  check_tiling(plan, given(scales) || !(own || mode == kStatic), "scales go with quantMode %lld",
               ll(mode));
  check_tiling(plan, !given(scales) || own || (mode != kNoQuant && mode != kMx),
               "scales do not go with quantMode %lld", ll(mode));
  if (given(scales)) {
    const bool exponents = own && x != ACL_HIFLOAT8;
    check_tiling(plan, exponents || scales.dtype() == ACL_FLOAT, "scales has dtype %s",
                 dtype_name(scales.dtype()));
  }
  if (!own && (mode == kNoQuant || mode == kStatic)) return;
  check.not_null(g.dynamicScalesOut);
  const aclDataType wanted_type = own ? scales.dtype() : mode == kMx ? ACL_FLOAT8_E8M0 : ACL_FLOAT;
  check.dtype_in(kScales950, g.dynamicScalesOut);
  check_tiling(plan, g.dynamicScalesOut.dtype() == wanted_type,
               "dynamicScales has dtype %s, it must be %s", dtype_name(g.dynamicScalesOut.dtype()),
               dtype_name(wanted_type));
}

/// Refuses scales of another shape: of each token, or factors of all tokens or of each expert.
void check_factors(const Plan& plan, const Homes& homes,
                   const MoeDistributeDispatchV4Parameters& g) {
  const TensorArgument& scales = g.scalesOptional;
  if (!given(scales)) return;
  const Dims& shape = scales.shape();
  const std::int64_t width = g.x.shape()[1];
  const bool own = !kHalves.contains(g.x.dtype());
  check_tiling(plan, g.quantMode != kNoQuant || own, "scales do not go with quantMode 0");
  bool fits = shape == Dims{homes.shared + homes.experts, width};
  if (own) fits = shape.size() == 2 && shape[0] == g.x.shape()[0] && shape[1] <= width;
  if (g.quantMode == kStatic) {
    const bool whole = g.expandXOut.dtype() == ACL_INT8;
    fits = shape == Dims{1} || (whole && (fits || shape == Dims{width}));
  }
  check_tiling(plan, fits, "scales has shape %s", shape.text().c_str());
}

/// The shape of the scales of so many rows, or none where they have none.
Dims scales_of_rows(const MoeDistributeDispatchV4Parameters& g, std::int64_t rows) {
  const std::int64_t width = g.x.shape()[1];
  switch (g.quantMode) {
    case kNoQuant:
      return kHalves.contains(g.x.dtype()) ? Dims{} : Dims{rows, g.scalesOptional.shape()[1]};
    case kStatic:
      return {};
    case kByRow:
      return {rows};
    case kByGroup:
      return {rows, (width + kQuantGroup - 1) / kQuantGroup};
    default:
      return {rows, (width + 2 * kMxBlock - 1) / (2 * kMxBlock) * 2};
  }
}

SentRows sent_rows_of(Plan& plan, const MoeDistributeDispatchV4Parameters& g, const Dims& scales) {
  SentRows sent;
  sent.mode = g.quantMode;
  sent.dtype = g.expandXOut.dtype();
  if (!scales.empty())
    sent.scale_bytes =
        at(scales.size() == 1 ? 1 : scales[1]) * dtype_size(g.dynamicScalesOut.dtype());
  const TensorArgument x = without_gaps(plan, g.x);
  if (g.quantMode == kMx) {
    const std::int64_t rows = x.shape()[0];
    const TensorArgument narrow = plan.scratch("narrow", sent.dtype, x.shape());
    const TensorArgument shared = plan.scratch("scales", ACL_FLOAT8_E8M0, Dims{rows, scales[1]});
    quantise_mx(plan, x, narrow, shared);
    sent.mode = kNoQuant;
    sent.x = plan.reads(narrow);
    sent.own_scales = plan.reads(shared);
    return sent;
  }
  sent.x = plan.reads(x);
  if (!given(g.scalesOptional)) return sent;
  const View given_scales = plan.reads(without_gaps(plan, g.scalesOptional));
  (g.quantMode == kNoQuant ? sent.own_scales : sent.factors) = given_scales;
  return sent;
}

/// The tensors of a combination, which all versions and those with a normalisation have.
struct Combination {
  const TensorArgument &rows, &experts, &assist, &counts, &weights, &mask, &shared;
  const TensorArgument &tokens, &first_alpha, &second_alpha, &constants, &counts_of_pair;
  std::int64_t narrowing;
  World world;
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
  Homes homes;
  bool narrows;  // to int8
  WithoutWeights without_weights;
  View rows;
  View scales;  // of rows of 8 bit floats; rows go as what these stand for
  View ids, counts, weights, mask, shared, out, counts_of_pair, times;
  std::int64_t rank_of_pair;

  void operator()(const KernelMemory& memory) const {
    Exchange& with = *memory.exchanges[ranks.place];
    const Sending sending(memory, ids, mask, homes);
    const std::size_t each = at(rows.shape[1]) * dtype_size(dtype());
    std::vector<Bytes> back = returned(memory, each), in(at(ranks.count));
    for (std::int64_t e = 0; e < homes.all(); ++e) {
      Bytes& from = in[at(homes.home(e))];
      from.resize(from.size() + sending.places[at(e)].size() * each);
    }
    const Waiting waiting;
    with.move(parcels(back), parcels(in));
    waiting.write(memory, times);
    sum(memory, sending, in, each);
  }

  /// The rows that each rank gets back, by expert.
  std::vector<Bytes> returned(const KernelMemory& memory, std::size_t each) const {
    const auto ends = numbers_of<std::int64_t>(memory, counts);
    const std::size_t all = at(homes.here() * homes.ranks);
    const Bytes added = pair.count > 0 ? scattered(memory, ends[all - 1], each) : Bytes();
    std::vector<Bytes> back(at(ranks.count));
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < all; ++i) {
      if (ends[i] < begin || ends[i] > rows.shape[0])
        fail(kRtAicoreException, "epSendCounts has %lld behind %lld, of %lld rows", ll(ends[i]),
             ll(begin), ll(rows.shape[0]));
      Bytes& to = back[i % at(ranks.count)];
      std::size_t next = to.size();
      to.resize(next + at(ends[i] - begin) * each);
      for (; begin < ends[i]; ++begin, next += each)
        make(memory, begin, added.empty() ? nullptr : &added[at(begin) * each],
             reinterpret_cast<std::byte*>(&to[next]));
    }
    return back;
  }

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

  /// A row as it is behind the exchange; `added` is that of the pair's other rank.
  void make(const KernelMemory& memory, std::int64_t row, const unsigned char* added,
            std::byte* to) const {
    const std::byte* const from = row_of(memory, rows, row);
    const std::int64_t width = rows.shape[1];
    if (!narrows && !is_there(scales) && added == nullptr) {
      std::memcpy(to, from, at(width) * dtype_size(rows.dtype));
      return;
    }
    std::vector<float> line(at(width));
    loader<float>(rows.dtype)(from, 1, width, line.data());
    if (added != nullptr) {
      std::vector<float> other(line.size());
      loader<float>(rows.dtype)(reinterpret_cast<const std::byte*>(added), 1, width, other.data());
      for (std::size_t i = 0; i < line.size(); ++i) line[i] += other[i];
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

  void sum(const KernelMemory& memory, const Sending& sending, const std::vector<Bytes>& in,
           std::size_t each) const {
    std::vector<ExpertRow> found(at(ids.shape[0] * sending.columns));
    std::vector<std::size_t> next(in.size(), 0);
    for (std::int64_t e = 0; e < homes.all(); ++e) {
      const std::size_t home = at(homes.home(e));
      for (const std::int32_t place : sending.places[at(e)]) {
        found[at(place)] = {in[home].data() + next[home], dtype()};
        next[home] += each;
      }
    }
    std::vector<std::vector<float>> made;
    without_weights(memory, ids, sending, found, made);
    WeightedSum{ids.shape[1], weights, shared, out}(memory, sending, found);
  }
};

/// The tensors that results are made of which come from no other rank.
void check_without_weights(const Plan& plan, const Combination& c, const Dims& shape) {
  const World& w = c.world;
  const bool a2 = chip().soc == Soc::kAscend910B;
  check_tiling(plan, (w.copied == 0 && w.constant == 0) || given(c.tokens),
               "oriX is null beside copyExpertNum %lld, constExpertNum %lld", ll(w.copied),
               ll(w.constant));
  if (given(c.tokens))
    check_tiling(plan, c.tokens.shape() == shape, "oriX has shape %s, it must be %s",
                 c.tokens.shape().text().c_str(), shape.text().c_str());
  const Dims constants{w.constant, shape[1]};
  for (const TensorArgument* tensor : {&c.first_alpha, &c.second_alpha, &c.constants}) {
    check_tiling(plan, w.constant == 0 || given(*tensor), "%s is null beside constExpertNum %lld",
                 tensor->name(), ll(w.constant));
    if (given(*tensor))
      check_tiling(plan, !a2 && tensor->shape() == constants, "%s has shape %s", tensor->name(),
                   tensor->shape().text().c_str());
  }
}

/// Refusals of a combination, and its kernel, which fills `out` of [tokens, width].
void plan_combination(Plan& plan, const Combination& c, const TensorArgument* performance,
                      const TensorArgument& out) {
  const World& w = c.world;
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
    check_tiling(plan, given(c.counts_of_pair) && c.counts_of_pair.shape() == Dims{2},
                 "tpSendCounts is null, or not of two numbers");
  }
  check_tiling(plan, c.weights.shape() == experts, "expertScales has shape %s, expertIds %s",
               c.weights.shape().text().c_str(), experts.text().c_str());
  check_tiling(plan,
               w.is_first() || chip().soc == Soc::kAscend910B ||
                   (c.assist.rank() == 1 && c.assist.elements() >= room(w, experts) * kAssist),
               "%s has shape %s beside %lld rows", c.assist.name(), c.assist.shape().text().c_str(),
               ll(room(w, experts)));
  const std::int64_t counts = homes.here() * homes.ranks * w.pair();
  check_tiling(plan, c.counts.rank() == 1 && c.counts.elements() >= counts,
               "epSendCounts has shape %s, of %lld numbers", c.counts.shape().text().c_str(),
               ll(counts));
  check_mask(plan, w, c.mask, experts);
  const View times = performance == nullptr ? View() : times_of(plan, w, *performance);
  const Dims shape{experts[0], c.rows.shape()[1]};
  check_without_weights(plan, c, shape);
  if (given(c.shared)) {
    check_tiling(plan, w.shared_ranks == 0, "sharedExpertX beside sharedExpertRankNum %lld",
                 ll(w.shared_ranks));
    check_shared_rows(plan, c.shared, shape);
  }
  const auto packed = [&](const TensorArgument& tensor) {
    return given(tensor) && !tensor.is_empty() ? plan.reads(without_gaps(plan, tensor)) : View();
  };
  const TensorArgument rows = without_gaps(plan, c.rows);
  View sent, scales;
  if (c.narrowing > 2) {
    const aclDataType type = c.narrowing == 3 ? ACL_FLOAT8_E5M2 : ACL_FLOAT8_E4M3FN;
    const TensorArgument narrow = plan.scratch("narrow", type, rows.shape());
    const std::int64_t pairs = (shape[1] + 2 * kMxBlock - 1) / (2 * kMxBlock);
    const TensorArgument exponents =
        plan.scratch("exponents", ACL_FLOAT8_E8M0, Dims{rows.shape()[0], 2 * pairs});
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
                  w.rank_tp};
  if (given(c.shared))
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
                      g.commQuantMode,
                      world_of(g)};
  check.not_null(c.rows, c.experts, c.assist, c.counts, c.weights);
  check_names(check, c.world, true);
  check.dtype_in(kHalves, c.rows);
  check.dtype_in(DtypeSet{ACL_INT32}, c.experts, c.assist, c.counts);
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.weights);
  if (given(c.mask)) check.dtype_in(DtypeSet{ACL_BOOL}, c.mask);
  if (given(c.counts_of_pair)) check.dtype_in(DtypeSet{ACL_INT32}, c.counts_of_pair);
  for (const TensorArgument* like :
       {&c.shared, &c.tokens, &c.first_alpha, &c.second_alpha, &c.constants})
    if (given(*like)) check.same_dtype(c.rows, *like);
  for (const TensorArgument* none :
       {&g.activationScaleOptional, &g.weightScaleOptional, &g.groupListOptional})
    check_tiling(plan, !wanted(*none), "%s must be null", none->name());
  if (wanted(g.elasticInfoOptional)) fail_not_simulated(plan, "ranks that are missing");
  check_tiling(plan, g.outDtype == 0 && g.groupListType == 0,
               "outDtype is %lld, groupListType %lld; both must be 0", ll(g.outDtype),
               ll(g.groupListType));
  const bool a2 = chip().soc == Soc::kAscend910B;
  const std::int64_t mode = g.commQuantMode;
  const bool floats = (mode == 3 || mode == 4) && on_950() && !c.world.is_first();
  check_tiling(plan, mode == 0 || (mode == 2 && !a2) || floats, "commQuantMode is %lld", ll(mode));
  return c;
}

}  // namespace

Sending::Sending(const KernelMemory& memory, const View& experts, const View& mask,
                 const Homes& homes)
    : columns(experts.shape[1] + homes.shared),
      places(at(homes.all())),
      active(at(experts.shape[0]), false) {
  const auto numbers = numbers_of<std::int64_t>(memory, experts);
  const std::size_t chosen = at(experts.shape[1]);
  const std::int64_t count = homes.experts + homes.without_weights;
  std::vector<std::int64_t> wanted;
  if (is_there(mask)) wanted = numbers_of<std::int64_t>(memory, mask);
  const bool by_place = wanted.size() == numbers.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t token = i / chosen;
    if (!wanted.empty() && wanted[by_place ? i : token] == 0) continue;
    if (numbers[i] < 0 || numbers[i] >= count)
      fail(kRtAicoreException, "expertIds has %lld, there are %lld experts", ll(numbers[i]),
           ll(count));
    active[token] = true;
    const auto place = std::int32_t(token * at(columns) + i % chosen);
    auto& to = numbers[i] < homes.experts ? places[at(homes.shared_ranks + numbers[i])] : elsewhere;
    to.push_back(place);
  }
  for (std::int64_t e = homes.rank % homes.copies(); e < homes.shared_ranks; e += homes.copies()) {
    for (std::size_t token = 0; token < active.size(); ++token) {
      if (active[token])
        places[at(e)].push_back(
            std::int32_t(token * at(columns) + chosen + at(e / homes.copies())));
    }
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

void WeightedSum::operator()(const KernelMemory& memory, const Sending& sending,
                             const std::vector<ExpertRow>& found) const {
  const auto factors = numbers_of<float>(memory, weights);
  const auto width = out.shape[1];
  const StoreFn store = storer<float>(out.dtype, Rounding::kNearestEven);
  std::vector<float> total(at(width)), line(at(width));
  for (std::int64_t token = 0; token < out.shape[0]; ++token) {
    if (!sending.active[at(token)]) continue;
    std::fill(total.begin(), total.end(), 0.0f);
    for (std::int64_t k = 0; k < sending.columns; ++k) {
      const ExpertRow& row = found[at(token * sending.columns + k)];
      if (row.data == nullptr) continue;
      loader<float>(row.dtype)(static_cast<const std::byte*>(row.data), 1, width, line.data());
      const float factor = k < chosen ? factors[at(token * chosen + k)] : 1.0f;
      for (std::size_t i = 0; i < total.size(); ++i) total[i] += factor * line[i];
    }
    if (is_there(shared)) {
      loader<float>(shared.dtype)(row_of(memory, shared, token), 1, width, line.data());
      for (std::size_t i = 0; i < total.size(); ++i) total[i] += line[i];
    }
    store(total.data(), width, row_of(memory, out, token), 1);
  }
}

void check_shared_rows(const Plan& plan, const TensorArgument& shared, const Dims& shape) {
  check_tiling(plan,
               (shared.rank() == 2 || shared.rank() == 3) && shared.shape().back() == shape[1] &&
                   shared.elements() == shape.product(),
               "sharedExpertX has shape %s", shared.shape().text().c_str());
}

void moe_distribute_dispatch(const Check& check, Plan& plan,
                             const MoeDistributeDispatchV4Parameters& g) {
  check.not_null(g.x, g.expertIds, g.expandXOut, g.assistInfoForCombineOut, g.expertTokenNumsOut,
                 g.tpRecvCountsOut, g.epRecvCountsOut);
  const World w = world_of(g);
  check_names(check, w, false);
  if (g.quantMode == 2) check.not_null(g.dynamicScalesOut);
  check.dtype_in(on_950() ? kTokens950 : kHalves, g.x);
  check.dtype_in(DtypeSet{ACL_INT32}, g.expertIds, g.assistInfoForCombineOut, g.epRecvCountsOut,
                 g.tpRecvCountsOut);
  check.dtype_in(DtypeSet{ACL_INT64}, g.expertTokenNumsOut);
  if (given(g.xActiveMaskOptional)) check.dtype_in(DtypeSet{ACL_BOOL}, g.xActiveMaskOptional);
  if (given(g.scalesOptional))
    check.dtype_in(on_950() ? kScales950 : DtypeSet{ACL_FLOAT}, g.scalesOptional);
  if (given(g.expertScalesOptional)) check.dtype_in(DtypeSet{ACL_FLOAT}, g.expertScalesOptional);
  if (wanted(g.elasticInfoOptional)) fail_not_simulated(plan, "ranks that are missing");
  if (given(g.performanceInfoOptional))
    check.dtype_in(DtypeSet{ACL_INT64}, g.performanceInfoOptional);
  check_sent_types(check, plan, w, g);
  const Ranks ranks = check_world(plan, w, g.x, g.expertIds);
  const Homes homes = w.homes();
  const Dims& experts = g.expertIds.shape();
  const std::int64_t width = g.x.shape()[1];
  const std::string algorithm = w.algorithm.given() ? w.algorithm.text : "";
  check_tiling(plan, chip().soc != Soc::kAscend910_93 || algorithm != "fullmesh",
               "commAlg is \"%s\", it must be \"fullmesh_v1\" or \"fullmesh_v2\"",
               algorithm.c_str());
  if (algorithm == "fullmesh_v2")
    check_tiling(plan, experts[0] <= (on_950() ? 512 : 256) && experts[1] <= 12,
                 "expertIds has shape %s beside commAlg fullmesh_v2", experts.text().c_str());
  check_tiling(plan, g.x.shape()[0] == experts[0], "x and expertIds have other rows");
  check_mask(plan, w, g.xActiveMaskOptional, experts);
  check_factors(plan, homes, g);
  if (given(g.expertScalesOptional))
    check_tiling(plan, g.expertScalesOptional.shape() == experts, "expertScales has shape %s",
                 g.expertScalesOptional.shape().text().c_str());
  check_tiling(plan, g.expertTokenNumsType == 0 || g.expertTokenNumsType == 1,
               "expertTokenNumsType is %lld, it must be 0 or 1", ll(g.expertTokenNumsType));
  const Ranks pair = pair_of(plan, w);
  const std::int64_t most = room(w, experts);
  check_tiling(plan, !w.in_pairs() || algorithm != "fullmesh_v2",
               "commAlg is \"fullmesh_v2\" beside tpWorldSize 2");
  check_tiling(plan, !w.in_pairs() || g.tpRecvCountsOut.shape() == Dims{2},
               "tpRecvCountsOut has shape %s, it must be [2]",
               g.tpRecvCountsOut.shape().text().c_str());
  const TensorArgument& rows = g.expandXOut;
  check_tiling(plan,
               rows.rank() == 2 && rows.shape()[1] == width && rows.shape()[0] >= w.pair() * most,
               "expandXOut has shape %s, of %lld rows of %lld at least",
               rows.shape().text().c_str(), ll(w.pair() * most), ll(width));
  const std::int64_t count = rows.shape()[0];
  const bool by_place = w.is_first();
  const TensorArgument& index = g.assistInfoForCombineOut;
  check_tiling(plan,
               by_place ? index.shape() == Dims{experts.product()}
                        : index.rank() == 1 && index.elements() >= most * kAssist,
               "%s has shape %s", index.name(), index.shape().text().c_str());
  check_tiling(plan, g.expertTokenNumsOut.shape() == Dims{homes.here()}, "%s has shape %s",
               g.expertTokenNumsOut.name(), g.expertTokenNumsOut.shape().text().c_str());
  check_tiling(plan,
               g.epRecvCountsOut.rank() == 1 &&
                   g.epRecvCountsOut.elements() >= homes.here() * homes.ranks * w.pair(),
               "%s has shape %s", g.epRecvCountsOut.name(),
               g.epRecvCountsOut.shape().text().c_str());
  const Dims scales = scales_of_rows(g, count);
  if (!scales.empty())
    check_tiling(plan, g.dynamicScalesOut.shape() == scales, "%s has shape %s, it must be %s",
                 g.dynamicScalesOut.name(), g.dynamicScalesOut.shape().text().c_str(),
                 scales.text().c_str());
  check_tiling(plan, !wanted(g.expandScalesOut) || g.expandScalesOut.shape() == Dims{count},
               "%s has shape %s beside %lld rows", g.expandScalesOut.name(),
               g.expandScalesOut.shape().text().c_str(), ll(count));
  if (!rows.meta().is_contiguous()) fail_not_simulated(plan, "an expandXOut with gaps");
  if (!scales.empty() && !g.dynamicScalesOut.meta().is_contiguous())
    fail_not_simulated(plan, "a dynamicScalesOut with gaps");
  const bool weighs = given(g.expertScalesOptional) && wanted(g.expandScalesOut);
  // On the Ascend950, the first phase leaves them out.
  const View times = on_950() ? View() : times_of(plan, w, g.performanceInfoOptional);
  const SentRows sent = sent_rows_of(plan, g, scales);
  plan.launch(Dispatch{
      ranks, pair, homes, g.expertTokenNumsType, by_place, sent, plan.reads(g.expertIds),
      read_or_none(plan, g.xActiveMaskOptional), read_or_none(plan, g.expertScalesOptional),
      plan.writes(rows), scales.empty() ? View() : plan.writes(g.dynamicScalesOut),
      plan.writes(g.assistInfoForCombineOut), plan.writes(g.expertTokenNumsOut),
      plan.writes(g.epRecvCountsOut), weighs ? written_or_none(plan, g.expandScalesOut) : View(),
      w.in_pairs() ? plan.writes(g.tpRecvCountsOut) : View(), times, w.rank_tp});
}

void moe_distribute_combine(const Check& check, Plan& plan,
                            const MoeDistributeCombineV4Parameters& g) {
  check.not_null(g.xOut);
  const Combination c = check_combination(check, plan, g);
  if (given(g.performanceInfoOptional))
    check.dtype_in(DtypeSet{ACL_INT64}, g.performanceInfoOptional);
  check.same_dtype(c.rows, g.xOut);
  check_tiling(plan,
               c.experts.rank() == 2 && c.rows.rank() == 2 &&
                   g.xOut.shape() == (Dims{c.experts.shape()[0], c.rows.shape()[1]}),
               "%s has shape %s", g.xOut.name(), g.xOut.shape().text().c_str());
  if (!g.xOut.meta().is_contiguous()) fail_not_simulated(plan, "an xOut with gaps");
  plan.writes(g.xOut);
  plan_combination(plan, c, &g.performanceInfoOptional, g.xOut);
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
