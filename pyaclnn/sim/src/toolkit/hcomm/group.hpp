// Calls that a thread makes between HcclGroupStart and HcclGroupEnd, which act together.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "core/export.hpp"

namespace pyaclnn::sim::hccl {

/// Whether the calling thread is between the two.
SIM_API bool in_group() noexcept;

/// Has the outermost HcclGroupEnd call this, which may throw Failure.
SIM_API void at_group_end(std::function<void()> act);

}  // namespace pyaclnn::sim::hccl
