// SPDX-License-Identifier: MIT
#include "objects/read_first.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "check/undefined.hpp"
#include "objects/accesses.hpp"

namespace pyaclnn::sim {
namespace {

/// From the lowest byte that is written to behind the highest.
struct Span {
  std::uintptr_t begin = UINTPTR_MAX;
  std::uintptr_t end = 0;

  void add(const MemoryUse& use) {
    const auto first = reinterpret_cast<std::uintptr_t>(use.pointer);
    begin = std::min(begin, first);
    end = std::max(end, first + use.bytes);
  }
  bool meets(const MemoryUse& use) const {
    const auto first = reinterpret_cast<std::uintptr_t>(use.pointer);
    return first < end && begin < first + use.bytes;
  }
};

/// False for nearly all calls, at the price of a few comparisons.
bool may_lie_across(const std::vector<Footprint>& footprints, const MemoryUses& uses) {
  Span written;
  bool strided = false;
  for (std::size_t i = 0; i < footprints.size(); ++i) {
    if (footprints[i].writes) written.add(uses[i]);
    strided = strided || !footprints[i].strides.empty();
  }
  if (!strided) return false;
  for (std::size_t i = 0; i < footprints.size(); ++i)
    if (!footprints[i].writes && written.meets(uses[i])) return true;
  return false;
}

}  // namespace

std::vector<std::size_t> read_first(const std::shared_ptr<const PreparedCall>& prepared,
                                    const MemoryUses& uses) {
  std::vector<std::size_t> found;
  const std::vector<Footprint>& footprints = prepared->footprints;
  if (!may_lie_across(footprints, uses)) return found;
  const std::shared_ptr<const AccessList> list = accesses_of(prepared, uses);
  const AccessList& accesses = *list;
  for (std::size_t i = 0; i < footprints.size(); ++i) {
    if (footprints[i].writes) continue;
    for (std::size_t k = 0; k < footprints.size(); ++k) {
      const bool strided = !footprints[i].strides.empty() || !footprints[k].strides.empty();
      if (!footprints[k].writes || !strided || !undefined::lie_across(accesses[i], accesses[k]))
        continue;
      found.push_back(i);
      break;
    }
  }
  return found;
}

CopiedInputs::CopiedInputs(const PreparedCall& prepared, const std::vector<std::size_t>& footprints,
                           KernelMemory& memory) {
  for (std::size_t each : footprints) {
    const Footprint& footprint = prepared.footprints[each];
    copies_.emplace_back(new std::byte[std::size_t(footprint.bytes)]);
    std::byte*& base = memory.operands[footprint.operand];
    std::memcpy(copies_.back().get(), base + footprint.first, std::size_t(footprint.bytes));
    base = copies_.back().get() - footprint.first;
  }
}

}  // namespace pyaclnn::sim
