// What is known of the chips, beyond their generation.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/export.hpp"

namespace pyaclnn::sim {

struct ChipFacts {
  const char* name;
  std::uint32_t cube_cores;  // also called AI cores
  std::uint32_t vector_cores;
  std::uint32_t cpu_cores;
  std::int64_t l2_bytes;
  std::int64_t architecture;
  bool keeps_infinities;  // arithmetic can give Inf and NaN; older chips saturate
};

/// Of the chip that PYACLNN_SIM_SOC names.
SIM_API const ChipFacts& chip_facts();

}  // namespace pyaclnn::sim
