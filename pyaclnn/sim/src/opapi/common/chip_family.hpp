// Which chip is simulated: the questions that first phases ask.
// SPDX-License-Identifier: MIT
#pragma once

#include "core/config.hpp"
#include "core/release.hpp"

namespace pyaclnn::sim {

inline bool on_950() { return chip().soc == Soc::kAscend950; }

/// True where the kernels that came with CANN 9.0 for the 950 generation run; all other chips keep
/// the kernels of 8.1.
inline bool has_950_kernels() { return behaves(Behaviour::kHas950Kernels) && on_950(); }

inline bool on_a2_or_a3() {
  return chip().soc == Soc::kAscend910B || chip().soc == Soc::kAscend910_93;
}

/// The 950 where it has the kernels that came to it with CANN 9.1.
inline bool on_late_950() { return behaves(Behaviour::kMoreOn950) && on_950(); }
inline bool on_a2_or_late_950() { return on_a2_or_a3() || on_late_950(); }

/// The chips without bfloat16.
inline bool on_first_generation() { return !chip().has_bf16(); }

inline bool on_310p() { return chip().soc == Soc::kAscend310P; }

}  // namespace pyaclnn::sim
