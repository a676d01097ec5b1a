// Tokens on their way to experts on other ranks: MoeDistributeDispatch.
//
// The rows of a rank lie by expert, then by the rank they come from, then by token. Experts that
// are shared are those of the first ranks, one on each; all tokens go there, to one rank of each.
// SPDX-License-Identifier: MIT
#include <algorithm>
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
#include "opapi/collective/expert_world.hpp"
#include "opapi/collective/experts.hpp"
#include "opapi/collective/sent_rows.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/numbers.hpp"
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

std::size_t at(std::int64_t value) { return static_cast<std::size_t>(value); }

/// Parts of these, by rank; `count` says how many each has.
template <class Count>
std::vector<Parcel> parts_of(Counts& from, std::int64_t ranks, Count count) {
  std::vector<Parcel> result;
  std::size_t begin = 0;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const std::size_t length = at(count(rank));
    result.push_back({from.data() + begin, length * sizeof from[0]});
    begin += length;
  }
  return result;
}

/// What goes with a row.
struct Label {
  float weight = 0;
  std::int32_t rank = 0;
  std::int32_t place = 0;
};

struct Dispatch {
  Ranks ranks, pair;
  Homes all;
  std::int64_t numbering;
  bool by_place;  // the first version's index, a number for each place
  SentRows sent_rows;
  View ids, mask, weights, elastic;
  View rows, scales, index, numbers, received, row_weights, received_of_pair, times;
  std::int64_t rank_of_pair;

  void operator()(const KernelMemory& memory) const {
    Exchange& with = *memory.exchanges[ranks.place];
    const Party party = party_of(memory, all, elastic);
    const Homes& homes = party.homes;
    const Sending sending(memory, ids, mask, homes);
    std::vector<Bytes> out = packed(memory, sending, homes);
    const std::int64_t local = homes.here();
    Counts sent(at(homes.all()));            // [rank][expert of that rank]
    Counts counts(at(homes.ranks * local));  // [rank][expert here]
    for (std::size_t e = 0; e < sent.size(); ++e) sent[e] = std::int32_t(sending.places[e].size());
    const Waiting waiting;
    party.move(with, parts_of(sent, homes.ranks, [&](std::int64_t rank) { return homes.of(rank); }),
               parts_of(counts, homes.ranks, [&](std::int64_t) { return local; }));
    const std::size_t each = sent_rows.all() + sizeof(Label);
    std::vector<Bytes> in(at(homes.ranks));
    std::int64_t total = 0;
    for (std::size_t peer = 0; peer < in.size(); ++peer) {
      const auto* begin = counts.data() + peer * at(local);
      if (std::any_of(begin, begin + local, [](std::int32_t n) { return n < 0; }))
        fail(kRtAicoreException, "rank %d sends less than nothing", party.members[peer]);
      const auto rows_in = std::accumulate(begin, begin + local, std::int64_t(0));
      in[peer].resize(at(rows_in) * each);
      total += rows_in;
    }
    // Before anything is written: what does not fit is an error here, and so on all ranks.
    if (total > rows.shape[0])
      fail(kRtAicoreException, "%lld rows arrive, expandX has room for %lld", ll(total),
           ll(rows.shape[0]));
    party.move(with, parcels(out), parcels(in));
    waiting.write(memory, times, party);
    const Counts ends = place(memory, sending.columns, homes, counts, in);
    if (pair.count > 0) gather(memory, ends);
    if (by_place) write_numbers(memory, index, sending.earlier(ids.shape[1]));
  }

