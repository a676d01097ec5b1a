// The simulator's own interface; see pyaclnn/sim.h.
// SPDX-License-Identifier: MIT
#include "pyaclnn/sim.h"

#include "check/census.hpp"
#include "core/export.hpp"
#include "core/fault.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

// These bypass entry(): a fault plan must not be able to lock itself in.
SIM_API uint64_t pyaclnnSimCount(const char* kind) { return sim::live_count(kind); }

SIM_API int32_t pyaclnnSimSetFault(const char* plan) {
  try {
    return sim::install_fault_plan(plan) ? 0 : sim::kInvalidParam;
  } catch (...) {
    return sim::kBadAlloc;
  }
}

SIM_API const char* pyaclnnSimVersion() { return "0.1.0"; }
