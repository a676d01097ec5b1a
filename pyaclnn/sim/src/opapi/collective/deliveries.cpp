// Tokens to experts on other ranks and back, each in two calls: Setup begins to send and waits for
// nobody, Teardown waits for what the others sent. Their results are those of
// MoeDistributeDispatch and Combine, to the bit.
//
// A message is what the sender goes by, then a number of rows for each expert of the receiver, then
// the rows. That of a rank to itself goes the same way.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/status.hpp"
#include "objects/communicators.hpp"
#include "objects/dtype.hpp"
#include "opapi/collective/exchange.hpp"
#include "opapi/collective/experts.hpp"
#include "opapi/collective/sent_rows.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/numbers.hpp"
#include "parameters/MoeDistributeCombineSetup.hpp"
#include "parameters/MoeDistributeCombineTeardown.hpp"
#include "parameters/MoeDistributeDispatchSetup.hpp"
#include "parameters/MoeDistributeDispatchTeardown.hpp"

namespace pyaclnn::sim {
namespace {

constexpr DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};
constexpr DtypeSet kSent{ACL_FLOAT16,       ACL_BF16,        ACL_INT8,
                         ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, ACL_HIFLOAT8};
constexpr std::int64_t kCommand = 16;  // numbers for each message that commCmdInfo describes

using Bytes = std::vector<unsigned char>;

std::size_t at(std::int64_t value) { return static_cast<std::size_t>(value); }
std::int64_t aligned(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// What all four calls are told of experts and ranks.
struct World {
  const Text& group;
  std::int64_t ranks, rank, experts, shard, shared, shared_ranks, batch, type;
  const Text& algorithm;

  std::int64_t local() const { return experts / ranks; }
};

template <class Parameters>
World world_of(const Parameters& g, std::int64_t shard) {
  return {g.groupEp,         g.epWorldSize,         g.epRankId, g.moeExpertNum, shard,
          g.sharedExpertNum, g.sharedExpertRankNum, g.globalBs, g.commType,     g.commAlg};
}

/// What only some of the calls refuse: other chips before anything else.
void check_chip(const Check& check) {
  check.that(on_950(), "there is none on this chip, only on the Ascend950");
}

void check_group_given(const Check& check, const Text& group) {
  check.that_given(group.given() && !group.text.empty(), "groupEp");
}

void check_group_length(const Check& check, const Text& group) {
  check.that(group.text.size() <= kLongestGroup, "groupEp has %zu characters, it may have 127",
             group.text.size());
}

void check_common(const Plan& plan, const World& w) {
  check_tiling(plan, w.rank >= 0 && w.rank < w.ranks, "epRankId is %lld of %lld", ll(w.rank),
               ll(w.ranks));
  check_tiling(plan, w.shard == 0, "expertShardType is %lld, it must be 0", ll(w.shard));
  check_tiling(plan, w.type == 2, "commType is %lld, it must be 2", ll(w.type));
  check_tiling(plan, !w.algorithm.given() || w.algorithm.text.empty(),
               "commAlg is \"%.32s\", it must be empty or null", w.algorithm.text.c_str());
}

void check_batch(const Plan& plan, const World& w, std::int64_t rows) {
  constexpr std::int64_t kMost = 512;
  check_tiling(plan, w.batch == 0 || (w.batch >= rows * w.ranks && w.batch <= kMost * w.ranks),
               "globalBs is %lld beside %lld rows on %lld ranks", ll(w.batch), ll(rows),
               ll(w.ranks));
}

/// Rows that a rank may get.
std::int64_t room(const World& w, const Dims& experts) {
  const std::int64_t all = w.batch == 0 ? experts[0] * w.ranks : w.batch;
  return all * std::min(w.local(), experts[1]);
}

/// Refuses what the memory has no room for that ranks exchange through, twice over for both ways.
void check_memory(const Plan& plan, const World& w, const Dims& experts, std::int64_t width) {
  constexpr std::int64_t kUnit = 512, kLabel = 44, kLine = 32;
  const std::int64_t most = w.batch == 0 ? experts[0] : w.batch / w.ranks;
  const std::int64_t row = aligned(aligned(2 * width, kLine) + kLabel, kUnit);
  const std::int64_t there = w.local() * most * w.ranks * row;
  const std::int64_t back = experts[1] * most * aligned(2 * width, kUnit);
  check_window(plan, 4 * std::uint64_t(there + back));
}

/// Where a sender's rows are, and how they are.
struct Terms {
  std::int64_t experts, width, type, quantised;

  bool operator==(const Terms& other) const {
    return experts == other.experts && width == other.width && type == other.type &&
           quantised == other.quantised;
  }
  std::string text() const {
    return std::to_string(experts) + " experts and rows of " + std::to_string(width) + " " +
           dtype_name(aclDataType(type)) + ", quantMode " + std::to_string(quantised);
  }
};

/// What a rank sends to another, in parts.
class Outgoing {
 public:
  Outgoing(const Terms& terms, std::int64_t ranks, const std::vector<std::int64_t>& counts)
      : messages_(at(ranks)) {
    const std::size_t local = counts.size() / at(ranks);
    for (std::size_t rank = 0; rank < messages_.size(); ++rank) {
      add(rank, &terms, sizeof terms);
      add(rank, counts.data() + rank * local, local * sizeof counts[0]);
    }
  }

  void add(std::size_t rank, const void* data, std::size_t bytes) {
    const auto* from = static_cast<const unsigned char*>(data);
    messages_[rank].insert(messages_[rank].end(), from, from + bytes);
  }

  void begin(Exchange& with, Delivered what) {
    std::vector<Parcel> parcels;
    for (Bytes& bytes : messages_) parcels.push_back({bytes.data(), bytes.size()});
    with.begin(what, parcels);
  }

 private:
  std::vector<Bytes> messages_;
};

/// What all ranks sent here, by rank.
class Incoming {
 public:
  /// 507015 where one does not go by the same as this rank.
  Incoming(Exchange& with, Delivered what, const Terms& terms, std::int64_t local,
           std::size_t row_bytes, std::int64_t most_rows)
      : local_(at(local)), row_bytes_(row_bytes) {
    const std::size_t head = sizeof terms + local_ * sizeof(std::int64_t);
    messages_ = with.end(what, head + at(most_rows) * row_bytes);
    for (std::size_t rank = 0; rank < messages_.size(); ++rank) {
      const Bytes& bytes = messages_[rank];
      Terms theirs{};
      if (bytes.size() >= sizeof theirs) std::memcpy(&theirs, bytes.data(), sizeof theirs);
      if (!(theirs == terms) || bytes.size() < head)
        fail(kRtAicoreException, "the Setup of rank %zu goes by %s, this Teardown by %s", rank,
             theirs.text().c_str(), terms.text().c_str());
      std::vector<std::int64_t> counts(local_);
      std::memcpy(counts.data(), bytes.data() + sizeof terms, head - sizeof terms);
      std::int64_t rows = 0;
      for (const std::int64_t count : counts) {
        if (count < 0 || count > most_rows - rows)
          fail(kRtAicoreException, "rank %zu sends %lld rows behind %lld, there is room for %lld",
               rank, ll(count), ll(rows), ll(most_rows));
        rows += count;
      }
      if (bytes.size() - head != at(rows) * row_bytes)
        fail(kRtAicoreException, "rank %zu sends %zu bytes for %lld rows", rank,
             bytes.size() - head, ll(rows));
      counts_.push_back(std::move(counts));
    }
  }

  std::size_t ranks() const { return messages_.size(); }
  std::int64_t count(std::size_t rank, std::size_t expert) const { return counts_[rank][expert]; }
  /// The first row of a rank; those of an expert follow on those of the one before.
  const unsigned char* rows(std::size_t rank) const {
    return messages_[rank].data() + sizeof(Terms) + local_ * sizeof(std::int64_t);
  }

 private:
  const std::size_t local_, row_bytes_;
  std::vector<Bytes> messages_;
  std::vector<std::vector<std::int64_t>> counts_;
};

/// How a row goes: numbers, and where in a row of y their scales begin.
struct RowLayout {
  std::size_t bytes = 0;       // of the numbers
  std::size_t scales = 0;      // of their scales
  std::int64_t scales_at = 0;  // in bytes
  std::int64_t length = 0;     // of a row of y, in elements

  RowLayout(std::int64_t mode, std::int64_t width, aclDataType dtype)
      : bytes(at(width) * dtype_size(dtype)) {
    constexpr std::int64_t kLine = 32, kHalfUnit = 256, kUnit = 512;
    if (mode == kNoQuant) {
      length = aligned(width, kHalfUnit);
    } else if (mode == kStatic) {
      length = aligned(width, kUnit);
    } else if (mode == kByGroup) {
      const std::int64_t groups = pieces(width, kQuantGroup);
      scales = at(groups) * sizeof(float);
      scales_at = aligned(width, kQuantGroup);
      length = aligned(scales_at + groups, kUnit);
    } else if (mode == kByRow) {
      scales = sizeof(float);
      scales_at = aligned(width, kLine);
      length = aligned(scales_at + std::int64_t(scales), kUnit);
    } else {
      scales = at(aligned((width + kMxBlock - 1) / kMxBlock, 2));
      scales_at = aligned(width, kHalfUnit);
      length = aligned(scales_at + std::int64_t(scales), kUnit);
    }
  }

  std::size_t all() const { return bytes + scales; }
  /// Where groups share scales, CANN asks for a byte for each, in which those of few widths have
  /// no room.
  bool has_room() const { return scales == 0 || scales_at + std::int64_t(scales) <= length; }
};

struct DispatchSetup {
  Ranks ranks;
  Terms terms;
  RowLayout layout;
  SentRows sent_rows;
  View ids, mask, y, index;

  void operator()(const KernelMemory& memory) const {
    Exchange& with = *memory.exchanges[ranks.place];
    const Sending sending(memory, ids, mask, {ranks.count, 0, terms.experts});
    std::vector<std::int64_t> counts;
    for (const auto& places : sending.places) counts.push_back(std::int64_t(places.size()));
    Outgoing out(terms, ranks.count, counts);
    const std::size_t local = counts.size() / at(ranks.count);
    const std::vector<float> factors = is_there(sent_rows.factors)
                                           ? numbers_of<float>(memory, sent_rows.factors)
                                           : std::vector<float>();
    Bytes row(layout.all());
    std::int64_t next = 0;
    for (std::size_t e = 0; e < counts.size(); ++e) {
      for (const std::int32_t place : sending.places[e]) {
        sent_rows.make(memory, place / ids.shape[1], factors, std::int64_t(e), row.data());
        std::byte* const to = row_of(memory, y, next++);
        std::memcpy(to, row.data(), layout.bytes);
        if (layout.scales > 0)
          std::memcpy(to + layout.scales_at, row.data() + layout.bytes, layout.scales);
        out.add(e / local, row.data(), row.size());
      }
    }
    write_numbers(memory, index, sending.earlier(ids.shape[1]));
    out.begin(with, Delivered::kTokens);
  }
};

struct DispatchTeardown {
  Ranks ranks;
  Terms terms;
  RowLayout layout;
  View rows, scales, assist, numbers;

  void operator()(const KernelMemory& memory) const {
    const std::int64_t local = terms.experts / ranks.count;
    const Incoming in(*memory.exchanges[ranks.place], Delivered::kTokens, terms, local,
                      layout.all(), rows.shape[0]);
    std::int64_t total = 0;
    for (std::size_t rank = 0; rank < in.ranks(); ++rank) {
      for (std::size_t e = 0; e < at(local); ++e) total += in.count(rank, e);
    }
    if (total > rows.shape[0])
      fail(kRtAicoreException, "%lld rows arrive, expandXOut has room for %lld", ll(total),
           ll(rows.shape[0]));
    std::vector<std::size_t> next(in.ranks(), 0);
    std::vector<std::int64_t> ends, of_experts;
    std::int64_t row = 0;
    for (std::size_t e = 0; e < at(local); ++e) {
      const std::int64_t before = row;
      for (std::size_t rank = 0; rank < in.ranks(); ++rank) {
        for (std::int64_t i = 0; i < in.count(rank, e); ++i, ++row) {
          const unsigned char* const from = in.rows(rank) + next[rank];
          next[rank] += layout.all();
          std::memcpy(row_of(memory, rows, row), from, layout.bytes);
          if (layout.scales > 0)
            std::memcpy(first_element(memory, scales, row * scale_numbers()), from + layout.bytes,
                        layout.scales);
        }
        ends.push_back(row);
      }
      of_experts.push_back(row - before);
    }
    write_numbers(memory, assist, ends);
    write_numbers(memory, numbers, of_experts);
  }

  std::int64_t scale_numbers() const {
    return std::int64_t(layout.scales / dtype_size(scales.dtype));
  }
};

struct CombineSetup {
  Ranks ranks;
  Terms terms;
  View rows, assist;

  void operator()(const KernelMemory& memory) const {
    const auto ends = numbers_of<std::int64_t>(memory, assist);
    const std::size_t count = at(ranks.count), local = at(terms.experts) / count;
    const std::size_t each = at(terms.width) * dtype_size(rows.dtype);
    std::vector<std::int64_t> counts(count * local);
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (ends[i] < begin || ends[i] > rows.shape[0])
        fail(kRtAicoreException, "assistInfoForCombine has %lld behind %lld, of %lld rows",
             ll(ends[i]), ll(begin), ll(rows.shape[0]));
      counts[i % count * local + i / count] = ends[i] - begin;
      begin = ends[i];
    }
    Outgoing out(terms, ranks.count, counts);
    begin = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (ends[i] > begin)
        out.add(i % count, row_of(memory, rows, begin), at(ends[i] - begin) * each);
      begin = ends[i];
    }
    out.begin(*memory.exchanges[ranks.place], Delivered::kResults);
  }
};