  std::vector<Bytes> packed(const KernelMemory& memory, const Sending& sending,
                            const Homes& homes) const {
    const std::int64_t chosen = ids.shape[1];
    const std::vector<float> factors = is_there(sent_rows.factors)
                                           ? numbers_of<float>(memory, sent_rows.factors)
                                           : std::vector<float>();
    const std::vector<float> weight =
        is_there(weights) ? numbers_of<float>(memory, weights) : std::vector<float>();
    const std::size_t row_bytes = sent_rows.all();
    std::vector<Bytes> out(at(homes.ranks));
    for (std::int64_t e = 0; e < homes.all(); ++e) {
      Bytes& to = out[at(homes.home(e))];
      const std::int64_t factors_of =
          e < homes.shared_ranks ? e / homes.copies() : e - homes.shared_ranks + homes.shared;
      for (const std::int32_t place : sending.places[at(e)]) {
        const std::int64_t token = place / sending.columns, column = place % sending.columns;
        Label label{0, std::int32_t(homes.rank), place};
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
  Counts place(const KernelMemory& memory, std::int64_t columns, const Homes& homes,
               const Counts& counts, const std::vector<Bytes>& in) const {
    const std::int64_t local = homes.here();
    std::vector<float> weight;
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
      if (homes.parted && homes.is_shared()) {
        for (std::int64_t part = 0; part < homes.shared_ranks; ++part)
          ends[at(part)] = std::int32_t(homes.before(part + 1, ids.shape[0]));
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
void check_sent_types(const Check& check, Plan& plan, const ExpertWorld& w,
                      const MoeDistributeDispatchV4Parameters& g) {
  const std::int64_t mode = g.quantMode;
  const aclDataType x = g.x.dtype(), out = g.expandXOut.dtype();
  if (!w.takes_narrow()) {
    check_tiling(plan, mode == kNoQuant || mode == kByRow, "quantMode is %lld, it must be 0 or 2",
                 ll(mode));
    check.dtype_in(DtypeSet{mode == kByRow ? ACL_INT8 : x}, g.expandXOut);
    if (mode == kByRow) check.dtype_in(DtypeSet{ACL_FLOAT}, g.dynamicScalesOut);
    return;
  }
  check_tiling(plan, mode >= kNoQuant && mode <= kMx, "quantMode is %lld", ll(mode));
  check_tiling(plan, mode == kNoQuant || kHalves.contains(x),
               "x has dtype %s beside quantMode %lld", dtype_name(x), ll(mode));
  check.dtype_in(mode == kNoQuant && !kHalves.contains(x) ? DtypeSet{x} : kSent950, g.expandXOut);
  check_tiling(plan, gives(mode, x, out), "expandX has dtype %s beside quantMode %lld",
               dtype_name(out), ll(mode));
  const TensorArgument& scales = g.scalesOptional;
  const bool own = mode == kNoQuant && !kHalves.contains(x);
  check_tiling(plan, scales.given() || !(own || mode == kStatic), "scales go with quantMode %lld",
               ll(mode));
  check_tiling(plan, !scales.given() || own || (mode != kNoQuant && mode != kMx),
               "scales do not go with quantMode %lld", ll(mode));
  if (scales.given()) {
    const bool exponents = own && x != ACL_HIFLOAT8;
    check_tiling(plan,
                 kFloats4.contains(x) ? scales.dtype() == ACL_FLOAT8_E8M0
                                      : exponents || scales.dtype() == ACL_FLOAT,
                 "scales has dtype %s", dtype_name(scales.dtype()));
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
  if (!scales.given()) return;
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
      return {rows, pieces(width, kQuantGroup)};
    default:
      return {rows, 2 * mx_pairs(width)};
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
  if (!g.scalesOptional.given()) return sent;
  const View given_scales = plan.reads(without_gaps(plan, g.scalesOptional));
  (g.quantMode == kNoQuant ? sent.own_scales : sent.factors) = given_scales;
  return sent;
}

}  // namespace

void moe_distribute_dispatch(const Check& check, Plan& plan,
                             const MoeDistributeDispatchV4Parameters& g) {
  check.not_null(g.x, g.expertIds, g.expandXOut, g.assistInfoForCombineOut, g.expertTokenNumsOut,
                 g.tpRecvCountsOut, g.epRecvCountsOut);
  const ExpertWorld w = world_of(g);
  check_names(check, w, false);
  if (g.quantMode == 2) check.not_null(g.dynamicScalesOut);
  check.dtype_in(w.takes_narrow() ? kTokens950 : kHalves, g.x);
  check.dtype_in(DtypeSet{ACL_INT32}, g.expertIds, g.assistInfoForCombineOut, g.epRecvCountsOut,
                 g.tpRecvCountsOut);
  check.dtype_in(DtypeSet{ACL_INT64}, g.expertTokenNumsOut);
  if (g.xActiveMaskOptional.given()) check.dtype_in(DtypeSet{ACL_BOOL}, g.xActiveMaskOptional);
  if (g.scalesOptional.given())
    check.dtype_in(w.takes_narrow() ? kScales950 : DtypeSet{ACL_FLOAT}, g.scalesOptional);
  if (g.expertScalesOptional.given()) check.dtype_in(DtypeSet{ACL_FLOAT}, g.expertScalesOptional);
  if (w.elastic.given()) check.dtype_in(DtypeSet{ACL_INT32}, w.elastic);
  if (g.performanceInfoOptional.given())
    check.dtype_in(DtypeSet{ACL_INT64}, g.performanceInfoOptional);
  check_sent_types(check, plan, w, g);
  const Ranks ranks = check_world(plan, w, g.x, g.expertIds);
  const Homes homes = w.homes();
  const Dims& experts = g.expertIds.shape();
  const std::int64_t width = g.x.shape()[1];
  const std::string& algorithm = w.algorithm.text;
  check_tiling(plan, chip().soc == Soc::kAscend910B || algorithm != "fullmesh",
               "commAlg is \"%s\", it must be \"fullmesh_v1\" or \"fullmesh_v2\"",
               algorithm.c_str());
  if (algorithm == "fullmesh_v2")
    check_tiling(plan, experts[0] <= (on_950() ? 512 : 256) && experts[1] <= 12,
                 "expertIds has shape %s beside commAlg fullmesh_v2", experts.text().c_str());
  check_tiling(plan, g.x.shape()[0] == experts[0], "x and expertIds have other rows");
  check_by_server(plan, w, g.xActiveMaskOptional, g.expertScalesOptional, g.expandScalesOut);
  if (w.by_server && g.scalesOptional.given())
    fail_not_simulated(plan, "scales beside commAlg hierarchy");
  check_mask(plan, w, g.xActiveMaskOptional, experts);
  check_factors(plan, homes, g);
  if (g.expertScalesOptional.given())
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
  check_tiling(plan, !kFloats4.contains(rows.dtype()) || width % 2 == 0,
               "expandXOut has rows of %lld numbers of half a byte", ll(width));
  for (const TensorArgument* halves : {&g.x, &rows})
    if (is_half_byte(halves->dtype()) &&
        (!halves->meta().is_contiguous() || halves->meta().offset % 2 != 0))
      fail_not_simulated(plan, "rows of 4 bit floats with gaps");
  const std::int64_t count = rows.shape()[0];
  const bool by_place = w.is_first();
  const TensorArgument& index = g.assistInfoForCombineOut;
  check_tiling(plan,
               by_place ? index.shape() == Dims{experts.product()}
                        : index.rank() == 1 && index.elements() >= most * kAssist,
               "%s has shape %s", index.name(), index.shape().text().c_str());
  check_tiling(plan, g.expertTokenNumsOut.shape() == Dims{w.most_here()}, "%s has shape %s",
               g.expertTokenNumsOut.name(), g.expertTokenNumsOut.shape().text().c_str());
  check_tiling(
      plan, g.epRecvCountsOut.rank() == 1 && g.epRecvCountsOut.elements() >= w.count_room(experts),
      "%s has shape %s", g.epRecvCountsOut.name(), g.epRecvCountsOut.shape().text().c_str());
  const Dims scales = scales_of_rows(g, w.pair() * most);
  const Dims& of_rows = g.dynamicScalesOut.shape();
  if (!scales.empty())
    check_tiling(plan,
                 of_rows.size() == scales.size() && of_rows[0] >= scales[0] &&
                     (scales.size() == 1 || of_rows[1] == scales[1]),
                 "%s has shape %s, it must be %s", g.dynamicScalesOut.name(),
                 of_rows.text().c_str(), scales.text().c_str());
  check_tiling(plan, !wanted(g.expandScalesOut) || g.expandScalesOut.shape() == Dims{count},
               "%s has shape %s beside %lld rows", g.expandScalesOut.name(),
               g.expandScalesOut.shape().text().c_str(), ll(count));
  check_windows(plan, w, experts, width, algorithm == "fullmesh_v2");
  const bool weighs = g.expertScalesOptional.given() && wanted(g.expandScalesOut);
  // On the Ascend950, the first phase leaves them out.
  const View times = on_950() ? View() : times_of(plan, w, g.performanceInfoOptional);
  const SentRows sent = sent_rows_of(plan, g, scales);
  const TensorArgument landed = without_gaps(plan, rows);
  const TensorArgument landed_scales =
      scales.empty() ? TensorArgument(Absent()) : without_gaps(plan, g.dynamicScalesOut);
  plan.launch(Dispatch{ranks, pair, homes, g.expertTokenNumsType, by_place, sent,
                       plan.reads(g.expertIds), read_or_none(plan, g.xActiveMaskOptional),
                       read_or_none(plan, g.expertScalesOptional), read_or_none(plan, w.elastic),
                       plan.writes(landed), scales.empty() ? View() : plan.writes(landed_scales),
                       plan.writes(g.assistInfoForCombineOut), plan.writes(g.expertTokenNumsOut),
                       plan.writes(g.epRecvCountsOut),
                       weighs ? plan.writes(g.expandScalesOut) : View(),
                       w.in_pairs() ? plan.writes(g.tpRecvCountsOut) : View(), times, w.rank_tp});
  land(plan, landed, rows);
  if (!scales.empty()) land(plan, landed_scales, g.dynamicScalesOut);
}

}  // namespace pyaclnn::sim
