// What the kernels of a plan do to memory, for the search for races.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "check/access.hpp"
#include "core/stream.hpp"
#include "objects/prepared_call.hpp"

namespace pyaclnn::sim {

/// Of each footprint, then of the workspace; they are made the first time.
const std::vector<AccessKind>& access_kinds(const PreparedCall& prepared);

/// The accesses of one run: of each footprint, then of the workspace. `uses` says where they are.
std::shared_ptr<const AccessList> accesses_of(const std::shared_ptr<const PreparedCall>& prepared,
                                              const MemoryUses& uses);

}  // namespace pyaclnn::sim