struct CombineTeardown {
  Ranks ranks;
  Terms terms;
  std::int64_t most;  // rows of a rank
  View ids, index, weights, mask, shared, out;

  void operator()(const KernelMemory& memory) const {
    const std::size_t local = at(terms.experts / ranks.count);
    const std::size_t each = at(terms.width) * dtype_size(aclDataType(terms.type));
    const Incoming in(*memory.exchanges[ranks.place], Delivered::kResults, terms,
                      std::int64_t(local), each, most);
    std::vector<const unsigned char*> first;
    for (std::size_t rank = 0; rank < in.ranks(); ++rank) {
      const unsigned char* row = in.rows(rank);
      for (std::size_t e = 0; e < local; ++e) {
        first.push_back(row);
        row += at(in.count(rank, e)) * each;
      }
    }
    const auto behind = numbers_of<std::int64_t>(memory, index);
    const Sending sending(memory, ids, mask, {ranks.count, 0, terms.experts});
    const auto dtype = aclDataType(terms.type);
    std::vector<ExpertRow> found(behind.size());
    for (std::size_t e = 0; e < sending.places.size(); ++e) {
      const std::int64_t count = in.count(e / local, e % local);
      for (const std::int32_t place : sending.places[e]) {
        const std::int64_t row = behind[at(place)];
        if (row < 0 || row >= count)
          fail(kRtAicoreException, "expandIdx has %lld, of expert %zu come %lld rows", ll(row), e,
               ll(count));
        found[at(place)] = {first[e] + at(row) * each, dtype};
      }
    }
    WeightedSum{ids.shape[1], weights, shared, out}(memory, sending, found);
  }
};

