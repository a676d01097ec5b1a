// What is known of the chips.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace pyaclnn::sim {

/// Chip generation: decides which dtypes and code paths an operator has.
enum class Soc { kAscend910, kAscend310P, kAscend910B, kAscend910_93, kAscend950 };

struct Chip {
  const char* name;
  Soc soc;
  std::uint32_t cube_cores;  // also called AI cores
  std::uint32_t vector_cores;
  std::uint32_t cpu_cores;
  std::int64_t l2_bytes;
  std::int64_t architecture;
  bool keeps_infinities;  // arithmetic can give Inf and NaN; older chips saturate

  bool has_bf16() const { return soc != Soc::kAscend910 && soc != Soc::kAscend310P; }
};

/// The chip of that name, or null.
const Chip* find_chip(const std::string& name);

/// All names, with spaces in between.
std::string chip_names();

}  // namespace pyaclnn::sim
