// What is known of the chips, beyond their generation.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "core/config.hpp"
#include "core/export.hpp"

namespace pyaclnn::sim {

struct ChipFacts {
  const char* name;
  Soc soc;
  std::uint32_t cube_cores;  // also called AI cores
  std::uint32_t vector_cores;
  std::uint32_t cpu_cores;
  std::int64_t l2_bytes;
  std::int64_t architecture;
  bool keeps_infinities;  // arithmetic can give Inf and NaN; older chips saturate
};

/// Of the chip that PYACLNN_SIM_SOC names.
SIM_API const ChipFacts& chip_facts();

/// Of the chip of that name, or null.
const ChipFacts* find_chip(const std::string& name);

/// All names, with spaces in between.
std::string chip_names();

}  // namespace pyaclnn::sim