/// Refusals of both calls on the way to the experts, behind those of types.
Ranks check_dispatch(Plan& plan, const World& w, std::int64_t mode, const TensorArgument& x,
                     const TensorArgument& experts, const TensorArgument& y,
                     const TensorArgument& commands) {
  constexpr std::int64_t kMostRanks = 384, kMostExperts = 512, kMostShared = 4, kMostRows = 512;
  constexpr std::int64_t kLeastWidth = 1024, kMostWidth = 8192;
  check_tiling(plan, w.ranks >= 2 && w.ranks <= kMostRanks,
               "epWorldSize is %lld, it must be 2 to 384", ll(w.ranks));
  check_tiling(plan, w.experts > 0 && w.experts <= kMostExperts,
               "moeExpertNum is %lld, it must be 1 to 512", ll(w.experts));
  check_common(plan, w);
  check_tiling(plan,
               w.shared >= 0 && w.shared <= kMostShared && w.shared_ranks >= 0 &&
                   w.shared_ranks <= w.ranks / 2,
               "sharedExpertNum is %lld, sharedExpertRankNum %lld", ll(w.shared),
               ll(w.shared_ranks));
  check_tiling(plan, mode >= kNoQuant && mode <= kMx, "quantMode is %lld, it must be 0 to 4",
               ll(mode));
  if (w.shared > 0 || w.shared_ranks > 0)
    fail_not_simulated(plan, "experts that are shared, which CANN documents as not there yet");
  check_tiling(plan, w.experts % w.ranks == 0, "moeExpertNum is %lld beside %lld ranks",
               ll(w.experts), ll(w.ranks));
  const aclDataType narrow = y.dtype();
  const bool fits = mode == kNoQuant  ? narrow == x.dtype()
                    : mode == kStatic ? narrow == ACL_INT8 || narrow == ACL_HIFLOAT8
                    : mode == kByRow  ? narrow != x.dtype() && narrow != ACL_HIFLOAT8
                                      : narrow == ACL_FLOAT8_E4M3FN || narrow == ACL_FLOAT8_E5M2;
  check_tiling(plan, fits, "%s does not go with quantMode %lld", y.name(), ll(mode));
  check_tiling(plan, x.rank() == 2 && experts.rank() == 2 && y.rank() == 2 && commands.rank() == 1,
               "x, expertIds and %s must be matrices, %s a line", y.name(), commands.name());
  const Dims& ids = experts.shape();
  const std::int64_t width = x.shape()[1];
  check_tiling(plan, x.shape()[0] == ids[0] && ids[0] > 0 && ids[0] <= kMostRows,
               "x has %lld rows, expertIds %lld", ll(x.shape()[0]), ll(ids[0]));
  check_tiling(plan, width >= kLeastWidth && width <= kMostWidth, "x has %lld columns", ll(width));
  check_tiling(plan, ids[1] > 0 && ids[1] <= kMostChosen && ids[1] <= w.experts,
               "expertIds has %lld columns", ll(ids[1]));
  check_batch(plan, w, ids[0]);
  const RowLayout layout(mode, width, narrow);
  if (!layout.has_room()) fail_not_simulated(plan, "scales of groups that their rows do not hold");
  const Dims sent{ids.product(), layout.length};
  check_tiling(plan, y.shape() == sent, "%s has shape %s, it must be %s", y.name(),
               y.shape().text().c_str(), sent.text().c_str());
  const Dims line{(ids.product() + w.ranks * w.local()) * kCommand};
  check_tiling(plan, commands.shape() == line, "%s has shape %s, it must be %s", commands.name(),
               commands.shape().text().c_str(), line.text().c_str());
  check_memory(plan, w, ids, width);
  return ranks_of(plan, w.group, {int(w.ranks)});
}

