// Dumps, none of which can be turned on here.
// SPDX-License-Identifier: MIT
#include "acl/acl_dump.h"
#include "core/release.hpp"
#include "core/status.hpp"

namespace sim = pyaclnn::sim;

aclError acldumpRegCallback(int32_t (*)(const acldumpChunk*, int32_t), int32_t) {
  return sim::entry(__func__, [] {
    sim::fail(sim::kFeatureUnsupported, "acldumpRegCallback is not simulated: nothing is dumped");
    return ACL_SUCCESS;
  });
}

void acldumpUnregCallback(void) {}

const char* acldumpGetPath(acldumpType) {
  sim::entry(__func__, [] {
    sim::require_release("acldumpGetPath");
    return ACL_SUCCESS;
  });
  return nullptr;
}
