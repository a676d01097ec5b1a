// SPDX-License-Identifier: MIT
#include "core/chip.hpp"

#include "core/config.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kMiB = std::int64_t(1) << 20;

constexpr ChipFacts kFacts[] = {
    {"Ascend910A", 32, 0, 4, 32 * kMiB, 1001, false},
    {"Ascend910B", 30, 0, 6, 32 * kMiB, 1001, false},
    {"Ascend910ProA", 32, 0, 4, 32 * kMiB, 1001, false},
    {"Ascend910ProB", 30, 0, 4, 32 * kMiB, 1001, false},
    {"Ascend910PremiumA", 32, 0, 4, 32 * kMiB, 1001, false},
    {"Ascend310P1", 10, 8, 8, 16 * kMiB, 2002, false},
    {"Ascend310P3", 8, 7, 7, 16 * kMiB, 2002, false},
    {"Ascend310P5", 8, 7, 8, 16 * kMiB, 2002, false},
    {"Ascend310P7", 8, 7, 8, 16 * kMiB, 2002, false},
    {"Ascend910B1", 24, 48, 6, 192 * kMiB, 2201, true},
    {"Ascend910B2", 24, 48, 6, 192 * kMiB, 2201, true},
    {"Ascend910B2C", 24, 48, 6, 192 * kMiB, 2201, true},
    {"Ascend910B3", 20, 40, 6, 192 * kMiB, 2201, true},
    {"Ascend910B4", 20, 40, 6, 96 * kMiB, 2201, true},
    {"Ascend910_9362", 20, 40, 6, 168 * kMiB, 2201, true},
    {"Ascend910_9372", 20, 40, 6, 192 * kMiB, 2201, true},
    {"Ascend910_9381", 24, 48, 6, 192 * kMiB, 2201, true},
    {"Ascend910_9382", 24, 48, 6, 192 * kMiB, 2201, true},
    {"Ascend910_9391", 24, 48, 6, 192 * kMiB, 2201, true},
    {"Ascend910_9392", 24, 48, 6, 192 * kMiB, 2201, true},
};

// Its variants differ; this is one of the large ones.
constexpr ChipFacts kAscend950 = {"Ascend950", 36, 72, 8, 128 * kMiB, 3510, true};

const ChipFacts& find() {
  for (const ChipFacts& facts : kFacts) {
    if (config().soc_name == facts.name) return facts;
  }
  return kAscend950;
}

}  // namespace

const ChipFacts& chip_facts() {
  static const ChipFacts& facts = find();
  return facts;
}

}  // namespace pyaclnn::sim