/// The same on the way back, for which this release has few sizes.
Ranks check_combine(Plan& plan, const World& w, std::int64_t mode, const TensorArgument& rows,
                    const TensorArgument& experts, const TensorArgument& narrow,
                    const TensorArgument& commands) {
  constexpr std::int64_t kExperts = 32;
  check_tiling(plan, w.ranks == 2 || w.ranks == 4 || w.ranks == 8,
               "epWorldSize is %lld, it must be 2, 4 or 8", ll(w.ranks));
  check_tiling(plan, w.experts == kExperts, "moeExpertNum is %lld, it must be 32", ll(w.experts));
  check_common(plan, w);
  check_tiling(plan, w.shared == 0 && w.shared_ranks == 0,
               "sharedExpertNum is %lld, sharedExpertRankNum %lld; both must be 0", ll(w.shared),
               ll(w.shared_ranks));
  check_tiling(plan, mode == 0, "commQuantMode is %lld, it must be 0", ll(mode));
  check_tiling(
      plan, rows.rank() == 2 && experts.rank() == 2 && narrow.rank() == 2 && commands.rank() == 1,
      "%s, expertIds and %s must be matrices, %s a line", rows.name(), narrow.name(),
      commands.name());
  const Dims& ids = experts.shape();
  const std::int64_t count = rows.shape()[0], width = rows.shape()[1];
  check_tiling(plan, ids[0] == 8 || ids[0] == 16 || ids[0] == 256,
               "expertIds has %lld rows, it must have 8, 16 or 256", ll(ids[0]));
  check_tiling(plan, width == 4096 || width == 7168,
               "%s has %lld columns, it must have 4096 or 7168", rows.name(), ll(width));
  check_tiling(plan, ids[1] == 6 || ids[1] == 8, "expertIds has %lld columns, it must have 6 or 8",
               ll(ids[1]));
  check_batch(plan, w, ids[0]);
  check_tiling(plan, count >= room(w, ids), "%s has %lld rows, of %lld", rows.name(), ll(count),
               ll(room(w, ids)));
  constexpr std::int64_t kUnit = 512, kLine = 32, kGroup = 8;
  const std::int64_t scales = (width + kGroup - 1) / kGroup * std::int64_t(sizeof(float));
  const Dims sent{count, aligned(aligned(width, kLine) + scales, kUnit)};
  check_tiling(plan, narrow.shape() == sent, "%s has shape %s, it must be %s", narrow.name(),
               narrow.shape().text().c_str(), sent.text().c_str());
  const std::int64_t line = kCommand * (count + w.ranks);
  check_tiling(plan, commands.shape() == Dims{line}, "%s has shape %s, it must be [%lld]",
               commands.name(), commands.shape().text().c_str(), ll(line));
  check_memory(plan, w, ids, width);
  return ranks_of(plan, w.group, {int(w.ranks)});
}

}  // namespace

