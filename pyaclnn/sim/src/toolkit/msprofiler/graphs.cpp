// Profiling of graphs, of which there are none here.
// SPDX-License-Identifier: MIT
#include <cstdint>

#include "core/refuse.hpp"
#include "ge/ge_prof.h"

namespace ge {
namespace {

Status refuse(const char* function) {
  pyaclnn::sim::refuse(function, int(GE_PROF_FAILED));
  return GE_PROF_FAILED;
}

}  // namespace

Status aclgrphProfInit(const char*, std::uint32_t) { return refuse(__func__); }

Status aclgrphProfFinalize() { return refuse(__func__); }

aclgrphProfConfig* aclgrphProfCreateConfig(std::uint32_t*, std::uint32_t, ProfilingAicoreMetrics,
                                           ProfAicoreEvents*, std::uint64_t) {
  refuse(__func__);
  return nullptr;
}

Status aclgrphProfDestroyConfig(aclgrphProfConfig*) { return refuse(__func__); }

Status aclgrphProfStart(aclgrphProfConfig*) { return refuse(__func__); }

Status aclgrphProfStop(aclgrphProfConfig*) { return refuse(__func__); }

}  // namespace ge
