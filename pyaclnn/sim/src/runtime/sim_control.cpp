// The simulator's own interface; see pyaclnn/sim.h.
// SPDX-License-Identifier: MIT
#include "pyaclnn/sim.h"

#include <cstring>

#include "check/census.hpp"
#include "check/hazard.hpp"
#include "check/races.hpp"
#include "core/config.hpp"
#include "core/export.hpp"
#include "core/fault.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

// In the order of sim::RaceCheck.
constexpr const char* kRaceModes[] = {"off", "warn", "error", "collect"};

bool set_races(const char* mode) {
  if (*mode == '\0') {
    sim::races::set_mode(sim::config().races);
    return true;
  }
  for (int i = 0; i < 4; ++i) {
    if (std::strcmp(mode, kRaceModes[i]) != 0) continue;
    sim::races::set_mode(sim::RaceCheck(i));
    return true;
  }
  return false;
}

pyaclnnSimAccess side(const sim::HazardSide& side) {
  return {side.operation.c_str(), side.actor.stream,   side.captured_on, sim::verb(side.mode),
          side.operand.c_str(),   side.tensor.c_str(), side.begin,       side.end};
}

}  // namespace

// These bypass entry(): a fault plan must not be able to lock itself in.
SIM_API uint64_t pyaclnnSimCount(const char* kind) { return sim::live_count(kind); }

SIM_API int32_t pyaclnnSimSetFault(const char* plan) {
  try {
    sim::install_fault_plan(plan);
    return 0;
  } catch (const sim::Failure& failure) {
    return sim::detail::record_failure(__func__, failure.code(), failure.what());
  } catch (...) {
    return sim::kBadAlloc;
  }
}

SIM_API int32_t pyaclnnSimSetRaces(const char* mode) {
  try {
    return set_races(mode == nullptr ? "" : mode) ? 0 : sim::kInvalidParam;
  } catch (...) {
    return sim::kBadAlloc;
  }
}

SIM_API const char* pyaclnnSimRaces() { return kRaceModes[int(sim::races::mode())]; }

SIM_API uint64_t pyaclnnSimHazardCount() { return sim::hazard_log().size(); }

SIM_API int32_t pyaclnnSimGetHazard(uint64_t index, pyaclnnSimHazard* hazard) {
  const sim::Hazard* found =
      hazard == nullptr ? nullptr : sim::hazard_log().at(index, &hazard->count);
  if (found == nullptr) return sim::kInvalidParam;
  hazard->kind = found->kind();
  hazard->earlier = side(found->earlier);
  hazard->later = side(found->later);
  hazard->block = reinterpret_cast<const void*>(found->block.base);
  hazard->begin = found->begin;
  hazard->end = found->end;
  hazard->text = found->text.c_str();
  return 0;
}

SIM_API void pyaclnnSimForgetHazards() { sim::hazard_log().clear(); }

SIM_API const char* pyaclnnSimVersion() { return "0.1.0"; }