void moe_distribute_dispatch_setup(const Check& check, Plan& plan,
                                   const MoeDistributeDispatchSetupParameters& g) {
  check.not_null(g.x, g.expertIds, g.yOut, g.expandIdxOut, g.commCmdInfoOut);
  check_group_given(check, g.groupEp);
  check_group_length(check, g.groupEp);
  check.dtype_in(kHalves, g.x);
  check.dtype_in(DtypeSet{ACL_INT32}, g.expertIds, g.expandIdxOut, g.commCmdInfoOut);
  if (g.scalesOptional.given()) check.dtype_in(DtypeSet{ACL_FLOAT}, g.scalesOptional);
  if (g.xActiveMaskOptional.given()) check.dtype_in(DtypeSet{ACL_BOOL}, g.xActiveMaskOptional);
  check.dtype_in(kSent, g.yOut);
  check_kernel_exists(plan, on_950());
  const World w = world_of(g, g.expertShardType);
  const Ranks ranks =
      check_dispatch(plan, w, g.quantMode, g.x, g.expertIds, g.yOut, g.commCmdInfoOut);
  const std::int64_t rows = g.x.shape()[0], width = g.x.shape()[1];
  if (g.xActiveMaskOptional.given())
    check_tiling(plan, g.xActiveMaskOptional.shape() == Dims{rows}, "xActiveMask has shape %s",
                 g.xActiveMaskOptional.shape().text().c_str());
  check_tiling(plan, g.quantMode != kStatic || g.scalesOptional.given(),
               "scales is null beside quantMode 1");
  if (g.scalesOptional.given()) {
    const Dims& shape = g.scalesOptional.shape();
    const bool of_all = shape == Dims{1} || (g.yOut.dtype() == ACL_INT8 && shape == Dims{width});
    const bool of_each = g.yOut.dtype() != ACL_HIFLOAT8 && shape == Dims{w.experts, width};
    check_tiling(plan, of_each || (g.quantMode == kStatic && of_all), "scales has shape %s",
                 shape.text().c_str());
    check_tiling(plan, g.quantMode != kNoQuant && g.quantMode != kMx,
                 "scales go with quantMode 1 to 3");
  }
  check_tiling(plan, g.expandIdxOut.shape() == Dims{g.expertIds.elements()},
               "expandIdxOut has shape %s", g.expandIdxOut.shape().text().c_str());
  const TensorArgument x = without_gaps(plan, g.x);
  const aclDataType dtype = g.yOut.dtype();
  const RowLayout layout(g.quantMode, width, dtype);
  SentRows sent;
  sent.mode = g.quantMode;
  sent.dtype = dtype;
  sent.scale_bytes = layout.scales;
  if (g.quantMode == kMx) {
    const TensorArgument narrow = plan.scratch("narrow", dtype, g.x.shape());
    const TensorArgument shared =
        plan.scratch("scales", ACL_FLOAT8_E8M0, Dims{rows, std::int64_t(layout.scales)});
    quantise_mx(plan, x, narrow, shared);
    sent.mode = kNoQuant;
    sent.own_scales = plan.reads(shared);
    sent.x = plan.reads(narrow);
  } else {
    sent.x = plan.reads(x);
    sent.factors = read_or_none(plan, g.scalesOptional);
  }
  plan.writes(g.commCmdInfoOut);  // kernels of the Ascend950 leave it as it is
  const TensorArgument landed = without_gaps(plan, g.yOut);
  plan.launch(DispatchSetup{ranks,
                            {w.experts, width, dtype, g.quantMode},
                            layout,
                            sent,
                            plan.reads(g.expertIds),
                            read_or_none(plan, g.xActiveMaskOptional),
                            plan.writes(landed),
                            plan.writes(g.expandIdxOut)});
  land(plan, landed, g.yOut);
}

