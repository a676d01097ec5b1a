// Words of the generator on their way to numbers: where they begin, and how CANN makes fractions of
// them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

#include "objects/dtype.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/random/drawing.hpp"
#include "opapi/random/philox.hpp"
#include "opapi/random/random.hpp"

namespace pyaclnn::sim {

/// A place in memory that holds one int64, or a number.
struct Word {
  std::uint64_t value;
  bool in_memory = false;
  View view{};

  std::uint64_t read(const KernelMemory& memory) const {
    if (!in_memory) return value;
    std::uint64_t stored;
    std::memcpy(&stored, memory.operands[view.operand] + view.offset * 8, sizeof stored);
    return stored + value;
  }
};

struct SeedWords {
  Word seed;
  Word offset;

  SeedWords(Plan& plan, const Seeds& seeds) : seed{seeds.seed}, offset{seeds.offset} {
    if (seeds.seed_tensor == nullptr) return;
    plan.stage(*seeds.seed_tensor).contiguous();
    plan.stage(*seeds.offset_tensor).contiguous();
    seed = {0, true, plan.reads(*seeds.seed_tensor)};
    offset = {seeds.offset, true, plan.reads(*seeds.offset_tensor)};
  }

  RandomStream stream(const KernelMemory& memory) const {
    return {seed.read(memory), offset.read(memory)};
  }
};

/// The type CANN draws uniform numbers in.
inline aclDataType drawn_type(aclDataType dtype) {
  return is_16_bit_float(dtype) ? dtype : ACL_FLOAT;
}

/// [0, 1) with as many bits as a type's fraction has.
inline float fraction(std::uint32_t word, aclDataType type) {
  // By way of integers with a sign, which every vector unit converts.
  const auto bits = [word](std::uint32_t mask) { return float(std::int32_t(word & mask)); };
  if (type == ACL_FLOAT16) return bits(0x3FF) / 1024.0f;
  if (type == ACL_BF16) return bits(0x7F) / 128.0f;
  return bits(0x7FFFFF) / 8388608.0f;
}

/// (0, 1]
inline float open_fraction(std::uint32_t word) {
  return float(word) * 2.3283064e-10f + 1.1641532e-10f;
}

}  // namespace pyaclnn::sim
