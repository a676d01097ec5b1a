// Tokens that came rank by rank, put in the order of their experts.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/packed_operand.hpp"
#include "opapi/moe/checks.hpp"
#include "opapi/quant/rows.hpp"
#include "parameters/MoeReRouting.hpp"

namespace pyaclnn::sim {
namespace {

using Numbers = std::vector<std::int64_t>;

/// Rows on their way: every type that a token has is exact in float32.
struct Rows {
  PackedOperand from, to;
  QuantIn halves;  // of a byte each
  QuantOut to_halves;
  std::int64_t width = 0;

  Rows() = default;
  Rows(Plan& plan, const TensorArgument& in, const TensorArgument& out) {
    const NarrowFormat* const format = NarrowFormat::of(in.dtype());
    if (format == nullptr || format->bits() != 4) {
      from = reads_packed(plan, in);
      to = writes_packed(plan, out);
      return;
    }
    width = in.shape().back();
    if (width % 2 != 0) fail_not_simulated(plan, "rows of float4 that end within a byte");
    halves = QuantIn(plan, in, false);
    to_halves = QuantOut(plan, out);
  }

  void move(const KernelMemory& memory, const Numbers& sources, std::int64_t rows) const {
    for (std::size_t row = 0; row < sources.size() && to_halves.given(); ++row) {
      std::vector<float> line = halves.values(memory, sources[row] * width, width);
      to_halves.write(memory, std::int64_t(row) * width, width, line.data(), Round::kRint);
    }
    if (from.size() == 0) return;
    const std::vector<float> in = from.read(memory);
    std::vector<float> out = to.read(memory);
    const std::int64_t length = from.size() / rows;
    for (std::size_t row = 0; row < sources.size(); ++row)
      std::copy_n(in.begin() + sources[row] * length, length,
                  out.begin() + std::int64_t(row) * length);
    to.write(memory, out);
  }
};

/// Where each row comes from. Counts are any numbers: rows that there are none of do not count.
Numbers sources_of(const Numbers& counts, std::int64_t ranks, std::int64_t experts,
                   std::int64_t tokens) {
  Numbers starts(counts.size());
  std::int64_t next = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    starts[i] = next;
    next += std::clamp<std::int64_t>(counts[i], 0, tokens - next);
  }
  Numbers sources;
  for (std::int64_t expert = 0; expert < experts; ++expert)
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      const auto place = static_cast<std::size_t>(rank * experts + expert);
      const std::int64_t end = place + 1 < starts.size() ? starts[place + 1] : next;
      for (std::int64_t row = starts[place]; row < end; ++row) sources.push_back(row);
    }
  return sources;
}

}  // namespace

void moe_re_routing(const Check&, Plan& plan, const MoeReRoutingParameters& given) {
  const TensorArgument& tokens = given.tokens;
  const TensorArgument& counts = given.expertTokenNumPerRank;
  check_tiling(plan, tokens.rank() == 2 && counts.rank() == 2,
               "tokens and expertTokenNumPerRank have %zu and %zu dimensions, they must have 2",
               tokens.rank(), counts.rank());
  const std::int64_t rows = tokens.shape()[0];
  const std::int64_t ranks = counts.shape()[0];
  const std::int64_t experts = counts.shape()[1];
  check_tiling(plan, on_950() || tokens.shape()[1] <= 16384,
               "a token has %lld elements, it may have 16384",
               static_cast<long long>(tokens.shape()[1]));
  check_tiling(plan, given.expertTokenNumType == 1, "expertTokenNumType is %lld, it must be 1",
               static_cast<long long>(given.expertTokenNumType));
  check_tiling(plan, given.idxType == 0 || (on_950() && given.idxType == 1),
               "idxType is %lld, it must be 0%s", static_cast<long long>(given.idxType),
               on_950() ? " or 1" : "");
  check_tiling(plan, tokens.shape()[1] > 0 && ranks > 0 && experts > 0,
               "tokens and expertTokenNumPerRank have shapes %s and %s",
               tokens.shape().text().c_str(), counts.shape().text().c_str());
  check_extents(plan, &given.permuteTokensOut, tokens.shape());
  check_extents(plan, &given.permuteTokenIdxOut, Dims{rows});
  check_extents(plan, &given.expertTokenNumOut, Dims{experts});
  const Rows moved(plan, tokens, given.permuteTokensOut);
  Rows scales;
  if (given.perTokenScalesOptional.given()) {
    const Dims& shape = given.perTokenScalesOptional.shape();
    check_tiling(plan, !shape.empty() && shape[0] == rows,
                 "perTokenScalesOptional has shape %s, tokens %s", shape.text().c_str(),
                 tokens.shape().text().c_str());
    check_extents(plan, &given.permutePerTokenScalesOut, shape);
    scales = Rows(plan, given.perTokenScalesOptional, given.permutePerTokenScalesOut);
  }
  const PackedOperand in = reads_packed(plan, counts);
  const PackedOperand places = writes_packed(plan, given.permuteTokenIdxOut);
  const PackedOperand sums = writes_packed(plan, given.expertTokenNumOut);
  const bool scatters = given.idxType == 1;
  plan.launch([=](const KernelMemory& memory) {
    const Numbers each = in.read<std::int64_t>(memory);
    Numbers sources = sources_of(each, ranks, experts, rows);
    moved.move(memory, sources, rows);
    scales.move(memory, sources, rows);
    sources.resize(static_cast<std::size_t>(rows));
    Numbers indices = sources;
    if (scatters)
      for (std::size_t row = 0; row < sources.size(); ++row)
        indices[std::size_t(sources[row])] = std::int64_t(row);
    places.write(memory, indices);
    Numbers totals(static_cast<std::size_t>(experts));
    for (std::size_t i = 0; i < each.size(); ++i)
      totals[i % totals.size()] =
          std::int64_t(std::uint64_t(totals[i % totals.size()]) + std::uint64_t(each[i]));
    sums.write(memory, totals);
  });
}

}  // namespace pyaclnn::sim