void moe_distribute_dispatch_teardown(const Check& check, Plan& plan,
                                      const MoeDistributeDispatchTeardownParameters& g) {
  check_chip(check);
  check.not_null(g.x, g.y, g.expertIds, g.commCmdInfo, g.expandXOut, g.dynamicScalesOut,
                 g.assistInfoForCombineOut, g.expertTokenNumsOut);
  check_group_given(check, g.groupEp);
  check.that_given(g.groupEp.text.size() <= kLongestGroup, "a name of at most 127 characters");
  check.dtype_in(kHalves, g.x);
  check.dtype_in(kSent, g.y);
  check.dtype_in(DtypeSet{ACL_INT32}, g.expertIds, g.commCmdInfo, g.assistInfoForCombineOut);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT8_E8M0}, g.dynamicScalesOut);
  check.dtype_in(DtypeSet{ACL_INT64}, g.expertTokenNumsOut);
  check.same_dtype(g.y, g.expandXOut);
  const World w = world_of(g, g.expertShardType);
  const std::int64_t mode = g.quantMode;
  const Ranks ranks = check_dispatch(plan, w, mode, g.x, g.expertIds, g.y, g.commCmdInfo);
  check_tiling(plan, g.expertTokenNumsType == 1, "expertTokenNumsType is %lld, it must be 1",
               ll(g.expertTokenNumsType));
  const std::int64_t count = room(w, g.expertIds.shape()), width = g.x.shape()[1];
  const RowLayout layout(mode, width, g.y.dtype());
  check_tiling(plan, g.expandXOut.shape() == (Dims{count, width}),
               "expandXOut has shape %s, it must have %lld rows of %lld",
               g.expandXOut.shape().text().c_str(), ll(count), ll(width));
  const bool scaled = layout.scales > 0;
  if (scaled) {
    Dims scales{count};
    if (mode == kMx) scales = Dims{count, std::int64_t(layout.scales)};
    if (mode == kByGroup) scales = Dims{count, pieces(width, kQuantGroup)};
    check_tiling(plan,
                 g.dynamicScalesOut.shape() == scales &&
                     g.dynamicScalesOut.dtype() == (mode == kMx ? ACL_FLOAT8_E8M0 : ACL_FLOAT),
                 "dynamicScalesOut has shape %s beside quantMode %lld, it must be %s",
                 g.dynamicScalesOut.shape().text().c_str(), ll(mode), scales.text().c_str());
  }
  check_tiling(plan, g.assistInfoForCombineOut.shape() == Dims{count * kAssist},
               "assistInfoForCombineOut has shape %s",
               g.assistInfoForCombineOut.shape().text().c_str());
  check_tiling(plan, g.expertTokenNumsOut.shape() == Dims{w.local()},
               "expertTokenNumsOut has shape %s", g.expertTokenNumsOut.shape().text().c_str());
  for (const TensorArgument* sent : {&g.y, &g.commCmdInfo}) plan.reads(*sent);
  const TensorArgument landed = without_gaps(plan, g.expandXOut);
  const TensorArgument landed_scales =
      scaled ? without_gaps(plan, g.dynamicScalesOut) : TensorArgument(Absent());
  plan.launch(DispatchTeardown{ranks,
                               {w.experts, width, g.y.dtype(), mode},
                               layout,
                               plan.writes(landed),
                               scaled ? plan.writes(landed_scales) : View(),
                               plan.writes(g.assistInfoForCombineOut),
                               plan.writes(g.expertTokenNumsOut)});
  land(plan, landed, g.expandXOut);
  if (scaled) land(plan, landed_scales, g.dynamicScalesOut);
}

