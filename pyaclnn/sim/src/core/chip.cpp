// SPDX-License-Identifier: MIT
#include "core/chip.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kMiB = std::int64_t(1) << 20;

// Its variants differ in cores and memory; these are one of the large ones.
constexpr Chip ascend950(const char* name) {
  return {name, Soc::kAscend950, 36, 72, 8, 128 * kMiB, 3510, true};
}

// "Ascend910B" without a digit is a first-generation part, unlike Ascend910B1 and its siblings.
constexpr Chip kChips[] = {
    {"Ascend910A", Soc::kAscend910, 32, 0, 4, 32 * kMiB, 1001, false},
    {"Ascend910B", Soc::kAscend910, 30, 0, 6, 32 * kMiB, 1001, false},
    {"Ascend910ProA", Soc::kAscend910, 32, 0, 4, 32 * kMiB, 1001, false},
    {"Ascend910ProB", Soc::kAscend910, 30, 0, 4, 32 * kMiB, 1001, false},
    {"Ascend910PremiumA", Soc::kAscend910, 32, 0, 4, 32 * kMiB, 1001, false},
    {"Ascend310P1", Soc::kAscend310P, 10, 8, 8, 16 * kMiB, 2002, false},
    {"Ascend310P3", Soc::kAscend310P, 8, 7, 7, 16 * kMiB, 2002, false},
    {"Ascend310P5", Soc::kAscend310P, 8, 7, 8, 16 * kMiB, 2002, false},
    {"Ascend310P7", Soc::kAscend310P, 8, 7, 8, 16 * kMiB, 2002, false},
    {"Ascend910B1", Soc::kAscend910B, 24, 48, 6, 192 * kMiB, 2201, true},
    {"Ascend910B2", Soc::kAscend910B, 24, 48, 6, 192 * kMiB, 2201, true},
    {"Ascend910B2C", Soc::kAscend910B, 24, 48, 6, 192 * kMiB, 2201, true},
    {"Ascend910B3", Soc::kAscend910B, 20, 40, 6, 192 * kMiB, 2201, true},
    {"Ascend910B4", Soc::kAscend910B, 20, 40, 6, 96 * kMiB, 2201, true},
    {"Ascend910_9362", Soc::kAscend910_93, 20, 40, 6, 168 * kMiB, 2201, true},
    {"Ascend910_9372", Soc::kAscend910_93, 20, 40, 6, 192 * kMiB, 2201, true},
    {"Ascend910_9381", Soc::kAscend910_93, 24, 48, 6, 192 * kMiB, 2201, true},
    {"Ascend910_9382", Soc::kAscend910_93, 24, 48, 6, 192 * kMiB, 2201, true},
    {"Ascend910_9391", Soc::kAscend910_93, 24, 48, 6, 192 * kMiB, 2201, true},
    {"Ascend910_9392", Soc::kAscend910_93, 24, 48, 6, 192 * kMiB, 2201, true},
    ascend950("Ascend950"),
    ascend950("Ascend910_95"),
    ascend950("Ascend950PR_9589"),
    ascend950("Ascend950PR_9598"),
    ascend950("Ascend950PR_9599"),
    ascend950("Ascend950DT_9582"),
    ascend950("Ascend950DT_9591"),
};

}  // namespace

const Chip* find_chip(const std::string& name) {
  for (const Chip& chip : kChips) {
    if (name == chip.name) return &chip;
  }
  return nullptr;
}

std::string chip_names() {
  std::string names;
  for (const Chip& chip : kChips) names += (names.empty() ? "" : " ") + std::string(chip.name);
  return names;
}

}  // namespace pyaclnn::sim
