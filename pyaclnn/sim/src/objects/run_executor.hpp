// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "aclnn/acl_meta.h"
#include "core/export.hpp"

namespace pyaclnn::sim {

/// The second phase of every operator. Ends a one-shot executor, whatever the outcome.
SIM_API aclnnStatus run_executor(const char* api, void* workspace, std::uint64_t workspace_size,
                                 aclOpExecutor* executor, aclrtStream stream) noexcept;

}  // namespace pyaclnn::sim