void moe_distribute_combine_setup(const Check& check, Plan& plan,
                                  const MoeDistributeCombineSetupParameters& g) {
  check_chip(check);
  check.not_null(g.expandX, g.expertIds, g.assistInfoForCombine, g.quantExpandXOut,
                 g.commCmdInfoOut);
  check_group_given(check, g.groupEp);
  for (const TensorArgument* tensor :
       {&g.expandX, &g.expertIds, &g.assistInfoForCombine, &g.quantExpandXOut, &g.commCmdInfoOut})
    check.that(tensor->rank() > 0 && !tensor->is_empty(), "%s is empty", tensor->name());
  check_group_length(check, g.groupEp);
  check.dtype_in(kHalves, g.expandX);
  check.dtype_in(DtypeSet{ACL_INT32}, g.expertIds, g.assistInfoForCombine, g.commCmdInfoOut);
  check.dtype_in(DtypeSet{ACL_INT8}, g.quantExpandXOut);
  const World w = world_of(g, g.expertSharedType);
  const Ranks ranks = check_combine(plan, w, g.commQuantMode, g.expandX, g.expertIds,
                                    g.quantExpandXOut, g.commCmdInfoOut);
  const Dims& shape = g.expandX.shape();
  check_tiling(plan, g.assistInfoForCombine.shape() == Dims{shape[0] * kAssist},
               "assistInfoForCombine has shape %s beside %lld rows",
               g.assistInfoForCombine.shape().text().c_str(), ll(shape[0]));
  // Nothing is quantised on the way, so that kernels leave both as they are.
  for (const TensorArgument* idle : {&g.quantExpandXOut, &g.commCmdInfoOut}) plan.writes(*idle);
  plan.reads(g.expertIds);
  const TensorArgument rows = without_gaps(plan, g.expandX);
  plan.launch(CombineSetup{ranks,
                           {w.experts, shape[1], rows.dtype(), 0},
                           plan.reads(rows),
                           plan.reads(g.assistInfoForCombine)});
}

