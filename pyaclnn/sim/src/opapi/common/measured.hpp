// What an installed CANN was seen to do otherwise, as pyaclnn.fidelity writes it down.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace pyaclnn::sim {

struct Measured {
  std::uint64_t workspace = 0;  // bytes that CANN asks for beyond ours
  int status = 0;               // with which it refuses what passes our checks; 0: it does not
};

/// Of an operator on the chip and release that are simulated; null where there is nothing.
///
/// From the file that PYACLNN_SIM_DIFFERENCES names, or differences.json in the toolkit root.
const Measured* measured(const char* api) noexcept;

}  // namespace pyaclnn::sim
