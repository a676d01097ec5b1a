// The state of decoding sequences, moved on by a step.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <vector>

#include "core/checked.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "parameters/AdvanceStepV2.hpp"

namespace pyaclnn::sim {
namespace {

void put(const View& view, const KernelMemory& memory, const std::vector<std::int64_t>& values) {
  const BatchedView all(view, view.shape.size());
  all.store(storer<std::int64_t>(ACL_INT64, Rounding::kTruncate), values.data(),
            sizeof(std::int64_t), all.base(memory));
}

struct Steps {
  View tokens;
  View sampled;
  View positions;
  View lengths;
  View slots;
  View tables;
  View proposed;
  View accepted;
  std::int64_t sequences;
  std::int64_t queries;
  std::int64_t block;
  std::int64_t each;  // tokens of a sequence
  /// The kernel of a step without speculation serves as many queries as there are vector cores, and
  /// marks each so many-th sequence without one.
  std::int64_t cores;
};

std::int64_t at(const std::vector<std::int64_t>& values, std::int64_t index) {
  return index < 0 || index >= std::int64_t(values.size()) ? 0 : values[std::size_t(index)];
}

void run_single(const Steps& of, const KernelMemory& memory) {
  std::vector<std::int64_t> tokens = integers_of(of.tokens, memory);
  std::vector<std::int64_t> positions = integers_of(of.positions, memory);
  std::vector<std::int64_t> lengths = integers_of(of.lengths, memory);
  std::vector<std::int64_t> slots = integers_of(of.slots, memory);
  const std::vector<std::int64_t> sampled = integers_of(of.sampled, memory);
  const std::vector<std::int64_t> tables = integers_of(of.tables, memory);
  const std::int64_t columns = of.tables.shape[1];
  for (std::int64_t i = of.queries; i < of.sequences; i += of.cores) {
    tokens[std::size_t(i)] = 0;
    positions[std::size_t(i)] = 0;
    slots[std::size_t(i)] = -1;
  }
  for (std::int64_t i = 0; i < of.queries && i < of.cores; ++i) {
    const auto k = static_cast<std::size_t>(i);
    tokens[k] = sampled[k];
    const std::int64_t position = lengths[k];
    lengths[k] = std::int64_t(std::uint64_t(position) + 1);
    positions[k] = position;
    // The block of the first row, whatever the sequence: what the document's formula says.
    const std::uint64_t page =
        std::uint64_t(at(tables, position / of.block)) + std::uint64_t(columns) * std::uint64_t(i);
    slots[k] = std::int64_t(page * std::uint64_t(of.block) + std::uint64_t(position % of.block));
  }
  put(of.tokens, memory, tokens);
  put(of.positions, memory, positions);
  put(of.lengths, memory, lengths);
  put(of.slots, memory, slots);
}

void run_speculative(const Steps& of, const KernelMemory& memory) {
  std::vector<std::int64_t> tokens = integers_of(of.tokens, memory);
  std::vector<std::int64_t> positions = integers_of(of.positions, memory);
  std::vector<std::int64_t> lengths = positions;
  std::vector<std::int64_t> slots = positions;
  const std::vector<std::int64_t> sampled = integers_of(of.sampled, memory);
  const std::vector<std::int64_t> tables = integers_of(of.tables, memory);
  const std::vector<std::int64_t> proposed = integers_of(of.proposed, memory);
  const std::vector<std::int64_t> accepted = integers_of(of.accepted, memory);
  const std::int64_t columns = of.tables.shape[1];
  for (std::int64_t i = 0; i < of.sequences; ++i) {
    // The last token before the first -1, or before the least where there is none.
    std::int64_t least = of.each;
    std::int64_t lowest = -1;
    for (std::int64_t k = of.each; k-- > 0;) {
      const std::int64_t token = sampled[std::size_t(i * of.each + k)];
      if (token <= lowest) {
        least = k;
        lowest = token;
      }
    }
    tokens[std::size_t(i * of.each)] = at(sampled, i * of.each + least - 1);
    for (std::int64_t k = 0; k < of.each; ++k) {
      const auto place = static_cast<std::size_t>(i * of.each + k);
      if (k > 0) tokens[place] = proposed[std::size_t(i * (of.each - 1) + k - 1)];
      // The kernel counts in int32.
      const auto position = static_cast<std::int32_t>(std::uint32_t(positions[place]) +
                                                      std::uint32_t(accepted[std::size_t(i)]) + 1U);
      positions[place] = position;
      lengths[place] = std::int32_t(std::uint32_t(position) + 1U);
      const auto block = static_cast<std::int32_t>(of.block);
      const std::int64_t page = at(tables, i * columns + position / block);
      slots[place] = std::int32_t(std::uint32_t(page) * std::uint32_t(block) +
                                  std::uint32_t(position % block));
    }
  }
  put(of.tokens, memory, tokens);
  put(of.positions, memory, positions);
  put(of.lengths, memory, lengths);
  put(of.slots, memory, slots);
}

}  // namespace

void advance_step(const Check& check, Plan& plan, const AdvanceStepV2Parameters& given) {
  needs_kernel(plan, on_a2_or_a3());
  const TensorArgument* state[] = {&given.inputTokens, &given.inputPositions, &given.seqLens,
                                   &given.slotMapping};
  check.dtype_in(DtypeSet{ACL_INT64}, given.inputTokens, given.sampledTokenIds,
                 given.inputPositions, given.seqLens, given.slotMapping, given.blockTables);
  for (std::int64_t number : {given.numSeqs, given.numQueries, given.blockSize})
    check_tiling(plan, number >= 1 && number < 200000000,
                 "numSeqs, numQueries and blockSize must be from 1 to 199999999, not %lld",
                 static_cast<long long>(number));
  const bool speculates = given.specToken.given() && given.acceptedNum.given();
  std::int64_t each = 1;
  if (speculates) {
    check.dtype_in(DtypeSet{ACL_INT64}, given.specToken, given.acceptedNum);
    check_tiling(plan,
                 given.specToken.rank() == 2 && given.specToken.shape()[0] == given.numSeqs &&
                     given.acceptedNum.shape() == Dims{given.numSeqs},
                 "specToken has shape %s, acceptedNum %s", given.specToken.shape().text().c_str(),
                 given.acceptedNum.shape().text().c_str());
    each = (Checked(each) + given.specToken.shape()[1]).saturated();
  } else {
    check_tiling(plan, given.numSeqs > given.numQueries,
                 "numSeqs is %lld, it must be more than numQueries, %lld",
                 static_cast<long long>(given.numSeqs), static_cast<long long>(given.numQueries));
  }
  const Dims flat{(Checked(given.numSeqs) * each).saturated()};
  for (const TensorArgument* tensor : state)
    check_tiling(plan, tensor->shape() == flat, "%s has shape %s, it must be %s", tensor->name(),
                 tensor->shape().text().c_str(), flat.text().c_str());
  const Dims sampled{speculates ? given.numSeqs : given.numQueries, each};
  check_tiling(plan, given.sampledTokenIds.shape() == sampled,
               "sampledTokenIds has shape %s, it must be %s",
               given.sampledTokenIds.shape().text().c_str(), sampled.text().c_str());
  check_tiling(plan,
               given.blockTables.rank() == 2 && given.blockTables.shape()[0] == given.numSeqs &&
                   !given.blockTables.is_empty(),
               "blockTables has shape %s, it must have %lld rows",
               given.blockTables.shape().text().c_str(), static_cast<long long>(given.numSeqs));
  Steps steps{};
  steps.tokens = plan.writes(given.inputTokens);
  steps.positions = plan.writes(given.inputPositions);
  steps.lengths = plan.writes(given.seqLens);
  steps.slots = plan.writes(given.slotMapping);
  steps.sampled = plan.reads(given.sampledTokenIds);
  steps.tables = plan.reads(given.blockTables);
  if (speculates) {
    steps.proposed = plan.reads(given.specToken);
    steps.accepted = plan.reads(given.acceptedNum);
  }
  steps.sequences = given.numSeqs;
  steps.queries = given.numQueries;
  steps.block = given.blockSize;
  steps.each = each;
  steps.cores = chip().vector_cores;
  plan.launch([=](const KernelMemory& memory) {
    speculates ? run_speculative(steps, memory) : run_single(steps, memory);
  });
}

}  // namespace pyaclnn::sim