void moe_distribute_combine_teardown(const Check& check, Plan& plan,
                                     const MoeDistributeCombineTeardownParameters& g) {
  check_chip(check);
  check.not_null(g.expandX, g.quantExpandX, g.expertIds, g.expandIdx, g.expertScales, g.commCmdInfo,
                 g.xOut);
  check_group_given(check, g.groupEp);
  check_group_length(check, g.groupEp);
  check.dtype_in(kHalves, g.expandX);
  check.dtype_in(DtypeSet{ACL_INT8}, g.quantExpandX);
  check.dtype_in(DtypeSet{ACL_INT32}, g.expertIds, g.expandIdx, g.commCmdInfo);
  check.dtype_in(DtypeSet{ACL_FLOAT}, g.expertScales);
  const TensorArgument& mask = g.xActiveMaskOptional;
  const TensorArgument& shared = g.sharedExpertXOptional;
  if (mask.given()) check.dtype_in(DtypeSet{ACL_BOOL}, mask);
  if (shared.given()) check.same_dtype(g.expandX, shared);
  check.same_dtype(g.expandX, g.xOut);
  const World w = world_of(g, g.expertShardType);
  const Ranks ranks = check_combine(plan, w, g.commQuantMode, g.expandX, g.expertIds,
                                    g.quantExpandX, g.commCmdInfo);
  const Dims& ids = g.expertIds.shape();
  const std::int64_t width = g.expandX.shape()[1];
  const Dims shape{ids[0], width};
  check_tiling(plan, g.expandIdx.shape() == Dims{ids.product()}, "expandIdx has shape %s",
               g.expandIdx.shape().text().c_str());
  check_tiling(plan, g.expertScales.shape() == ids, "expertScales has shape %s, expertIds %s",
               g.expertScales.shape().text().c_str(), ids.text().c_str());
  check_tiling(plan, g.xOut.shape() == shape, "xOut has shape %s, it must be %s",
               g.xOut.shape().text().c_str(), shape.text().c_str());
  if (mask.given())
    check_tiling(plan, mask.shape() == Dims{ids[0]}, "xActiveMask has shape %s",
                 mask.shape().text().c_str());
  if (shared.given()) check_shared_rows(plan, shared, shape);
  for (const TensorArgument* sent : {&g.expandX, &g.quantExpandX, &g.commCmdInfo})
    plan.reads(*sent);
  View added;
  if (shared.given()) added = plan.reads(reshaped(plan, without_gaps(plan, shared), shape));
  const TensorArgument landed = without_gaps(plan, g.xOut);
  plan.launch(CombineTeardown{ranks,
                              {w.experts, width, g.expandX.dtype(), 0},
                              ids.product(),
                              plan.reads(g.expertIds),
                              plan.reads(g.expandIdx),
                              plan.reads(g.expertScales),
                              read_or_none(plan, mask),
                              added,
                              plan.writes(landed)});
  land(plan, landed, g.xOut);
}

}  // namespace pyaclnn::sim
